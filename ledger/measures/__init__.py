"""What a measure is: one count over another, kept hand by hand and seat by seat; and the measures of every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ledger.events import Event
    from ledger.hand import Hand
    from ledger.table import Table

Counts = dict[str, Sequence[int]]
"""What was counted in a hand: for each name a whole number by seat."""
Kind = Literal["mean", "share", "rate"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that tells something of a player: a count over another, both summed over hands or matches.

    `formula` says so in words, `source` is the rule it rests on, or the record. `better` is "more", "fewer", or ""
    where neither is; that of the points is the game's. `amount` and `of` name counts: those of the game, or `hands`
    (complete ones), `played` (those of them whose course is recorded, not just the points), `points`, `violations`,
    `exposed`, and by match `complete`, `won`, `place`. `par`, what chance alone would give, is taken off. The `kind`
    decides the interval: a mean, a share of cases, or a rate of rare events.
    """

    id: str
    title: str
    formula: str
    better: Literal["more", "fewer", ""]
    source: str
    amount: str
    of: str = "played"
    par: float = 0
    kind: Kind = "mean"


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is over and whose course is recorded, as the counts of a game see it.

    `table` is the match as it stands (players, options, pack), `events` returns what happened in the hand, from
    its deal on, corrections applied.
    """

    table: Table
    hand: Hand
    events: Callable[[], Sequence[Event]]


MATCHES = frozenset({"complete", "won", "place"})
"""Counts by match; all others are counts by hand."""
COMMON = (
    Measure("points", "Points a hand", "points ÷ hands", "", "score sheet", "points", "hands"),
    Measure("wins", "Matches won", "matches won, alone or not ÷ complete matches", "more", "end of the match", "won", "complete", kind="share"),
    Measure("place", "Place in a match", "sum of places, equals sharing the better one ÷ complete matches", "fewer", "end of the match", "place", "complete"),
    Measure("violations", "Rules broken", "irregular events ÷ decisions at which a breakable rule forbade some card held; matches under `record` only", "fewer", "audit", "violations", "exposed", kind="rate"),
)  # fmt: skip
"""The measures of all games."""
