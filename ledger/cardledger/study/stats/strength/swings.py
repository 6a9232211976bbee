"""Swings: some players' results vary more than others', so their strength is less certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_LEAST = 0.25
"""Least variance of a player, as a multiple of the field's."""


@dataclass(frozen=True, slots=True)
class Swings:
    """By player.

    The standard deviation of results as a multiple of the field's, and the degrees of freedom of errors.
    """

    factor: NDArray[Any]
    freedom: NDArray[Any]


def swings(league: LinkedPlayers, fit: Fit) -> Swings:
    """Estimate how swingy players are, shrunk towards the field as far as chance could explain the differences."""
    k, matches = len(league.players), np.maximum(league.matches, 1)
    expected, seen = np.zeros(k), np.zeros(k)
    ratios = []
    for one, weight, residual in zip(league.companies, fit.weights, fit.residuals, strict=True):
        counted = weight > 0
        variance = np.where(counted, 1 / np.where(counted, weight, 1), 0.0)
        among = fit.covariance[one.who[:, :, None], one.who[:, None, :]]
        leverage = np.einsum("gs,jst,gt->jg", one.design, among, one.design)
        usual = np.where(counted, np.maximum(variance * (1 - 1 / len(one.mean)) - leverage, 1e-3 * variance), 0.0)
        expected += one.of_players(usual, k)
        seen += one.of_players(residual**2, k)
        clear = counted & (usual > 0.05 * variance)
        ratios.append((residual**2)[clear] / usual[clear])
    ratio = np.where(expected > 0, seen / np.maximum(expected, 1e-300), 1.0)
    every = np.concatenate(ratios)
    chance = max(2.0, float(np.var(every))) if len(every) else 2.0
    share = league.matches / max(league.matches.sum(), 1)
    noise = chance / matches
    spread = float((share * ((ratio - 1) ** 2 - noise)).sum()) / max(float((share * (1 - share)).sum()), 1e-9)
    trust = max(spread, 0.0) / (max(spread, 0.0) + noise)
    squared = np.maximum(1 + trust * (ratio - 1), _LEAST)
    doubt = trust * noise
    freedom = np.where(doubt > 0, 2 * squared**2 / np.maximum(doubt, 1e-12), np.inf)
    return Swings(np.sqrt(squared), np.minimum(freedom, max(fit.freedom, 1.0)))
