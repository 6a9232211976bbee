"""A scorer at the page: opens matches, and enters events by tapping or typing, as somebody at the table would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import msgspec

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_api.auth.tokens import Tokens
from tests.browser.looking import SIZES
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
"""Four hands of one suit each."""

BAD_NEWS = "Failed to load resource"
"""What the console says of every answer that is an error, and of none at all: here some are meant."""

BLOCKED = "Service Worker registration blocked"


@contextmanager
def served(folder: Path, fill: Callable[[Ledger], object] = lambda _: None) -> Iterator[tuple[str, str]]:
    """Yield where a ledger is served that tests may write to, and the token of its scorer; `fill` writes to it before."""
    db = folder / "club.db"
    with Ledger(db) as ledger:
        fill(ledger)
    tokens = Tokens(db)
    token = tokens.create("sam", "scorer", 1)
    tokens.close()
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where, token


@contextmanager
def scorer_at(
    browser: Browser, size: str, address: str, token: str, *, worker: bool = False, language: str = "en"
) -> Iterator[Page]:
    """Yield a signed-in scorer's page; what it complains about fails the test, but for answers that are errors.

    Without a service `worker` every request of the page reaches the routes of a test.
    """
    width, height = SIZES[size]
    phone = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height}, base_url=address, has_touch=phone, is_mobile=phone,
        service_workers="allow" if worker else "block", locale=language,
    )  # fmt: skip
    complaints: list[str] = []
    context.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    context.on(
        "console",
        lambda said: (
            any(words in said.text for words in (BAD_NEWS, "ERR_", BLOCKED))
            or complaints.append(f"console: {said.text}")
        ),
    )
    context.on("weberror", lambda error: complaints.append(f"error: {error.error}"))
    context.on("request", lambda asked: asked.url.startswith(address) or complaints.append(f"request: {asked.url}"))
    page = context.new_page()
    page.goto(f"/?token={token}")
    yield page
    context.close()
    assert complaints == [], complaints


class Api:
    """The same ledger as programs see it."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = f"{address}/api/v1", token

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """Return the server's answer; raises if it is a refusal."""
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else msgspec.json.encode(body)
        with urlopen(Request(self.address + path, data, headers)) as answer:
            return msgspec.json.decode(answer.read())

    def open(self, *events: ev.Event) -> str:
        """Record a new match; return its id."""
        match: str = self.ask("/matches", {"events": events})["match"]
        return match

    def record(self, match: str, *events: ev.Event) -> None:
        """Record events at the current end of the match."""
        self.ask(f"/matches/{match}/events", {"events": events}, **{"If-Match": "*"})

    def events(self, match: str) -> list[dict[str, Any]]:
        """Return the events of a match as they were entered, without when and by whom."""
        found = self.ask(f"/matches/{match}/events")["events"]
        return [{key: event[key] for key in event if key not in ("seq", "id", "at", "by")} for event in found]

    def table(self, match: str) -> Any:
        """Return the current table."""
        return self.ask(f"/matches/{match}/table")


def go_score(page: Page, match: str) -> None:
    """Open the scorer's page of a match and wait until it is ready."""
    page.goto(f"/matches/{match}/score")
    settled(page)


def settled(page: Page, said: str = "All recorded") -> None:
    """Wait until all that was entered is recorded and the next entry can be made."""
    page.locator('#status[data-state="ready"]', has_text=said).wait_for()
    page.locator("#tray:not([inert])").wait_for(state="attached")


def offline(page: Page, without_engine: str | None = None) -> None:
    """Take the connection away, once the engine in the browser judges; or go to score a match in one that has no engine."""
    if without_engine is None:
        page.locator("#score[data-judges]").wait_for()
    else:
        page.route("**/engine/**", lambda route: route.abort())
        go_score(page, without_engine)
    page.context.set_offline(True)
    page.locator('#status[data-state="offline"]').wait_for()


def recorded(page: Page, seq: int) -> None:
    """Wait until the log shows event `seq`, and the next entry can be made."""
    page.locator(f'#log ol[data-seq="{seq}"]').wait_for(state="attached")
    settled(page)


def waits(page: Page, many: int) -> None:
    """Wait until so many entries wait to be sent, and the next one can be made."""
    page.get_by_text(f"{many} entr{'y waits' if many == 1 else 'ies wait'} to be sent").first.wait_for()
    page.locator("#tray:not([inert])").wait_for(state="attached")


def seen(page: Page) -> None:
    """Wait until a scorer has had time to see that somebody else's entry passed the turn on."""
    page.locator("#score:not([data-passed])").wait_for()


def prompt(page: Page) -> str:
    """Return what the page asks for."""
    return page.locator("#prompt").inner_text()


