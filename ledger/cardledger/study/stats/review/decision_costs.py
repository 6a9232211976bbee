"""What each kind of decision costs over the whole club: the reviews of all players, an evening as one observation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import StoreError
from cardledger.sentence import Sentence, choosing
from cardledger.study.stats.estimators import DECISIONS
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS, evenings_of
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.review.accuracy import scale_of
from cardledger.study.stats.review.habits import split
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query
    from cardledger.study.stats.review.habits import Decided


SPLITS: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = MappingProxyType(
    {"all": ("kind", ()), "opening-leads": ("led", (("choice", "opening lead"),))}
)
"""What can be asked: by which situation decisions are split, and in which situations."""


@dataclass(frozen=True, slots=True)
class KindCost:
    """What a kind of decision costs: points of the hand given up by decision, with the ends of the 95% interval.

    `a_hand` is the sum by hand of the table, over all seats. `bad` decisions were clear mistakes. `careful` is what a
    decision of any kind costs the careful bot, None where that was not measured. `match`, `hand` and `seq` name the
    costliest decision, None if no decision gave up anything. `low` and `high` are None with too few evenings.
    """

    kind: str
    decisions: int
    evenings: int
    cost: float
    low: float | None
    high: float | None
    a_hand: float
    bad: int
    careful: float | None
    match: str | None
    hand: int | None
    seq: int | None


def decision_costs(sheet: Sheet, account: Mapping[str, Any], query: Query, of: str = "all") -> StatsTable:
    """Return what the decisions of a game cost by kind, the costliest kind over all hands first.

    `account` is that of habits (`accountant.habits`). Hands pass the filters of `query`; only reviewed ones count.
    `of` is a key of `SPLITS`: all decisions by their kind, or opening leads by the card led.
    Raises StoreError `store.unknown` for an unknown `of`.
    """
    if of not in SPLITS:
        raise StoreError("store.unknown", choosing(Sentence("there is no {of!r} of decisions", of=of), of, SPLITS))
    tally = Tally(sheet, query)
    evening, counted = _counted(sheet, tally)
    rows = [
        one
        for of_player in account["decided"].values()
        for one in of_player
        if (one.match, one.hand, one.decision.seat) in counted
    ]
    notes = (
        "cost: points of the hand given up by decision, among cautious players; an evening is one observation",
        "careful: what a decision of any kind costs the careful bot of the reviews: a cost is never compared with 0",
        f"{account['pending']} hands of the game are still to be reviewed",
    )
    found = [shortened(asdict(one)) for one in costs_by_kind(rows, evening, _careful(sheet.game, rows), of)]
    columns = tuple(field.name for field in fields(KindCost))
    basis = replace(tally.basis(), valued=0)  # a cost holds no luck of the deal that could be taken off
    return StatsTable("decisions", columns, found, query.text, {sheet.game: basis}, notes, definitions=(DECISIONS,))


def costs_by_kind(
    rows: Sequence[Decided], evening: Mapping[str, int], careful: float | None = None, of: str = "all"
) -> list[KindCost]:
    """Return the costs of decisions by their kind; `evening` is the number of the evening of each match."""
    by, where = SPLITS[of]
    evenings: dict[str, set[int]] = defaultdict(set)
    for decided in rows:
        if by in decided.values and dict(where).items() <= decided.values.items():
            evenings[decided.values[by]].add(evening[decided.match])
    costs = []
    for one in split(rows, (by,), where, evening):
        (kind,), example = one["values"], next(iter(one["examples"]), None)
        number = len(evenings[kind])
        known = number >= FEWEST_EVENINGS
        match, hand, seq = (example[name] if example else None for name in ("match", "hand", "seq"))
        costs.append(
            KindCost(
                kind, one["decisions"], number, one["cost"], one["low"] if known else None,
                one["high"] if known else None, one["a_hand"], one["bad"], careful, match, hand, seq,
            )
        )  # fmt: skip
    return sorted(costs, key=lambda one: (-one.a_hand, one.kind))


def _counted(sheet: Sheet, tally: Tally) -> tuple[dict[str, int], set[tuple[str, int, int]]]:
    """Return the evening of each match, and match, number and seat of the hands that pass the filters."""
    names = np.array(sheet.text("match"), dtype=object)[sheet.matches["match"]]
    evening = dict(zip(names.tolist(), evenings_of(sheet).tolist(), strict=True))
    hands = np.flatnonzero(tally.hands)
    row = sheet.hands["row"][hands]
    of_match = names[sheet.seats["row"][row]].tolist()
    number, seat = sheet.hands["number"][hands].tolist(), sheet.seats["seat"][row].tolist()
    return evening, set(zip(of_match, number, seat, strict=True))


def _careful(game: str, rows: Sequence[Decided]) -> float | None:
    """Return what a decision costs the careful bot at the same tables; None if any of them was not measured."""
    seats, numbers = np.unique([one.seats for one in rows], return_counts=True)
    scales = [scale_of(game, int(each)) for each in seats]
    if not rows or None in scales:
        return None
    return float(np.average([scale.careful for scale in scales if scale is not None], weights=numbers))
