"""Leaning on the field: where a player has few hands, what is known of the others says more.

A normal model with two levels (Morris 1983): players differ by a variance, and each result is uncertain. The variance
is not known; spreads of `_STEPS` sizes are weighed by how well they fit. Before, a spread has the weight of its square
root: with few players a flat weight would make intervals a little too short, and a flat weight of variances too wide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST = 4
"""Least number of players for a field: fewer say nothing about how much players differ."""
_STEPS = 60
_AT_ONCE = 8192
"""How many players are looked at together, so that memory stays small."""


class Field(NamedTuple):
    """What is known of how players differ in a measure, for each possible spread: its weight, their mean, its variance.

    `within` is the variance of a case between the evenings of one player.
    """

    within: float
    spread: NDArray[Any]
    weight: NDArray[Any]
    mean: NDArray[Any]
    variance: NDArray[Any]

    def lean(self, value: NDArray[Any], error: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return values drawn to the field, the more the larger their standard errors, and their new standard errors."""
        parts = range(0, len(value), _AT_ONCE)
        leaned = [self._lean(value[at : at + _AT_ONCE], error[at : at + _AT_ONCE]) for at in parts]
        if not leaned:
            return value, error
        return np.concatenate([one[0] for one in leaned]), np.concatenate([one[1] for one in leaned])

    def _lean(self, value: NDArray[Any], error: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        square = error[:, None] ** 2
        share = square / (square + self.spread**2)
        middle = value[:, None] - share * (value[:, None] - self.mean)
        own = (1 - share) * square + share**2 * self.variance
        centre = middle @ self.weight
        return centre, np.sqrt((own + (middle - centre[:, None]) ** 2) @ self.weight)


def field_of(value: NDArray[Any], error: NDArray[Any], within: float) -> Field | None:
    """Return what the values of players, and their standard errors, say of the field; None if that is too little."""
    known = np.isfinite(value) & np.isfinite(error) & (error > 0)
    value, error = value[known], error[known]
    if len(value) < FEWEST:
        return None
    middle = float(np.median(value))
    most = 3 * float(np.sqrt(np.mean((value - middle) ** 2)))
    if most == 0:
        return None
    spread = (np.arange(_STEPS) + 0.5) / _STEPS * most
    precision = 1 / (spread[:, None] ** 2 + error**2)
    whole = precision.sum(axis=1)
    mean = middle + (precision * (value - middle)).sum(axis=1) / whole
    fit = 0.5 * (np.log(precision).sum(axis=1) - np.log(whole) - (precision * (value - mean[:, None]) ** 2).sum(axis=1))
    weight = np.exp(fit - fit.max()) * np.sqrt(spread)
    return Field(within, spread, weight / weight.sum(), mean, 1 / whole)
