"""Scoring at the table in a real browser: every game by hand and by keyboard, slips, two scorers, bad connections."""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from api.tokens import Tokens
from ledger import events as ev
from ledger.bots.simulation import simulate
from ledger.games import games
from tests.browser.looking import GAMES, SCREENS, accessible, fits
from tests.browser.scoring import Api, go_score, prompt, recorded, say, scorer_at, settled, tapped, typed
from tests.web.club import HOSTILE
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ("ana", "ben", "chloe", "dev", "eva")
SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")


@pytest.fixture(scope="session")
def api(scoring: tuple[str, str]) -> Api:
    """The ledger that tests may write to."""
    return Api(*scoring)


@pytest.fixture
def desk(browser: Browser, scoring: tuple[str, str]) -> Iterator[Page]:
    """A scorer with a keyboard."""
    with scorer_at(browser, "desktop", *scoring) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, scoring: tuple[str, str]) -> Iterator[Page]:
    """A scorer with a telephone."""
    with scorer_at(browser, "phone", *scoring) as page:
        yield page


@pytest.fixture(params=SCREENS)
def scorer(request: pytest.FixtureRequest) -> Page:
    """A scorer of either kind."""
    return request.getfixturevalue({"desktop": "desk", "phone": "phone"}[request.param])


@pytest.fixture
def unused_port() -> int:
    """A port that is free: the same server is to come back under the same address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def bots(game: str, hidden: bool = False) -> list[ev.Event]:
    """The first hand of a match of bots, with hands and debts of the second where those come with it."""
    n = min(games()[game].players[-1], 4)
    found = simulate(game, n, Random(3), ["cautious"], players=NAMES[:n], hidden=hidden, max_hands=2)
    deals = [place for place, event in enumerate(found) if isinstance(event, ev.Deal)]
    return found[: deals[1] + 20 if game.startswith("ruff") else deals[1]]


def plain(events: Sequence[ev.Event]) -> object:
    """Events as the ledger tells them; the order of the stock is not entered."""
    kept = [msgspec.structs.replace(event, stock=None) if isinstance(event, ev.Deal) else event for event in events]
    return msgspec.json.decode(msgspec.json.encode(kept))


def diversity(api: Api, *events: ev.Event, policy: str = "record", game: str = "diversity") -> str:
    return api.open(ev.Open(game=game, players=NAMES[:4], policy=policy), *events)


def dealt(dealer: int = 0) -> ev.Deal:
    """Everybody has a suit: clubs, diamonds, hearts, spades."""
    return ev.Deal(dealer=dealer, hands=SUITS)


def mixed() -> ev.Deal:
    """Everybody has three or four cards of every suit."""
    pack = [face for suit in SUITS for face in suit]
    return ev.Deal(dealer=0, hands=tuple(tuple(pack[seat::4]) for seat in range(4)))


# --- every game


def by_hands(events: Sequence[ev.Event]) -> list[list[ev.Event]]:
    """Events from deal to deal; a score has a line of its own."""
    lines: list[list[ev.Event]] = []
    for event in events:
        if not lines or isinstance(event, ev.Deal | ev.Score) or isinstance(lines[-1][0], ev.Score):
            lines.append([])
        lines[-1].append(event)
    return lines


def enter_by_keyboard(page: Page, api: Api, game: str, hidden: bool, start: int = 0, many: int = 200) -> None:
    opening, *events = bots(game, hidden)
    match, seq = api.open(opening, *events[:start]), start + 1
    events = events[start : start + many]
    go_score(page, match)
    for line in [[event] for event in events] if hidden else by_hands(events):
        typed(page, line, opening.players)
        seq += len(line)
        recorded(page, seq)
    assert api.events(match)[start + 1 :] == plain(events)


@pytest.mark.parametrize("game", GAMES)
def test_turns_of_every_game_are_typed_ahead(desk: Page, api: Api, game: str) -> None:
    enter_by_keyboard(desk, api, game, hidden=False, start=1, many=14)


@pytest.mark.parametrize("game", [pytest.param("poison-hearts", marks=pytest.mark.long), "hecto-diversity"])
def test_a_deal_is_typed(desk: Page, api: Api, game: str) -> None:
    enter_by_keyboard(desk, api, game, hidden=False, many=3)


@pytest.mark.long
@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_hand_of_every_game_is_typed(desk: Page, api: Api, game: str, hidden: bool) -> None:
    enter_by_keyboard(desk, api, game, hidden=hidden)


def enter_by_tapping(page: Page, api: Api, game: str, start: int, many: int, hidden: bool) -> None:
    opening, *events = bots(game, hidden)
    match = api.open(opening, *events[:start])
    go_score(page, match)
    chosen = events[start : start + many]
    for seq, event in enumerate(chosen, start + 2):
        tapped(page, event, opening.players)
        recorded(page, seq)
    assert fits(page)
    assert api.events(match)[start + 1 :] == plain(chosen)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_turns_of_every_game_are_tapped(phone: Page, api: Api, game: str) -> None:
    enter_by_tapping(phone, api, game, 0, 6, hidden=True)


@pytest.mark.parametrize("game", ["ruff", "hecto-diversity", "diamonds-draw"])
def test_what_comes_late_in_a_hand_is_tapped(phone: Page, api: Api, game: str) -> None:
    """Debts, the close and lay-offs, the last draws."""
    enter_by_tapping(phone, api, game, max(len(bots(game)) - 13, 0), 12, hidden=False)


@pytest.mark.long
@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_hand_of_every_game_is_tapped(phone: Page, api: Api, game: str, hidden: bool) -> None:
    enter_by_tapping(phone, api, game, 0, 200, hidden=hidden)


@pytest.mark.everyday
def test_a_deal_is_tapped_and_the_last_hand_fills_itself(phone: Page, api: Api) -> None:
    enter_by_tapping(phone, api, "diversity", 0, 3, hidden=False)


@pytest.mark.parametrize(
    ("game", "count"), [("poison-hearts", 0), ("diamonds-bid", 1), ("hecto-diversity", 2), ("ruff", 60)]
)
def test_whatever_is_to_be_tapped_is_large_enough(phone: Page, api: Api, game: str, count: int) -> None:
    opening, *events = bots(game)
    match = api.open(opening, *events[:count])
    go_score(phone, match)
    for target in phone.locator(".entry button:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert box["width"] >= 44 and box["height"] >= 44, target.inner_text()


# --- speed


@pytest.mark.everyday
def test_a_whole_trick_takes_less_than_five_seconds_with_the_keyboard(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    begun = time.monotonic()
    # No Enter and no blanks: a card is read as soon as it can be no other.
    desk.keyboard.type("9d10h9sjc", delay=60)
    recorded(desk, 6)
    taken = time.monotonic() - begun
    sys.stdout.write(f"a trick typed at 16 keys a second: {taken:.2f} s until recorded\n")
    assert taken < 5
    assert api.table(match)["tricks_taken"] == [0, 1, 0, 0]


# --- slips


@pytest.mark.everyday
def test_an_irregular_card_is_asked_about_once_and_recorded_with_its_rule(scorer: Page, api: Api) -> None:
    match = diversity(api, mixed(), ev.Bid(seat=1, amount=3), ev.Bid(seat=2, amount=3), ev.Bid(seat=3, amount=3),
                      ev.Bid(seat=0, amount=3), game="diamonds-bid")  # fmt: skip
    go_score(scorer, match)
    say(scorer, "2c 2d ")
    question = scorer.locator("#question")
    question.get_by_text("follow.suit").wait_for()
    assert "ben plays 2♦" in question.inner_text().replace("\ufe0e", "")
    assert "Legal:" in question.inner_text()
    assert len(api.events(match)) == 7
    accessible(scorer)
    scorer.get_by_role("button", name="Record it anyway").click()
    recorded(scorer, 8)
    assert not question.is_visible()
    assert scorer.locator('#log li[data-seq="8"] .warn').inner_text() == "follow.suit"
    assert api.events(match)[-1]["card"] == "2D"


def test_an_irregular_card_is_taken_back_with_n_and_the_right_one_entered(desk: Page, api: Api) -> None:
    match = diversity(api, mixed(), *(ev.Bid(seat=(seat + 1) % 4, amount=3) for seat in range(4)), game="diamonds-bid")
    go_score(desk, match)
    desk.keyboard.type("2c2d")
    desk.locator("#question", has_text="follow.suit").wait_for()
    desk.keyboard.type("n")
    settled(desk)
    desk.keyboard.type("3c")
    recorded(desk, 8)
    assert [event["card"] for event in api.events(match)[-2:]] == ["2C", "3C"]


def test_under_strict_an_irregular_card_is_refused_in_the_words_of_the_rule(scorer: Page, api: Api) -> None:
    bids = (ev.Bid(seat=(seat + 1) % 4, amount=3) for seat in range(4))
    match = diversity(api, mixed(), *bids, ev.Play(seat=0, card="2C"), game="diamonds-bid", policy="strict")
    go_score(scorer, match)
    scorer.locator('#tray button[data-face="2D"]').click()
    error = scorer.locator("#error", has_text="follow.suit")
    error.wait_for()
    assert error.get_attribute("role") == "alert"
    assert "Who can follow suit must" in error.inner_text() or "suit" in error.inner_text()
    settled(scorer)
    assert len(api.events(match)) == 7
    assert prompt(scorer) == "ben to play"


@pytest.mark.parametrize(("text", "said"), [("zz", "means nothing"), ("2c", "table.holding"), ("claim", ""), ("b", "")])
def test_what_cannot_be_is_said_to_be_impossible_and_nothing_is_recorded(
    desk: Page, api: Api, text: str, said: str
) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    say(desk, text)
    if said:
        desk.locator("#error", has_text=said).wait_for()
    assert len(api.events(match)) == 2


def test_undo_takes_back_step_by_step(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="2D"), ev.Play(seat=2, card="2H"))
    go_score(scorer, match)
    for seq, turn in ((5, "chloe to play"), (6, "ben to play")):
        scorer.get_by_role("button", name="Undo").click()
        recorded(scorer, seq)
        assert prompt(scorer) == turn
    scorer.get_by_role("button", name="Undo").click()
    recorded(scorer, 7)
    assert prompt(scorer).startswith("Who deals")


def test_an_earlier_event_is_amended_after_showing_what_would_change(scorer: Page, api: Api) -> None:
    plays = [ev.Play(seat=seat, card=face) for seat, face in ((1, "5D"), (2, "6H"), (3, "7S"), (0, "4C"))]
    match = diversity(api, dealt(), *plays)
    go_score(scorer, match)
    assert prompt(scorer) == "ben to play"
    scorer.get_by_role("button", name="Amend event 3: ben plays 5D").click()
    scorer.get_by_text("Event 3 was: ben plays").wait_for()
    scorer.locator('#tray button[data-face="2D"]').click()
    question = scorer.locator("#question")
    question.get_by_text("Next: ben → chloe").wait_for()
    assert "ana: tricks 1 → 0" in question.inner_text()
    accessible(scorer)
    assert len(api.events(match)) == 6
    question.get_by_role("button", name="Amend", exact=True).click()
    recorded(scorer, 7)
    assert prompt(scorer) == "chloe to play"
    assert "counts as: ben plays 2D" in scorer.locator('#log li[data-seq="3"]').inner_text().replace("\u2068", "")


def test_an_amendment_that_breaks_what_follows_says_which_event(desk: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="5D"), ev.Play(seat=2, card="6H"))
    go_score(desk, match)
    desk.get_by_role("button", name="Amend event 2").click()
    desk.locator("#said").focus()
    desk.get_by_role("button", name="Clear").click()
    assert "Event 2 was" in desk.locator("#question").inner_text()


def test_a_claim_must_add_up_and_ends_the_hand(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="5D"))
    go_score(scorer, match)
    scorer.get_by_role("button", name="Claim").click()
    fields = scorer.locator("dialog input")
    for field, number in zip(fields.all(), (3, 3, 3, 3), strict=True):
        field.fill(str(number))
    yes = scorer.locator("dialog").get_by_role("button", name="Record")
    assert yes.is_disabled()
    assert scorer.locator("dialog .sum").inner_text() == "12 of 13"
    accessible(scorer)
    fields.first.fill("4")
    yes.click()
    recorded(scorer, 4)
    assert api.table(match)["totals"] == [4, 3, 3, 3]
    assert prompt(scorer).startswith("ben deals")


def test_a_score_sheet_line_a_note_and_the_end_are_entered(scorer: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=3, hands=None))
    go_score(scorer, match)
    scorer.get_by_role("button", name="Score").click()
    for field, number in zip(scorer.locator("dialog input").all(), ("1", "-2", "\u22123", "17"), strict=True):
        field.fill(number)
    scorer.locator("dialog").get_by_role("button", name="Record").click()
    recorded(scorer, 3)
    say(scorer, "note dev called it <b>early</b>")
    recorded(scorer, 4)
    scorer.get_by_role("button", name="End", exact=True).click()
    scorer.get_by_label("Why, if you like").fill("closing time")
    scorer.locator("dialog").get_by_role("button", name="End the match").click()
    recorded(scorer, 5)
    assert scorer.locator("#result").is_visible()
    points = scorer.locator("#points").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert points == "Ended before its rule said so: ana 1, ben \u22122, chloe \u22123, dev 17"
    assert api.events(match)[2:] == [
        {"type": "score", "scores": [1, -2, -3, 17]},
        {"type": "note", "text": "dev called it <b>early</b>"},
        {"type": "end", "reason": "closing time"},
    ]


def test_a_sheet_that_is_cancelled_records_nothing(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    for word in ("claim", "score", "note", "end"):
        say(desk, word)
        desk.locator("dialog[open]").wait_for()
        desk.keyboard.press("Escape")
        desk.locator("dialog").wait_for(state="hidden")
    assert len(api.events(match)) == 2


# --- two scorers


@pytest.mark.everyday
def test_two_scorers_see_each_other_live_and_do_not_write_over_each_other(
    browser: Browser, scoring: tuple[str, str], desk: Page, api: Api
) -> None:
    match = diversity(api, dealt())
    with scorer_at(browser, "phone", *scoring) as other:
        go_score(desk, match)
        go_score(other, match)
        desk.keyboard.type("2d")
        recorded(other, 3)
        assert prompt(other) == "chloe to play"
        other.locator("#heard", has_text="sam: ben plays 2D").wait_for()
        # Both enter what chloe plays, one of them without having seen the other's.
        desk.context.set_offline(True)
        desk.locator('#status[data-state="offline"]').wait_for()
        desk.keyboard.type("2h")
        other.locator('#tray button[data-face="2H"]').click()
        recorded(other, 4)
        desk.context.set_offline(False)
        recorded(desk, 4)
        desk.locator("#error", has_text="Somebody else has recorded the same").wait_for()
        assert prompt(desk) == prompt(other) == "dev to play"
    assert [event.get("card") for event in api.events(match)[2:]] == ["2D", "2H"]


def test_who_enters_something_else_meanwhile_is_shown_what_was_recorded_and_asked(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    desk.context.set_offline(True)
    desk.locator('#status[data-state="offline"]').wait_for()
    desk.keyboard.type("2d")
    desk.get_by_text("1 entry waits to be sent").wait_for()
    api.record(match, ev.Play(seat=1, card="3D"))
    desk.context.set_offline(False)
    question = desk.locator("#question")
    question.get_by_text("ben plays 2").wait_for()
    assert "table.turn" in question.inner_text()
    desk.locator("#heard", has_text="ben plays 3D").wait_for()
    desk.keyboard.type("n")
    settled(desk)
    assert [event.get("card") for event in api.events(match)[2:]] == ["3D"]
    assert prompt(desk) == "chloe to play"


def test_an_undo_meant_for_something_else_is_asked_about(desk: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="2D"))
    go_score(desk, match)
    desk.context.set_offline(True)
    desk.locator('#status[data-state="offline"]').wait_for()
    desk.get_by_role("button", name="Undo").click()
    api.record(match, ev.Play(seat=2, card="2H"))
    desk.context.set_offline(False)
    desk.locator("#question", has_text="Something was recorded after you took this back").wait_for()
    assert len(api.events(match)) == 4


# --- bad connections


@pytest.mark.everyday
def test_what_is_entered_offline_waits_over_a_reload_and_is_recorded_once(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(scorer, match)
    scorer.context.set_offline(True)
    scorer.locator('#status[data-state="offline"]').wait_for()
    for face in ("2D", "2H", "2S"):
        scorer.locator(f'#tray button[data-face="{face}"]').click()
    scorer.get_by_text("3 entries wait to be sent").wait_for()
    assert prompt(scorer) == "ana to play"
    accessible(scorer)
    scorer.evaluate("history.replaceState(null, '', location.href)")
    scorer.context.set_offline(False)
    # The answers are lost, not the requests.
    scorer.route("**/events", lambda route: (route.fetch(), route.abort()))
    scorer.reload()
    scorer.locator('#status[data-state="offline"]').wait_for()
    scorer.unroute_all(behavior="ignoreErrors")
    recorded(scorer, 5)
    assert [event.get("card") for event in api.events(match)[2:]] == ["2D", "2H", "2S"]


def test_offline_whoever_comes_next_is_asked_and_tricks_go_on(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    desk.context.set_offline(True)
    desk.locator('#status[data-state="offline"]').wait_for()
    desk.keyboard.type("2d2h2s2c")
    desk.get_by_text("4 entries wait to be sent").wait_for()
    assert prompt(desk) == "Who is next to play?"
    desk.keyboard.type("chloe 3h 3s ")
    desk.get_by_text("6 entries wait to be sent").wait_for()
    desk.context.set_offline(False)
    recorded(desk, 8)
    assert [event["seat"] for event in api.events(match)[2:]] == [1, 2, 3, 0, 2, 3]


def test_one_that_is_refused_lets_the_rest_wait_until_the_scorer_decides(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    desk.context.set_offline(True)
    desk.locator('#status[data-state="offline"]').wait_for()
    desk.keyboard.type("2d2h2s2c")
    # Nobody can know without the rules that it is not ben who leads now.
    desk.keyboard.type("ben 3d ")
    desk.get_by_text("5 entries wait to be sent").wait_for()
    desk.keyboard.type("3h ")
    desk.context.set_offline(False)
    desk.locator("#question", has_text="table.turn").wait_for()
    assert len(api.events(match)) == 6
    desk.get_by_role("button", name="Take back all 2").click()
    settled(desk)
    assert len(api.events(match)) == 6


def test_a_deal_in_the_making_survives_a_reload(phone: Page, api: Api) -> None:
    match = diversity(api)
    go_score(phone, match)
    phone.locator("#tray").get_by_role("button", name="2 chloe").tap()
    for face in ("2C", "3C"):
        phone.locator(f'#tray button[data-face="{face}"]').tap()
    phone.reload()
    settled(phone)
    assert prompt(phone) == "chloe deals. Next card: ana (3 of 13)"
    phone.locator('#tray button[data-face="2C"]').tap()
    assert prompt(phone) == "chloe deals. Next card: ana (2 of 13)"


@pytest.mark.long
def test_a_server_that_dies_and_comes_back_loses_and_doubles_nothing(
    browser: Browser, tmp_path: Path, unused_port: int
) -> None:
    db = tmp_path / "club.db"
    tokens = Tokens(db)
    token = tokens.create("sam", "scorer", 1)
    tokens.close()
    serve = ("serve", "--db", str(db), "--port", str(unused_port), "--rate", "0")
    with contextlib.ExitStack() as stack:
        with running(command(*serve)) as (address, _):
            page = stack.enter_context(scorer_at(browser, "desktop", address, token))
            match = diversity(Api(address, token), dealt())
            go_score(page, match)
            page.keyboard.type("2d")
            recorded(page, 3)
        page.keyboard.type("2h2s")
        page.get_by_text("2 entries wait to be sent").wait_for()
        with running(command(*serve)):
            # A new run of the server knows no browser any more.
            page.get_by_text("The server does not know you any more").wait_for(timeout=20_000)
            page.goto(f"/matches/{match}/score?token={token}")
            recorded(page, 5)
            assert [event.get("card") for event in Api(address, token).events(match)[2:]] == ["2D", "2H", "2S"]


def test_without_a_stream_the_page_asks_now_and_then(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    desk.route("**/live*", lambda route: route.fulfill(status=503))
    go_score(desk, match)
    api.record(match, ev.Play(seat=1, card="2D"))
    recorded(desk, 3)
    assert prompt(desk) == "chloe to play"


def test_two_windows_of_one_browser_send_everything_once(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    other = desk.context.new_page()
    go_score(other, match)
    desk.keyboard.type("2d2h2s2c")
    recorded(desk, 6)
    recorded(other, 6)
    assert len(api.events(match)) == 6


# --- opening, and the rest of the page


def test_a_match_is_opened_and_its_seats_and_options_follow_the_game(scorer: Page) -> None:
    scorer.goto("/matches/new")
    accessible(scorer)
    seats = scorer.locator("[name=player]:visible")
    assert seats.count() == 4
    scorer.get_by_role("radio", name="Ruff 3 to 5").check()
    assert seats.count() == 3
    assert scorer.get_by_role("group", name="Options of Ruff", exact=True).is_visible()
    assert not scorer.get_by_role("group", name="Options of Diversity", exact=True).is_visible()
    scorer.get_by_role("button", name="One more player").click()
    for field, name in zip(seats.all(), NAMES, strict=False):
        field.fill(name)
    assert fits(scorer)
    scorer.get_by_role("button", name="Open the match").click()
    scorer.wait_for_url("**/score")
    settled(scorer)
    assert prompt(scorer) == "Who deals?"
    accessible(scorer)
    assert fits(scorer)


@pytest.mark.everyday
def test_a_match_is_opened_without_script(browser: Browser, scoring: tuple[str, str]) -> None:
    address, token = scoring
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto(f"/matches/new?token={token}")
    page.get_by_role("radio", name="Poison Hearts").check()
    for field, name in zip(page.locator("[name=player]").all()[:2], NAMES, strict=False):
        field.fill(name)
    page.get_by_role("button", name="Open the match").click()
    assert "is for 3 to 6 players; here are 2" in page.locator("#wrong-players").inner_text()
    page.locator("[name=player]").nth(2).fill("chloe")
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/score")
    assert "Scoring needs scripts" in page.locator("noscript").inner_text()
    context.close()


def test_a_complete_match_says_who_won_and_leads_to_its_page(desk: Page, api: Api) -> None:
    opening = ev.Open(game="diversity", players=NAMES[:4], options={"hands": 1})
    match = api.open(opening, dealt())
    go_score(desk, match)
    say(desk, "claim 1 4 4 4")
    recorded(desk, 3)
    points = desk.locator("#points").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert points == "ana wins: ana 1, ben 4, chloe 4, dev 4"
    accessible(desk)
    desk.locator("#result").get_by_role("link", name="Match page").click()
    desk.wait_for_url(f"**/matches/{match}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_by_everybody(scorer: Page, api: Api, scheme: str) -> None:
    scorer.emulate_media(color_scheme=scheme)
    opening, *events = bots("hecto-diversity")
    go_score(scorer, api.open(opening, *events[:2]))
    accessible(scorer)
    assert fits(scorer)


@pytest.mark.everyday
def test_words_are_read_as_scorers_type_them(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    read = """async ([text, choices, kinds, faces, final]) => {
        const { read, lacking, eventOf } = await import('/static/score-words.js');
        const card = { kinds, faces, suits: ['C', 'D', 'H', 'S'], deal: { each: 13 } };
        const moment = { choices, turn: 1, phase: choices[0].type, players: ['Ana', 'ben', 'bea', '9s'], card };
        const found = read(text, moment, null, final);
        if (!found.draft) return found.error ? 'error' : found.command ?? 'wait';
        return lacking(moment, found.draft) ? 'more' : JSON.stringify(eventOf(moment, found.draft)) + found.rest;
    }"""
    play = [{"type": "play", "seat": 1, "cards": ["9S"]}]
    kinds = {"play": ["seat", "card"], "pass": ["seat"]}
    standard = [face for suit in SUITS for face in suit]
    card = '{"type":"play","seat":1,"card":"%s"}'
    for text, final, found in (
        ("9s", False, card % "9S"), ("9S", False, card % "9S"), ("s9", False, card % "9S"), ("10H", False, card % "TH"),
        ("th", False, card % "TH"), ("h10", False, card % "TH"), ("9sth6c", False, card % "9S" + "th6c"),
        (" 9s th", False, card % "9S" + " th"), ("9", False, "wait"), ("1", False, "wait"), ("9", True, "error"),
        ("x", False, "error"), ("p", False, "wait"), ("p", True, '{"type":"pass","seat":1}'), ("undo", True, "undo"),
        ("u", True, "undo"), ("undo", False, "wait"), ("claim 1 2", True, "claim"), ("", True, "wait"),
        ("as", False, card % "AS"), ("pass", False, '{"type":"pass","seat":1}'),
    ):  # fmt: skip
        assert desk.evaluate(read, [text, play, kinds, standard, final]) == found, text
    numbers = [str(number) for number in range(1, 81)]
    turn = [{"type": "discard", "seat": 1, "cards": ["3", "37"]}, {"type": "close", "seat": 1, "cards": ["37"]}]
    kinds = {"discard": ["seat", "card"], "close": ["seat", "card"]}
    for text, final, found in (
        ("37", False, '{"type":"discard","seat":1,"card":"37"}'), ("3", False, "wait"),
        ("3 ", False, '{"type":"discard","seat":1,"card":"3"} '), ("3", True, '{"type":"discard","seat":1,"card":"3"}'),
        ("close", False, "more"), ("c", True, "error"), ("99", True, '{"type":"discard","seat":1,"card":"9"}9'),
    ):  # fmt: skip
        assert desk.evaluate(read, [text, turn, kinds, numbers, final]) == found, text
    bid, anyone = [{"type": "bid", "seat": 1, "amounts": [0, 13]}], [{"type": "play", "seat": None}]
    for text, choices, final, found in (
        ("7", bid, False, '{"type":"bid","seat":1,"amount":7}'), ("1", bid, False, "wait"),
        ("12", bid, False, '{"type":"bid","seat":1,"amount":12}'), ("14", bid, True, '{"type":"bid","seat":1,"amount":1}4'),
        ("ana", anyone, False, "more"), ("be", anyone, True, "error"), ("b", anyone, False, "wait"), ("2", anyone, False, "more"),
    ):  # fmt: skip
        kinds = {"bid": ["seat", "amount"], "play": ["seat", "card"]}
        assert desk.evaluate(read, [text, choices, kinds, standard, final]) == found, text


def test_hostile_names_are_inert(scorer: Page, api: Api) -> None:
    match = api.open(ev.Open(game="diversity", players=HOSTILE, policy="record"))
    go_score(scorer, match)
    scorer.locator("#tray button").first.click()
    scorer.get_by_role("button", name="Leave the hands hidden").click()
    recorded(scorer, 2)
    say(scorer, "9s")
    recorded(scorer, 3)
    scorer.get_by_role("button", name="Score", exact=True).click()
    scorer.keyboard.press("Escape")
    assert scorer.locator("main script, main img, main b:not(.index b), dialog img, dialog script").count() == 0
    assert fits(scorer)
