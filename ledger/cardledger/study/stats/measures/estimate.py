"""Estimates: a measure by group, with an interval that allows for the hands of one evening not being independent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardledger.study.stats.distributions import garwood, quantile, wilson
from cardledger.study.stats.measures.leaning import Field, field_of
from cardledger.study.stats.measures.limits import limits
from cardledger.study.stats.measures.tally import grouped, numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.measures.tally import Cells


NORMAL = quantile(1_000_000)
"""The quantile of the normal distribution for 95%."""
LEAST = 1e-3
"""The least dispersion of counts: counts more even than chance are due to chance as well."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure of one group: its value, its 95% interval, and the number of cases and matches behind it.

    Without cases the value is None; with one evening, or with evenings that are all alike, the interval is None. The
    interval holds the value, and reaches no further than rules allow.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int
    matches: int

    def within(self, least: float, most: float) -> Estimate:
        """Return the estimate with its interval cut off at what rules allow; a result beyond that was recorded so."""
        if self.value is None or self.low is None or self.high is None:
            return self
        low, high = min(max(self.low, least), self.value), max(min(self.high, most), self.value)
        return replace(self, low=low, high=high)


_COUNTED = frozenset({"count", "rate"})
_FIELD = 8
"""The weight, in evenings, of the field's dispersion when estimating that of one player's counts."""
_LEANING = 4
"""The same for the variance of other measures (Smyth 2004)."""


_MOST_PEERS = 400
"""So many players, evenly spaced, say how the players of a field differ."""


def estimates(
    measure: Measure, cells: Cells, group: NDArray[Any], groups: int, usual: NDArray[Any] | None = None,
    *, whole: bool = False, fields: Sequence[Field | None] = (),
) -> list[Estimate]:  # fmt: skip
    """Return a measure for each group of cells; `group[cell]` is the group of a cell, below `groups`.

    What one player did in one evening is independent of what others did, the cases within it are not; so the error of
    the ratio comes from how it varies between evenings (linearised, with Student's t for their number). `usual` is the
    dispersion of the field by group, towards which that of counts and rates is shrunk; without it the groups are the
    field. With `whole` an evening is one observation, no matter who played: for measures of all players together.
    `fields` are the fields of the groups (`fields_of`), on which the intervals of means lean.
    """
    seen = observed(measure, cells, group, groups, whole=whole)
    if usual is not None and fields:
        usual = np.array([own if one is None else one.within for own, one in zip(usual, fields, strict=True)])
    found = _ratios(measure, seen, groups, usual, sure=bool(fields))
    least, most = limits(measure, cells, group, groups)
    centre, spread = found.ratio.copy(), found.error.copy()
    if measure.kind == "mean":
        of: dict[int, list[int]] = {}
        for at, field in enumerate(fields):
            if field is not None and found.evenings[at] > 1:
                of.setdefault(id(field), []).append(at)
        for own in of.values():
            field = fields[own[0]]
            assert field is not None
            centre[own], spread[own] = field.lean(found.ratio[own], found.error[own])
    return [
        _estimate(
            measure, float(found.ratio[i]), (float(centre[i]), float(spread[i]), float(found.error[i])),
            float(found.dispersion[i]), int(found.cases[i]), int(seen.matches[i]), int(found.evenings[i]), found.leaning,
        ).within(float(least[i]), float(most[i]))
        for i in range(groups)
    ]  # fmt: skip


