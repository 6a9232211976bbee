"""Measures: one count divided by another, counted by hand and seat; and the measures common to all games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cardledger.rules.engine.definition import Definition, History, first

if TYPE_CHECKING:
    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.match import Match

Counts = dict[str, Sequence[int]]
"""The counts of a hand: for each name a whole number by seat."""
Kind = Literal["mean", "share", "rate", "count"]


@dataclass(frozen=True, slots=True)
class Measure(Definition):
    """A figure about a player: one count divided by another, both summed over hands or matches.

    `formula` gives it in words, `source` the rule or record behind it. `better` is "more", "fewer", or "" for neither;
    for points the game decides. `amount` and `of` name counts: those of the game, or `hands` (complete ones), `played`
    (those with recorded play, not just points), `points`, `violations`, `exposed`, by match `complete`, `won`, `place`,
    and by the worth of deals `fair` (points less luck, or points where the deal is not known), `luck`, `valued` (hands
    whose deal is known), or those of FIELD and OPEN_CARDS. `par`, the value expected by chance, is subtracted. The
    `kind` decides the interval: a mean, a share of cases, a rate of rare events, or a mean of counts that are never
    negative and often 0. The `history` has an entry for each edition; whatever changes a value makes a new one.
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
    least: float | None = None
    """The rules allow no value below this, before `par` is subtracted: no interval reaches further. A mean gives both
    ends, a mean of counts `most`, unless they follow from the points of a hand or the players of a match
    (`measures/limits.py`)."""
    most: float | None = None
    """The same for values above this."""
    history: History = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished hand with recorded play, for the counts of a game.

    `match` is the match (players, options, pack), `events` returns the events of the hand from its deal on, with
    corrections applied.
    """

    match: Match[Any]
    hand: Any
    events: Callable[[], Sequence[Event]]


MATCHES = frozenset({"complete", "won", "place"})
"""Counts by match; all others are counts by hand."""
LUCK = frozenset({"fair", "luck", "valued"})
"""Amounts that follow from the worth of deals, as far as it has been computed: they are laid over the counts of a hand."""
FIELD = frozenset({
    "field", "fielded", "field_declared", "fielded_declared", "field_defended", "fielded_defended",
})  # fmt: skip
"""Amounts of the comparison with the field: points less their mean at the other tables that played the same deal from
the same seat, in all hands or in those that the game counts as declared or defended.
"""
OPEN_CARDS = frozenset({
    "dd_declared", "dd_beyond", "dd_defended", "dd_beyond_defence", "dd_led", "dd_lead", "dd_cards", "dd_cost",
    "dd_slams", "dd_slams_bid",
})  # fmt: skip
"""Amounts of the double-dummy analysis, as far as it has been computed (`cardledger.study.stats.double_dummy`)."""
LAID = LUCK | FIELD | OPEN_CARDS
"""Amounts that no hand has by itself: they are laid over the counts of hands."""
COMMON = (
    Measure("points", "Points a hand", "points ÷ hands", "", "score sheet", "points", "hands", history=first("2026-11-23")),
    Measure("wins", "Matches won", "matches won, alone or not ÷ complete matches", "more", "end of the match", "won", "complete", kind="share", history=first("2026-11-23")),
    Measure("place", "Place in a match", "sum of places ÷ complete matches; equal players share the better place", "fewer", "end of the match", "place", "complete", history=first("2026-11-23")),
    Measure("violations", "Rules broken", "irregular events ÷ decisions at which a breakable rule forbade some card held; matches under `record` only", "fewer", "audit", "violations", "exposed", kind="rate", most=1, history=first("2026-11-23")),
    Measure("without-luck", "Points without luck", "points, less the luck of the deal where it is known ÷ hands", "", "worth of the deal", "fair", "hands", history=first("2026-11-23")),
    Measure("luck", "Luck of the deal", "points that the cards dealt are worth beyond the average ÷ hands whose deal is known", "", "worth of the deal", "luck", "valued", history=first("2026-11-23")),
)  # fmt: skip
"""The measures of all games."""
