"""Shared effects: what several results have in common, such as a pair that meets again or the form of an evening.

How much such effects vary is estimated by moments: how far the residuals that share one add up, beyond noise alone.
What they add to the covariance of strengths follows from where they had their effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Shared:
    """Effects that several results share: their number, and where each had its effect.

    `at` has, for each company, arrays of match, side, effect, and the share of the effect that the side gets.
    """

    count: int
    at: tuple[tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]], ...]

    def sums(self, values: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return the sum of values, by match and side, over the results that share each effect."""
        total = np.zeros(self.count)
        for value, (match, side, effect, _) in zip(values, self.at, strict=True):
            total += np.bincount(effect, value[match, side], self.count)
        return total

    def drawn(self, companies: Sequence[Company], effects: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the points that effects of such sizes add, by match and side."""
        points = []
        for one, (match, side, effect, share) in zip(companies, self.at, strict=True):
            sides = len(one.mean)
            added = np.bincount(match * sides + side, effects[effect] * share, len(one.who) * sides)
            points.append(added.reshape(-1, sides))
        return points

    def scores(self, league: LinkedPlayers, fit: Fit) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return what each effect adds to the right side of the normal equations.

        Player, effect and value of each entry.

        The entries are in the order of effects.
        """
        k, keys, values = len(league.players), [], []
        for one, weight, (match, side, effect, share) in zip(league.companies, fit.weights, self.at, strict=True):
            sides = len(one.mean)
            centre = np.eye(sides) - 1 / sides
            # What one more point for a side adds, by match, side and seat.
            moved = np.einsum("jh,hs,hg->jgs", weight, one.design, centre)[match, side] * share[:, None]
            keys.append((effect[:, None] * k + one.who[match]).ravel())
            values.append(moved.ravel())
        distinct, number = np.unique(np.concatenate(keys), return_inverse=True)
        return distinct % k, distinct // k, np.bincount(number, np.concatenate(values))


def refitted(league: LinkedPlayers, fit: Fit, values: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return the residuals that a fit of these points would have."""
    k = len(league.players)
    points = [value - value.mean(1, keepdims=True) for value in values]
    seen = sum(
        (one.scattered(w * d, k) for one, w, d in zip(league.companies, fit.weights, points, strict=True)), np.zeros(k)
    )
    strength = fit.covariance @ seen
    return [
        np.where(w > 0, d - one.expected(strength), 0.0)
        for one, w, d in zip(league.companies, fit.weights, points, strict=True)
    ]


def squared(player: NDArray[Any], effect: NDArray[Any], value: NDArray[Any], k: int) -> NDArray[Any]:
    """Return GG' of a matrix G of players by effects, given by its entries in the order of effects; in chunks."""
    total = np.zeros(k * k)
    size = np.bincount(effect)
    first = np.cumsum(size) - size
    work = np.cumsum(size[effect])  # products up to each entry
    start = 0
    while start < len(effect):
        end = max(int(np.searchsorted(work, (work[start - 1] if start else 0) + _CHUNK)), start + 1)
        entries = np.arange(start, end)
        width = size[effect[entries]]
        one = np.repeat(entries, width)
        other = first[effect[one]] + np.arange(len(one)) - np.repeat(np.cumsum(width) - width, width)
        total += np.bincount(player[one] * k + player[other], value[one] * value[other], k * k)
        start = end
    return total.reshape(k, k)