def say(page: Page, text: str) -> None:
    """Type a line and end it."""
    page.locator("#said").focus()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def as_seen(game: str, events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return events without the cards that nobody sees: the order of the stock, and what is left over where nobody names it."""
    unseen: dict[str, Any] = {"stock": None}
    if games()[game].deal.left_over == "unnamed":
        unseen["aside"] = None
    return [msgspec.structs.replace(event, **unseen) if isinstance(event, ev.Deal) else event for event in events]


def plain(events: Sequence[ev.Event]) -> Any:
    """Return events as the ledger tells them."""
    return msgspec.json.decode(msgspec.json.encode(events))


def in_order(events: Any) -> Any:
    """Return events with every hand in order: a card that is turned up is typed last, whosever it is."""
    return [event | {"hands": [*map(sorted, event["hands"])]} if event.get("hands") else event for event in events]


def by_hands(events: Sequence[ev.Event]) -> list[list[ev.Event]]:
    """Return events from deal to deal; a score has a line of its own."""
    lines: list[list[ev.Event]] = []
    for event in events:
        if not lines or isinstance(event, ev.Deal | ev.Score) or isinstance(lines[-1][0], ev.Score):
            lines.append([])
        lines[-1].append(event)
    return lines


def typed(page: Page, events: Sequence[ev.Event], players: Sequence[str]) -> None:
    """Enter events with the keyboard, without waiting for what becomes of them; a deal first, if there is one."""
    rest = list(events)
    if isinstance(deal := rest[0], ev.Deal):
        if prompt(page).startswith("Who"):
            say(page, seat_number(deal.dealer if deal.starter is None else deal.starter))
        words = ["hidden"] if deal.hands is None else [face for hand in deal.hands for face in hand]
        if isinstance(deal.upcard, str) and deal.upcard in words:
            words.remove(deal.upcard)  # it goes to the dealer when it is turned up
        words += [deal.upcard] if isinstance(deal.upcard, str) else []
        page.locator("#said").focus()
        page.keyboard.type("".join(f"{word} " for word in words))
        if deal.hands is not None:
            page.keyboard.press("Enter")
        del rest[0]
    if rest:
        asked = prompt(page).startswith("Who is") and not isinstance(
            rest[0], ev.Give
        )  # who gives is said with the cards
        who = f"{players[rest[0].seat]} " if asked else ""  # type: ignore[attr-defined]
        say(page, who + "".join(f"{words_of(event, players)} " for event in rest))


def seat_number(seat: int | None) -> str:
    """Return the number of a seat as people count: from 1."""
    assert seat is not None
    return str(seat + 1)


def words_of(event: ev.Event, players: Sequence[str]) -> str:
    """Return the text to type for an event of play."""
    match event:
        case ev.Give(cards=None):
            return f"{seat_number(event.seat)} ?"
        case ev.Discard(card=None) | ev.Draw(cards=None):
            return "?"
        case ev.Give(cards=tuple() as cards):
            return f"{seat_number(event.seat)} {' '.join(cards)}"
        case ev.Call():
            return event.call
        case ev.Play() | ev.Discard() | ev.Layoff() | ev.Give():
            assert isinstance(event.card, str)
            return event.card
        case ev.Close():
            return f"close {event.card}"
        case ev.Draw(cards=tuple() as cards):
            return " ".join(cards)
        case ev.Bid():
            return str(event.amount)
        case ev.Pass():
            return "p"
        case ev.Collect():
            return players[event.source]
        case ev.Ask():
            return event.suit
        case ev.Score():
            return f"score {' '.join(map(str, event.scores))}"
    raise AssertionError(event)


def tapped(page: Page, event: ev.Event, players: Sequence[str]) -> None:
    """Enter an event with a finger."""
    tray = page.locator("#tray")

    def tap(face: str) -> None:
        tray.locator(f'button[data-face="{face}"]').tap()

    def tap_all(faces: Sequence[str] | None) -> None:
        if faces is None:  # nobody saw them
            tray.get_by_role("button", name="(?)").tap()
        for face in faces or ():
            tap(face)

    def press(text: str) -> None:
        tray.get_by_role("button", name=text, exact=True).tap()

    match event:
        case ev.Deal():
            if prompt(page).startswith("Who"):
                seat = event.dealer if event.starter is None else event.starter
                assert seat is not None
                press(f"{seat_number(seat)} {players[seat]}")
            if event.hands is None:
                press("Leave the hands hidden")
            upcard = event.upcard if isinstance(event.upcard, str) else None
            for face in [
                *(face for hand in event.hands or () for face in hand if face != upcard),
                *([upcard] if upcard else []),
            ]:
                # The last hand fills itself.
                if tray.locator(f'li:not(.placed) button[data-face="{face}"]').count():
                    tap(face)
            if event.hands is not None:
                press("Deal")
        case ev.Give(cards=None | tuple() as cards):
            give = tray.get_by_role("button", name=f"{seat_number(event.seat)} {players[event.seat]}: give", exact=True)
            if give.count():
                give.tap()
            tap_all(cards)
        case ev.Call():
            press(event.call)
        case ev.Discard(card=None):
            tap_all(None)
        case ev.Play() | ev.Discard() | ev.Layoff() | ev.Give():
            assert isinstance(event.card, str)
            if prompt(page).startswith("Who"):
                press(f"{seat_number(event.seat)} {players[event.seat]}")
            tap(event.card)
        case ev.Close():
            press("close")
            tap(event.card)
        case ev.Draw():
            if tray.get_by_role("button", name=f"draw from the {event.source}").count():
                press(f"draw from the {event.source}")
            tap_all(event.cards)
        case ev.Bid():
            press(str(event.amount))
        case ev.Pass():
            press("pass")
        case ev.Collect():
            press(f"{seat_number(event.source)} {players[event.source]}")
        case ev.Ask():
            press({"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[event.suit])
        case ev.Score() | ev.Claim():
            numbers = event.scores if isinstance(event, ev.Score) else event.tricks
            page.get_by_role("button", name="Score" if isinstance(event, ev.Score) else "Claim", exact=True).tap()
            for field, number in zip(page.locator("dialog input").all(), numbers, strict=True):
                field.fill(str(number))
            page.get_by_role("button", name="Record", exact=True).tap()
        case _:
            raise AssertionError(event)
