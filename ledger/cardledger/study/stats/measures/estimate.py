"""Estimates: a measure by group, with an interval that allows for the hands of one evening not being independent."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import garwood, quantile, wilson
from cardledger.study.stats.measures.tally import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.measures.tally import Cells


LEAST = 1e-3
"""The least dispersion of counts: counts more even than chance are due to chance as well."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure of one group: its value, its 95% interval, and the number of cases and matches behind it.

    Without cases the value is None; with one evening, or with evenings that are all alike, the interval is None.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int
    matches: int


_COUNTED = frozenset({"count", "rate"})
_FIELD = 8
"""The weight, in evenings, of the field's dispersion when estimating that of one player's counts."""
_LEANING = 4
"""The same for the variance of other measures (Smyth 2004)."""


def estimates(
    measure: Measure, cells: Cells, group: NDArray[Any], groups: int, usual: NDArray[Any] | None = None,
    *, whole: bool = False,
) -> list[Estimate]:  # fmt: skip
    """Return a measure for each group of cells; `group[cell]` is the group of a cell, below `groups`.

    What one player did in one evening is independent of what others did, the cases within it are not; so the error of
    the ratio comes from how it varies between evenings (linearised, with Student's t for their number). `usual` is the
    dispersion of the field by group, towards which that of counts and rates is shrunk; without it the groups are the
    field. With `whole` an evening is one observation, no matter who played: for measures of all players together.
    """
    seen = observed(measure, cells, group, groups, whole=whole)

    def total(values: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(seen.group, values, groups)

    cases, evenings = total(seen.of), np.bincount(seen.group[seen.of > 0], minlength=groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = total(seen.amount) / cases
        spread = total((seen.amount - np.nan_to_num(ratio)[seen.group] * seen.of) ** 2)
        error = np.sqrt(spread * evenings / (evenings - 1)) / cases
    own = _dispersions(measure, seen, groups)
    leaning = 0 if usual is None or measure.kind in _COUNTED else _LEANING
    usual = own if usual is None else usual
    # Events that never happened, or a single evening, say nothing about clustering.
    if measure.kind in _COUNTED:
        own = np.where((np.nan_to_num(ratio) > 0) & (evenings > 1), own, usual)
        dispersion = (evenings * own + _FIELD * usual) / (evenings + _FIELD)
    else:
        # A few evenings say little about how much a player's results vary: the field says more.
        dispersion = usual
        known = np.maximum(evenings - 1, 0)
        variance = known * np.nan_to_num(error, posinf=0.0) ** 2 + leaning * usual / np.maximum(cases, 1)
        error = np.where(error > 0, np.sqrt(variance / np.maximum(known + leaning, 1)), error)
    return [
        _estimate(
            measure, float(ratio[i]), float(error[i]), float(dispersion[i]), int(cases[i]), int(seen.matches[i]),
            int(evenings[i]), leaning,
        )
        for i in range(groups)
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Observed:
    """A measure by group and observation: what one player did in one evening. `matches` is their number by group."""

    amount: NDArray[Any]
    of: NDArray[Any]
    group: NDArray[Any]
    matches: NDArray[Any]


def observed(measure: Measure, cells: Cells, group: NDArray[Any], groups: int, *, whole: bool = False) -> Observed:
    """Return the observations of a measure; `group[cell]` is the group of a cell."""
    amount, of = cells.of(measure.amount), cells.of(measure.of)
    matches = np.bincount(group[of > 0], minlength=groups)
    evenings = cells.tables if whole else cells.evenings
    if evenings is None:
        return Observed(amount, of, group, matches)
    keys, number = numbered(evenings * groups + group)
    return Observed(np.bincount(number, amount), np.bincount(number, of), keys % groups, matches)


def dispersions(measure: Measure, cells: Cells, group: NDArray[Any], groups: int) -> NDArray[Any]:
    """Return how much a measure varies between evenings, by group.

    For counts and rates that is their variance over that of a Poisson distribution, else the variance of a case.
    """
    return _dispersions(measure, observed(measure, cells, group, groups), groups)


def _dispersions(measure: Measure, seen: Observed, groups: int) -> NDArray[Any]:
    counted = seen.of > 0
    amount, of, group = seen.amount[counted], seen.of[counted], seen.group[counted]
    evenings = np.bincount(group, minlength=groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.bincount(group, amount, groups) / np.bincount(group, of, groups)
        expected = ratio[group] * of
        if measure.kind not in _COUNTED:
            squares = np.bincount(group, np.nan_to_num((amount - expected) ** 2 / of), groups)
            return np.nan_to_num(squares / (evenings - 1), posinf=0.0)
        dispersion = np.bincount(group, np.nan_to_num((amount - expected) ** 2 / expected), groups) / (evenings - 1)
    return np.where((np.nan_to_num(ratio) > 0) & (evenings > 1), dispersion, 1.0)


def _estimate(
    measure: Measure, ratio: float, error: float, dispersion: float, cases: int, matches: int, evenings: int,
    leaning: int,
) -> Estimate:  # fmt: skip
    if not cases:
        return Estimate(None, None, None, 0, 0)
    value = ratio - measure.par
    if measure.kind == "rate":
        # Clustered events count as fewer, never as more.
        worth = max(dispersion, 1.0)
        low, high = garwood(ratio * cases / worth)
        return Estimate(value, low * worth / cases, high * worth / cases, cases, matches)
    if evenings < 2:
        return Estimate(value, None, None, cases, matches)
    if measure.kind == "count":
        half = quantile(evenings + _FIELD - 1) ** 2 * max(dispersion, LEAST) / cases / 2
        width = sqrt(2 * ratio * half + half * half)
        return Estimate(
            value, max(ratio + half - width, 0.0) - measure.par, ratio + half + width - measure.par, cases, matches
        )
    t = quantile(evenings - 1 + leaning)
    if measure.kind == "share":
        # The number of independent cases that would give the same error; all cases if there is no error.
        alike = ratio * (1 - ratio) / error**2 if error > 0 else cases
        low, high = wilson(ratio, min(max(alike, sqrt(cases)), cases), t)
        return Estimate(value, low, high, cases, matches)
    if error == 0:
        return Estimate(value, None, None, cases, matches)  # all alike: nothing shows how much they can vary
    least = -inf if measure.least is None else measure.least - measure.par
    return Estimate(value, max(value - t * error, least), value + t * error, cases, matches)
