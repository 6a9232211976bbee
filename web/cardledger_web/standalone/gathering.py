"""The pages of a match, gathered as every reader sees them: what its own page leads to, and what their scripts ask for."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape, unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from flask import abort
from werkzeug.exceptions import HTTPException

from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.proofs import ProofError
from cardledger.record.recording.secrecy import Secrets
from cardledger_api.auth.visible import expect_open, see_as_reader
from cardledger_api.current import current_ledger
from cardledger_web.in_file import make_for_file
from cardledger_web.standalone.quizzes import Quizzes
from cardledger_web.standalone.reading import PageReader
from cardledger_web.views.audit import page_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from flask import Flask

    from cardledger.rules.stream import Stream
    from cardledger.sentence import Sentence

TAKEN = frozenset(
    {"pages.match", "pages.hand", "pages.replay", "pages.audit", "pages.rulebook", "pages.receipt_page", "pages.quiz"}
)
"""The pages that a file takes along; links to any other lead nowhere."""
_HOST = "http://{kind}.invalid"
_LINK = re.compile(r' href="([^"]*)"')
_ASKED = {"pages.audit": {"at", "show", "after"}}
"""Parts of an address that make another page of it; a link with any other leads nowhere."""


@dataclass(frozen=True, slots=True)
class CarriedPage:
    """A page in a file."""

    title: str
    main: str
    styles: list[str]


@dataclass(frozen=True, slots=True)
class CarriedHand:
    """A hand with its first and last event, and the address of the page that replays it."""

    first: int
    last: int
    page: str


@dataclass(slots=True)
class Gathered:
    """Pages by address, the first is that of the match; answers to scripts, by address; hands that can be replayed."""

    pages: dict[str, CarriedPage] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    hands: list[CarriedHand] = field(default_factory=list)


@contextmanager
def as_any_reader(
    app: Flask, address: str, language: str, *, with_engine: bool = False, quizzes: Collection[int] = ()
) -> Iterator[None]:
    """Make what follows as an answer for a reader whom nobody knows, for a file."""
    # The address is no server's: what is kept of its answers (pages/kept.py) is for files alone.
    host = _HOST.format(kind="engine" if with_engine else "file")
    with app.app_context(), app.test_request_context(address, base_url=host, headers={"Accept-Language": language}):
        see_as_reader()
        make_for_file(with_engine=with_engine, quizzes=quizzes)
        yield


class Gathering:
    """Gathers the pages of one match.

    `opening` is what the engine opens (`cardledger_web.engine.studying`): the match as readers get its events, with the
    names of its players. None for a file without the engine: if none is wanted, or a card may not be seen yet. Then
    there is no quiz either; the file has a receipt only `with_receipt`. For the costs of quizzes `quiz_cards` are played
    at most, and `told` says what was left out.
    """

    def __init__(
        self,
        app: Flask,
        match: str,
        language: str,
        *,
        with_engine: bool = False,
        quiz_cards: int | None = None,
        with_receipt: bool = True,
    ) -> None:
        self.told: Sentence | None = None
        self._quizzes: frozenset[int] = frozenset()
        self._app, self._match, self._language = app, match, language
        self.opening: dict[str, Any] | None = None
        with as_any_reader(app, "/", language):
            ledger = current_ledger()
            expect_open(ledger, match)
            stream = ledger.stream(match)
            self._game = stream.table.game.id
            self._hands = _shown_hands(stream, Secrets.of(ledger, match, stream), match)
            self._stream = stream
            people = ledger.people()
            names = [people.name(player) for player in people.seated(match, stream.table.players)]
        # The match file that every reader gets ends before what is withheld.
        if with_engine and (lines := self._answer(f"/matches/{match}.jsonl")).count("\n") == stream.seq:
            self.opening = {"match": match, "lines": lines, "names": names, "language": language}
            self.opening["receipt"] = self._receipt() if with_receipt else None
            with as_any_reader(app, "/", language):
                quizzes = Quizzes(current_ledger(), match, names, quiz_cards)
                quizzes.find_out(self._hands)
            self._quizzes, self.told = frozenset(quizzes.by_hand), quizzes.said()
            self.opening["quizzes"] = quizzes.by_hand

    def _receipt(self) -> str | None:
        """Return the file of the receipt; None if the ledger has none to give, as its record was changed."""
        try:
            return self._answer(f"/matches/{self._match}/receipt.json")
        except (ProofError, HTTPException):
            return None

    def gather(self) -> Gathered:
        """Return all pages that the page of the match leads to; raises LedgerError, HTTPException if it is not to be seen."""
        found = Gathered(hands=[*self._hands.values()])
        waiting = [f"/matches/{self._match}", *(hand.page for hand in found.hands)]
        while waiting:
            address = waiting.pop(0)
            if address in found.pages:
                continue
            leads: list[str] = []
            reader = PageReader(lambda href, at=address, to=leads: self._within(at, href, to))  # type: ignore[misc]
            reader.feed(self._answer(address))
            found.pages[address] = CarriedPage(unescape(reader.title), reader.main, reader.styles)
            if reader.positions:
                found.answers[reader.positions] = self._positions(address, reader.positions, leads)
            waiting += leads
        return found

    def _answer(self, address: str) -> str:
        with_engine = self.opening is not None
        with as_any_reader(self._app, address, self._language, with_engine=with_engine, quizzes=self._quizzes):
            answer = self._app.make_response(self._app.dispatch_request())
            if answer.status_code != HTTPStatus.OK:
                abort(answer.status_code)
            return answer.get_data(as_text=True)

    def _positions(self, at: str, address: str, leads: list[str]) -> str:
        """Return the positions of a hand, with links that lead within the file, or nowhere."""

        def led(found: re.Match[str]) -> str:
            leads_to = self._within(at, unescape(found[1]), leads)
            return f' href="{escape(leads_to)}"' if leads_to else ""

        told = json.loads(self._answer(address))
        told["pieces"] = [_LINK.sub(led, piece) for piece in told["pieces"]]
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    def _within(self, at: str, href: str, leads: list[str]) -> str | None:
        """Return where a link leads in the file, and note the page; None if that is not in it."""
        url = urlsplit(urljoin(at, href))
        place = f"#{url.fragment}" if url.fragment else ""
        if href.startswith("#"):
            return href
        page = None if url.scheme or url.netloc else self._page(url.path, dict(parse_qsl(url.query)))
        if page is None:
            return None
        leads.append(page)
        if "/replay/" in url.path:
            return f"#{url.path}"
        return place if page == at and place else f"#{page}{place}"

    def _page(self, path: str, asked: dict[str, str]) -> str | None:
        """Return the address of the page that shows what a link leads to."""
        try:
            endpoint, values = self._app.url_map.bind("localhost").match(path)
        except HTTPException:
            return None
        ours = values.get("match") == self._match or (endpoint == "pages.rulebook" and values.get("id") == self._game)
        if endpoint == "pages.receipt_page" and not (self.opening and self.opening["receipt"]):
            return None
        if endpoint == "pages.quiz" and values["hand"] not in self._quizzes:
            return None
        if endpoint not in TAKEN or not ours or asked.keys() - _ASKED.get(endpoint, set()):
            return None
        if endpoint == "pages.replay":
            hand = (
                self._hands.get(hand_at(self._stream.table, values["seq"]))
                if values["seq"] <= self._stream.seq
                else None
            )
            return hand.page if hand else None
        if "at" in asked:
            # Each event of a page has an address of its own.
            at = int(asked["at"]) if asked["at"].isdecimal() else 1
            start = page_of(self._stream.events, min(at, self._stream.seq))[0]
            return f"{path}?at={start}" if start > 1 else path
        return f"{path}?{urlencode(asked)}" if asked else path


def _shown_hands(stream: Stream, secrets: Secrets, match: str) -> dict[int, CarriedHand]:
    """Return the hands that are over and may be seen, by number."""
    hands = stream.table.hands
    shown: dict[int, CarriedHand] = {}
    for number, hand in enumerate(hands, 1):
        if hand.scores is None or secrets.holds(number) or secrets.covers(hand.first):
            continue
        last = hands[number].first - 1 if number < len(hands) else stream.seq
        first = hand.first if number > 1 else 1
        shown[number] = CarriedHand(first, last, f"/matches/{match}/replay/{hand.first}")
    return shown
