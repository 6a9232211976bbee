"""The scorer's desk: a match as its scorer's page asks for it, on a server or in the browser itself.

Every answer is ready for JSON. Nothing here knows of a request, a store or a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from cardledger.errors import LedgerError
from cardledger.record.matches.results_only import Asked, points_that_follow, sides_of, typed_points
from cardledger.record.matches.table_state import place_asked, tried_after, tried_shown, whole_table
from cardledger.record.matches.two_records import as_told, two_records
from cardledger.rules.engine.hand_line import LineWords
from cardledger.rules.stream import Stream
from cardledger_web.languages import as_sentence, language, translated
from cardledger_web.views.hand_worth import hand_worth
from cardledger_web.views.scorecard import log_of, scored_table
from cardledger_web.views.two_records import drawn_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from cardledger.record.matches.own_boards import OwnBoards
    from cardledger.rules.engine import events as ev
    from cardledger.rules.engine.match import Match


class Desk:
    """A match with what its scorer's page needs to know beside its events.

    Args:
        match: the id of the match.
        stream: its events.
        names: the names of the players by seat.
        own: the boards that its table plays.
        templates: draws the table, the worth of a hand and the log.
        opening: the address of the form that amends the opening.
    """

    def __init__(
        self,
        match: str,
        stream: Stream,
        names: Sequence[str],
        own: OwnBoards,
        templates: Environment,
        opening: str,
    ) -> None:
        self.match = match
        self.stream = stream
        self.names = names
        self.own = own
        self._templates = templates
        self.opening = opening

    def table(self, at: int | None = None) -> dict[str, Any]:
        """Return the table now, or after an event, with its drawing; raises RuleError `table.range`."""
        seq = place_asked(at, self.stream.seq)
        table = self._before(seq).table
        return self._drawn(whole_table(self.match, self.stream, seq, table, self.own), table)

    def tried(self, events: Sequence[ev.Event], at: int | None = None) -> dict[str, Any]:
        """Return the table after events that are tried after event `at` and not recorded; raises LedgerError for a refusal."""
        seq = place_asked(at, self.stream.seq)
        tried = tried_after(self._before(seq), events, self.own)
        return self.said(self._drawn(tried_shown(self.match, tried, seq, events, self.own), tried.table))

    def compared(self, events: Sequence[ev.Event], at: int) -> dict[str, Any]:
        """Return what was recorded after event `at` beside the entries of a phone, with its drawing; raises like `two_records`."""
        found = two_records(self.stream, at, events)
        drawn = drawn_rows(found, self.stream, at, self.names)
        return as_told(found, self.stream.seq) | {"drawn": str(self._html("two_records.html", two=drawn))}

    def said(self, judged: dict[str, Any]) -> dict[str, Any]:
        """Return what was judged with its warnings in words."""
        warnings = [
            {"code": doubt.code, "hand": doubt.hand, "seq": doubt.seq, "detail": translated(doubt.why)}
            for doubt in judged["warnings"]
        ]
        return judged | {"warnings": warnings}

    def drawn(self) -> Markup:
        """Return the drawing of the table now."""
        return Markup(self.table()["drawn"])  # noqa: S704 - our own template

    def log(self, *, whole: bool, recorded: int | None = None) -> Markup:
        """Return the log: back to the deal of the hand before the last, or the whole.

        Events after number `recorded` wait to be recorded, and say so.
        """
        log = log_of(self.stream, self.stream.events, self.names, whole=whole)
        return self._html(
            "score_log.html", log=log, opening=self.opening, recorded=self.stream.seq if recorded is None else recorded
        )

    def worth(self) -> Markup:
        """Return what the last hand was worth."""
        return self._worth(self.stream.table)

    def line(self, text: str) -> dict[str, Any] | None:
        """Return what a line says of the next hand: keys of its deal, calls and tricks; or what is `wrong` with it.

        None in a game whose hands nobody writes on a line.
        """
        line = self.stream.table.game.sheet.line
        if line is None:
            return None
        try:
            found = line.read(text, LineWords(self.names, language()))
        except LedgerError as error:
            return {"wrong": as_sentence(translated(error.message))}
        return {"deal": dict(found.deal), "calls": found.calls, "tricks": found.tricks}

    def follows(self, typed: Sequence[str]) -> list[int | None]:
        """Return the points by side, with the one that is left out if it follows from the others."""
        table = self.stream.table
        numbers = [typed_points(text) for text in typed]
        asked = [Asked("points", tuple(side)) for side in sides_of(table)]
        given = dict(zip(asked, numbers, strict=False))
        found = points_that_follow(table, given) if len(numbers) == len(asked) else None
        return [*(given | dict([found] if found else [])).values()]

    def _before(self, seq: int) -> Stream:
        """Return the match after an event."""
        return self.stream if seq == self.stream.seq else Stream.of(self.stream.events[:seq])

    def _drawn(self, state: dict[str, Any], table: Match[Any]) -> dict[str, Any]:
        card_table = self._templates.get_template("card_table.html").make_module().card_table  # type: ignore[attr-defined]
        drawn = str(card_table(scored_table(state, table, self.names)))
        return state | {"drawn": drawn, "worth": str(self._worth(table))}

    def _worth(self, table: Match[Any]) -> Markup:
        return self._html("hand_worth.html", worth=hand_worth(table, self.names))

    def _html(self, template: str, **values: Any) -> Markup:
        return Markup(self._templates.get_template(template).render(values))  # noqa: S704 - our own template
