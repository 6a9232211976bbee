"""Estimates: a measure group by group, with an interval that knows that hands of one match belong together."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.stats.student import poisson, quantile, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ledger.measures import Measure
    from ledger.stats.tally import Cells


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure of one group: its value, the ends of its 95% interval, and how many cases in how many matches it rests on.

    Without cases there is no value, and from one match, or from matches all alike, no interval: None stands for both.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int
    matches: int


def estimates(measure: Measure, cells: Cells, group: NDArray[Any], groups: int) -> list[Estimate]:
    """Return a measure for each group of cells, `group[cell]` being one of so many `groups`.

    A cell is what one player did in one match, so cells are independent and the cases in them are not: the error of
    the ratio comes from how it differs from cell to cell (linearised, with Student's t for as many matches).
    """
    amount, of = cells.of(measure.amount), cells.of(measure.of)

    def total(values: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(group, values, groups)

    cases, matches = total(of), np.bincount(group[of > 0], minlength=groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = total(amount) / cases
        spread = total((amount - np.nan_to_num(ratio)[group] * of) ** 2)
        error = np.sqrt(spread * matches / (matches - 1)) / cases
    return [_estimate(measure, float(ratio[i]), float(error[i]), int(cases[i]), int(matches[i])) for i in range(groups)]


def _estimate(measure: Measure, ratio: float, error: float, cases: int, matches: int) -> Estimate:
    if not cases:
        return Estimate(None, None, None, 0, 0)
    value = ratio - measure.par
    if measure.kind == "rate":
        low, high = poisson(ratio * cases)
        return Estimate(value, low / cases, high / cases, cases, matches)
    if matches < 2:
        return Estimate(value, None, None, cases, matches)
    t = quantile(matches - 1)
    if measure.kind == "share":
        # As many independent cases as would give the same error; where there is no error to see, as many as there are.
        alike = ratio * (1 - ratio) / error**2 if error > 0 else cases
        low, high = wilson(ratio, min(max(alike, sqrt(cases)), cases), t)
        return Estimate(value, low, high, cases, matches)
    if error == 0:
        return Estimate(value, None, None, cases, matches)  # all alike: they do not tell how they may differ
    return Estimate(value, value - t * error, value + t * error, cases, matches)
