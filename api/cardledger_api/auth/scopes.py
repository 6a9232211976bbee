"""Scopes.

Where an invitation makes a reader a scorer, which is one match, one table of an evening, or one evening with its
matches.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.store.streams import is_lesson
from cardledger.rules.evenings.said import round_at_table
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

_TABLE = re.compile(r"(session-[0-9a-f-]{36})/([1-9][0-9]{0,3})")


class TablePlace(NamedTuple):
    """A table of an evening, in whichever round is played."""

    evening: str
    table: int

    @classmethod
    def of(cls, scope: str) -> TablePlace | None:
        """Return the table that a scope names, None for another scope.

        >>> TablePlace.of("session-0b54a1a2-0000-4000-8000-000000000001/3").table
        3
        """
        found = _TABLE.fullmatch(scope)
        return cls(found[1], int(found[2])) if found else None

    def __str__(self) -> str:
        """As a scope is stored."""
        return f"{self.evening}/{self.table}"

    def round(self, ledger: Ledger) -> int | None:
        """Return the round whose result the table enters itself, without a match, as in a drive; None for no table that does."""
        state = _session(ledger, self.evening)
        return None if state is None else round_at_table(state, self.table)

    def plays(self, ledger: Ledger) -> bool:
        """Tell whether the table has something to score now."""
        return self.match(ledger) is not None or self.round(ledger) is not None

    def match(self, ledger: Ledger) -> str | None:
        """Return the match that the table plays in the present round.

        None without one or once the evening is closed.
        """
        state = _session(ledger, self.evening)
        if state is None or state.status != "open":
            return None
        here = ((at, result.match) for at, (_, result) in state.results.items() if at[:2] == (state.round, self.table))
        return next((match for _, match in sorted(here, key=lambda one: one[0][2] or 0) if match), None)


class Scope:
    """The streams that an invitation covers.

    Its match, the present match of its table, its table where results are entered without matches (`session-…/3` is
    the stream that is asked for then), or its evening with all matches and tables.

    `stream in scope` looks at the evening as it is, so a round that is opened later is covered, and a match that was
    named by mistake no longer is. A scope of a form that is not known covers nothing.
    """

    def __init__(self, ledger: Ledger, id: str) -> None:
        self.id = id
        self._ledger = ledger

    def __contains__(self, stream: object) -> bool:
        """Tell whether an invited scorer may record to a stream, and see what is secret there."""
        if stream is None:
            return False
        if is_lesson(self.id):  # `lesson-…/vote` lets its class vote, and nothing else
            return stream == self.id
        if asked := TablePlace.of(str(stream)):
            return self.id in (stream, asked.evening) and asked.round(self._ledger) is not None
        if place := TablePlace.of(self.id):
            return stream == place.match(self._ledger)
        return stream == self.id or stream in self._matches()

    def _matches(self) -> set[str | None]:
        state = _session(self._ledger, self.id)
        return {result.match for _, result in state.results.values()} if state else set()


def _session(ledger: Ledger, id: str) -> SessionState | None:
    """Return an evening, None if it is none: a match has none."""
    try:
        state = ledger.evenings.stream(id).state
    except LedgerError:
        return None
    return state if isinstance(state, SessionState) else None