def fields_of(measure: Measure, cells: Cells, player: NDArray[Any], labels: int) -> list[Field | None]:
    """Return by label how players differ in a measure, for `estimates`; only means have a field.

    `player` is the code of the player of each cell.
    """
    if measure.kind != "mean":
        return [None] * labels
    some, chosen, group = cells.once("peers", (player, labels), lambda: _peers(cells, player, labels))
    groups = len(some) * labels
    label = np.arange(groups) % labels if labels else np.zeros(0, dtype=int)
    seen = observed(measure, cells, group, groups, only=chosen)
    freedom = np.maximum(np.bincount(seen.group[seen.of > 0], minlength=groups) - 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.bincount(label, _dispersions(measure, seen, groups) * freedom, labels)
        within = np.nan_to_num(squares / np.bincount(label, freedom, labels))
    found = _ratios(measure, seen, groups, within[label], sure=True)
    by_label = [part.reshape(len(some), labels).T for part in (freedom > 0, found.ratio, found.error)]
    return [
        field_of(ratio[known], error[known], float(alike))
        for known, ratio, error, alike in zip(*by_label, within, strict=True)
    ]


def _peers(cells: Cells, player: NDArray[Any], labels: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the codes of players who stand for the field, a mask of their cells, and the group of each of those."""
    codes = numbered(player)[0]
    some = codes[np.unique(np.linspace(0, len(codes) - 1, min(len(codes), _MOST_PEERS)).astype(int))]
    at = np.searchsorted(some, player)
    chosen = some[np.minimum(at, len(some) - 1)] == player if len(some) else np.zeros(0, dtype=bool)
    return some, chosen, (at * labels + cells.group)[chosen]


class _Ratios(NamedTuple):
    """A measure by group.

    Ratio, standard error, dispersion for counts, cases, evenings, and how much the field weighs.
    """

    ratio: NDArray[Any]
    error: NDArray[Any]
    dispersion: NDArray[Any]
    cases: NDArray[Any]
    evenings: NDArray[Any]
    leaning: int


def _ratios(measure: Measure, seen: Observed, groups: int, usual: NDArray[Any] | None, *, sure: bool) -> _Ratios:
    """Return a measure by group. With `sure` evenings that are all alike have the error of the field, not none."""

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
        error = np.where(sure | (error > 0), np.sqrt(variance / np.maximum(known + leaning, 1)), error)
    return _Ratios(ratio, error, dispersion, cases, evenings, leaning)


@dataclass(frozen=True, slots=True)
class Observed:
    """A measure by group and observation: what one player did in one evening. `matches` is their number by group."""

    amount: NDArray[Any]
    of: NDArray[Any]
    group: NDArray[Any]
    matches: NDArray[Any]


def observed(
    measure: Measure, cells: Cells, group: NDArray[Any], groups: int, *, whole: bool = False,
    only: NDArray[Any] | None = None,
) -> Observed:  # fmt: skip
    """Return the observations of a measure; `group[cell]` is the group of a cell, of those in the mask `only`."""
    amount, of = cells.of(measure.amount), cells.of(measure.of)
    evenings = cells.tables if whole else cells.evenings
    if only is not None:
        amount, of = amount[only], of[only]
    matches = np.bincount(group[of > 0], minlength=groups)
    if evenings is None:
        return Observed(amount, of, group, matches)
    some = evenings if only is None else evenings[only]
    own, number = cells.once("observations", (group, groups, evenings, only), lambda: grouped(some, group, groups))
    return Observed(np.bincount(number, amount), np.bincount(number, of), own, matches)


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
    measure: Measure, ratio: float, leaned: tuple[float, float, float], dispersion: float, cases: int, matches: int,
    evenings: int, leaning: int,
) -> Estimate:  # fmt: skip
    if not cases:
        return Estimate(None, None, None, 0, 0)
    value, (centre, error, own) = ratio - measure.par, leaned
    if measure.kind == "rate":
        # Clustered events count as fewer, never as more.
        worth = max(dispersion, 1.0)
        low, high = garwood(ratio * cases / worth)
        most = max(ratio, 1.0)  # no rule can be broken more often than there was occasion to
        return Estimate(value, low * worth / cases, min(high * worth / cases, most), cases, matches)
    if evenings < 2:
        return Estimate(value, None, None, cases, matches)
    if measure.kind == "count":
        half = quantile(evenings + _FIELD - 1) ** 2 * max(dispersion, LEAST) / cases / 2
        width = sqrt(2 * ratio * half + half * half)
        return Estimate(value, ratio + half - width - measure.par, ratio + half + width - measure.par, cases, matches)
    t = quantile(evenings - 1 + leaning)
    if measure.kind == "share":
        # The number of independent cases that would give the same error; all cases if there is no error.
        alike = ratio * (1 - ratio) / error**2 if error > 0 else cases
        low, high = wilson(ratio, min(max(alike, sqrt(cases)), cases), t)
        return Estimate(value, low, high, cases, matches)
    if error == 0:
        return Estimate(value, None, None, cases, matches)  # all alike: nothing shows how much they can vary
    # Student's t is for the error of the player's own results; what comes from the field is known better.
    far = (NORMAL + (t - NORMAL) * min(1.0, (error / own) ** 2)) * error
    middle = centre - measure.par
    return Estimate(value, min(middle - far, value), max(middle + far, value), cases, matches)
