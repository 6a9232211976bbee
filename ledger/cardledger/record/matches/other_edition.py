"""A match under another edition of its rulebook: the same events, and the first difference. Nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.games import start
from cardledger.rules.stream import Stream


@dataclass(frozen=True, slots=True)
class EditionComparison:
    """A match under its own and another edition.

    `stream` is the match under the other edition, up to the first event it refuses. `differs` is the number of the
    first event after which the two differ, None if they never do; `refused` is the other edition's error at that
    event.
    """

    rules: str
    stream: Stream
    differs: int | None
    refused: LedgerError | None

    @property
    def words(self) -> str:
        """The comparison in a sentence."""
        if self.differs is None:
            return f"Under {self.rules} every ruling and result is the same."
        if self.refused is not None:
            return f"Under {self.rules} the match stops before event {self.differs}: {self.refused.message}"
        return f"Under {self.rules} the match first differs at event {self.differs}."


def under(events: Sequence[ev.Event], rules: str) -> EditionComparison:
    """Fold a match under another edition (`ruff/2`) beside its own.

    Raises FormatError `format.value` for an edition its game does not have, and any error of folding the match itself.
    """
    own = Stream(events[0])
    other = Stream(events[0], begin=partial(start, rules=rules))
    differs: int | None = None
    for seq, event in enumerate(events[1:], 2):
        own.append(event)
        try:
            other.append(event)
        except LedgerError as error:
            return EditionComparison(rules, other, differs or seq, None if differs else error)
        if differs is None and _ruled(own.table) != _ruled(other.table):
            differs = seq
    return EditionComparison(rules, other, differs, None)


def _ruled(match: Match[Any]) -> tuple[Any, ...]:
    """Return the rulings so far: the latest trick and points, the turn, and violations."""
    hand = match.hand
    return (
        match.status, match.totals, match.winners, match.violations, hand.moment, hand.turn, hand.scores, hand.tricks[-1:],
        hand.taken,
    )  # fmt: skip
