"""Differences: in which measures a player is apart from the others beyond chance, all measures looked at considered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.measures import MATCHES
from ledger.stats.compare import FALSE_DISCOVERIES, MIN_MATCHES, benjamini_hochberg
from ledger.stats.student import beyond
from ledger.stats.tables import measures_of
from ledger.stats.tally import Tally, cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ledger.measures import Measure
    from ledger.stats.query import Query
    from ledger.stats.sheet import Sheet
    from ledger.stats.tally import Cells

Key = tuple[str, Any]
"""A measure by its id, and a value of the dimension that numbers are split by (None without)."""


def verdicts(sheet: Sheet, query: Query, player: str) -> dict[Key, str]:
    """Return "better" or "worse" for every measure and group in which a player differs from the others beyond chance.

    Where neither more nor fewer is better it is "more" or "fewer". The p-values of all measures and groups are corrected
    together (Benjamini and Hochberg), so that of those named a twenty-fifth at most is so by chance.
    """
    found = [*_chances(sheet, query, player)]
    corrected = benjamini_hochberg([chance for *_, chance in found])
    return {
        (measure.id, group): _verdict(measure, above)
        for (measure, group, above, _), q in zip(found, corrected, strict=True)
        if q <= FALSE_DISCOVERIES
    }


def _verdict(measure: Measure, above: bool) -> str:
    if not measure.better:
        return "more" if above else "fewer"
    return "better" if above == (measure.better == "more") else "worse"


def _chances(sheet: Sheet, query: Query, player: str) -> Iterator[tuple[Measure, Any, bool, float]]:
    """Yield measure, group, whether the player has more than the others, and the chance of as large a difference."""
    tally = Tally(sheet, query)
    split = cells(tally, query.by)
    rows = tally.rows[split.at]
    own = sheet.seats["player"][rows] == sheet.texts["player"].get(player, -2)
    match = sheet.seats["row"][rows]
    for measure in measures_of(sheet.game):
        if not (query.by_hand and {measure.amount, measure.of} & MATCHES):
            yield from _of_measure(measure, split, own, match)


def _of_measure(
    measure: Measure, split: Cells, own: NDArray[Any], match: NDArray[Any]
) -> Iterator[tuple[Measure, Any, bool, float]]:
    """The two ratios are linearised and their error comes from how matches differ: what one wins another may lose."""
    amount, of, groups = split.of(measure.amount), split.of(measure.of), len(split.labels)
    ratio, cases, parts = [], [], np.zeros(len(amount))
    for side in (own, ~own):
        total, some = (np.bincount(split.group[side], values[side], groups) for values in (amount, of))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = total / some
            parts[side] = ((amount - np.nan_to_num(mean)[split.group] * of) / some[split.group])[side]
        ratio.append(mean)
        cases.append(some)
    parts[~own] *= -1
    _, place = np.unique(match * groups + split.group, return_inverse=True)
    sums = np.bincount(place, np.nan_to_num(parts))
    where = np.zeros(len(sums), dtype=np.int64)
    where[place] = split.group
    squares = np.bincount(where, sums**2, groups)
    matches = np.bincount(split.group[own & (of > 0)], minlength=groups)
    for group in np.flatnonzero((matches >= MIN_MATCHES) & (cases[1] > 0)):
        n = int(matches[group])
        variance = float(squares[group]) * n / (n - 1)
        if measure.kind != "mean":
            # Few cases may be all alike and show no error: it is at least that of as many independent ones.
            mine, others = float(cases[0][group]), float(cases[1][group])
            rate = (float(ratio[0][group]) * mine + float(ratio[1][group]) * others) / (mine + others)
            alone = rate * (1 - rate) if measure.kind == "share" else rate
            variance = max(variance, alone * (1 / mine + 1 / others))
        difference = float(ratio[0][group] - ratio[1][group])
        if variance > 0:
            yield measure, split.labels[group], difference > 0, beyond(difference / variance**0.5, n - 1)
