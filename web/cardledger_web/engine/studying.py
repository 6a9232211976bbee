"""What runs in the browser of somebody who studies a match in a file: what a seat can know, other moves, its receipt.

There is no network, no store and no Flask here. The match is that of the file, with what every reader may see.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.matches.own_boards import OwnBoards
from cardledger.record.matches.replayed import replayed
from cardledger.record.matches.seat_view import seat_of
from cardledger.record.matches.table_state import place_asked, tried_after
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.rules.knowledge import knowledge
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence
from cardledger_web.engine.answering import Answering, OfPage, recorded, templates
from cardledger_web.engine.checking import checked
from cardledger_web.engine.kept_quiz import KeptQuiz
from cardledger_web.languages import spoken_by
from cardledger_web.views.known import KnownView
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.stepped_hand import SteppedHand
from cardledger_web.views.taken_quiz import TakenQuiz
from cardledger_web.views.tried_position import TriedPosition
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine import events as ev


class Studying(Answering):
    """The engine of one file."""

    def __init__(self) -> None:
        super().__init__(
            {
                "open": self._open,
                "known": self._known,
                "tried": self._tried,
                "positions": self._positions,
                "ahead": self._ahead,
                "quiz": self._quiz,
                "checked": self._checked,
            }
        )

    def _open(
        self,
        match: str,
        lines: str,
        names: list[str],
        language: str,
        receipt: str | None = None,
        quizzes: Mapping[str, Any] | None = None,
    ) -> int:
        """Open the match of a match file, with its receipt and its quizzes by hand."""
        self._quizzes = quizzes or {}
        self._match, self._names, self._lines, self._receipt = match, names, lines, receipt
        self._events = recorded([json.loads(line) for line in lines.splitlines()])
        self._stream = Stream.of(self._events)
        spoken_by(OfPage(language, dict(zip(self._stream.table.players, names, strict=True))))
        return self._stream.seq

    def _known(self, seat: str, at: int) -> str:
        """Return what a seat can know after an event, as a part of a page."""
        at = place_asked(at, self._stream.seq)
        table = self._stream.table
        place = seat_of(seat, table)
        if place is None or place < 0:
            raise StoreError("store.unknown", Sentence("the match has no seat {seat}", seat=seat))
        view = KnownView(table, knowledge(self._stream, place, at), self._names)
        part: Any = templates().get_template("known_part.html").make_module()
        return str(part.known(view, lambda seq: f"#/matches/{self._match}/replay/{seq}"))

    def _tried(self, seq: int, line: str, view: str) -> dict[str, Any]:
        """Return the position after moves from an event, in a view."""
        place = TriedLines(self._stream, self._events).place(seq)

        def within(moves: Sequence[ev.Event]) -> Stream:
            return tried_after(Stream.of(self._events[: place.base]), moves, OwnBoards())

        position = TriedPosition(self._match, self._events, self._names, templates())
        return position.after(place, seq, line, seat_of(view, self._stream.table), within)

    def _positions(self, hand: int, view: str, until: int, after: int | None = None, on: str = "") -> dict[str, Any]:
        """Return a hand in a view up to an event, as its page begins; or what has come since `after`, as far as a way leads."""
        stepped = self._stepped(hand, view)
        if after is None:
            return stepped.begun(place_asked(until, self._stream.seq))
        ahead = stepped.ahead(after, on)
        return {"seq": after} if ahead == after else stepped.positions(ahead, after)

    def _ahead(self, seq: int, view: str, way: str) -> dict[str, int]:
        """Return the event to which a way leads from another."""
        hand = hand_at(self._stream.table, place_asked(seq, self._stream.seq))
        return {"seq": self._stepped(hand, view).ahead(seq, way)}

    def _stepped(self, hand: int, view: str) -> SteppedHand:
        """Return a hand as one view of it has it: nothing of other hands is in the answers, nor of what came later."""

        def until(seq: int | None) -> ReplayView:
            events = self._events[:seq]
            stream = self._stream if seq is None else Stream.of(events)
            replay = replayed(self._match, stream, events, hand, self._names, view=view, words=event_as_shown)
            return ReplayView(replay, replay["first"], stream.table, may_see_all=True)

        def parts(shown: ReplayView) -> Any:
            beside = {"replay": shown.replay, "game": shown.table.game, "asked": view}
            return templates().get_template("position.html", globals=_IN_FILE).make_module(beside)

        return SteppedHand(until, parts, templates())

    def _quiz(self, hand: int, seat: int, stops: str, choices: list[str], see: bool) -> str:
        """Return the quiz of a seat after some choices, as a part of a page."""
        if str(hand) not in self._quizzes:
            raise StoreError("quiz.hand", Sentence("the file has no quiz of hand {hand}", hand=hand))
        quiz = KeptQuiz(self._stream, self._quizzes[str(hand)])
        asked = quiz.questions(seat, stops)
        taken = TakenQuiz(self._match, hand, self._names, asked, quiz.position, quiz.weigh)
        beside = {
            "row": {"match": self._match},
            "seat": seat,
            "stops": stops,
            "url_for": _address,
            "in_file": lambda: True,
        }
        return templates().get_template("quiz_part.html").render(taken.shown(choices, see=see) | beside)

    def _checked(self, keys: list[str]) -> dict[str, Any]:
        """Check the receipt against the match, as `checked` does, which says what `keys` are."""
        if self._receipt is None:
            raise StoreError("store.unknown", Sentence("there is no receipt of this match here"))
        return checked(self._receipt, keys, self._lines)


def _address(page: str, **of: Any) -> str:
    """Return where a page lies in the file."""
    if page == "pages.rulebook":
        return f"#/games/{of['id']}"
    if page == "pages.hand":
        return f"#/matches/{of['match']}/hands/{of['number']}"
    if page == "pages.quiz":
        return f"#/matches/{of['match']}/hands/{of['hand']}/quiz"
    view = f"?view={of['view']}" if "view" in of else ""
    return f"#/matches/{of['match']}/replay/{of['seq']}{view}"


_IN_FILE = {"url_for": _address, "in_file": lambda: True}
"""What pages ask of a server, as the file answers it."""
