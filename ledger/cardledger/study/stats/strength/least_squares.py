"""Least squares: strengths of players without shrinkage; the noise of a match is estimated from all matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers

LEAST = 1e-12
"""Least variance of an error: points are whole numbers, so anything smaller is rounding."""
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Fit:
    """The strengths that explain the points best.

    `covariance` is that of the strengths, `information` its inverse, as if all players were equally swingy. `free` are
    directions (in columns) that the matches leave open, such as the difference of two partners who never parted.
    `weights` and `residuals` are by company, match and side; a weight is one over the variance of the points of a side.
    `freedom` is the degrees of freedom of the residuals; below 1 the matches do not show how noisy they are.
    """

    strength: NDArray[Any]
    information: NDArray[Any]
    covariance: NDArray[Any]
    free: NDArray[Any]
    weights: tuple[NDArray[Any], ...]
    residuals: tuple[NDArray[Any], ...]
    freedom: float


def inverse(matrix: NDArray[Any], plain: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the pseudo-inverse of normal equations, and the directions they leave open apart from the common level.

    If everybody plays alone (`plain`), there are none, because the players of a league are linked: then no eigenvalues
    are needed.
    """
    k = len(matrix)
    if plain:
        size = np.trace(matrix) / k
        return np.linalg.inv(matrix + size / k) - 1 / (k * size), np.zeros((k, 0))
    values, vectors = np.linalg.eigh(matrix)
    determined = values > 1e-9 * values.max()
    open_ = vectors[:, ~determined] - vectors[:, ~determined].mean(0)
    axes, lengths, _ = np.linalg.svd(open_, full_matrices=False)
    return (vectors[:, determined] / values[determined]) @ vectors[:, determined].T, axes[:, lengths > 1e-6]


def least_squares(league: LinkedPlayers) -> Fit:
    """Fit the strengths of a league: points of a side = own strength − mean strength of the others + noise.

    The variance of a side's mean is `a + b / hands`: b is the variance of single hands, a that between matches.
    """
    companies, k = league.companies, len(league.players)
    plain = all(one.single for one in companies)
    counted = [one.hands > 0 for one in companies]
    sides = sum(float((some * (1 - 1 / some.shape[1])).sum()) for some in counted)
    lengths = np.concatenate([one.lengths[some] for one, some in zip(companies, counted, strict=True)])
    even = bool((lengths == lengths[0]).all())
    noise_of_matches, of_hands = _spread(companies), 0.0 if even else league.within
    for _ in range(_ROUNDS):
        weights = [
            np.where(some, 1 / np.maximum(noise_of_matches + of_hands / np.where(some, one.lengths, 1), LEAST), 0.0)
            for one, some in zip(companies, counted, strict=True)
        ]
        information = sum(
            (one.information(weight, k) for one, weight in zip(companies, weights, strict=True)), np.zeros((k, k))
        )
        covariance, free = inverse(information, plain)
        seen = sum(
            (one.scattered(weight * one.points, k) for one, weight in zip(companies, weights, strict=True)), np.zeros(k)
        )
        strength = covariance @ seen
        residuals = [
            np.where(some, one.points - one.expected(strength), 0.0)
            for one, some in zip(companies, counted, strict=True)
        ]
        freedom = sides - (k - 1 - free.shape[1])
        left = sum(float((weight * e * e).sum()) for weight, e in zip(weights, residuals, strict=True))
        scale = max(left / max(freedom, 1.0), LEAST)
        if even or abs(scale - 1) < 1e-3:
            break
        noise_of_matches += (scale - 1) * (noise_of_matches + of_hands / float(lengths.mean()))
        noise_of_matches = max(noise_of_matches, 0.0)
    return Fit(
        strength, information / scale, covariance * scale, free, tuple(weight / scale for weight in weights),
        tuple(residuals), freedom,
    )  # fmt: skip


def _spread(companies: Sequence[Company]) -> float:
    """Return the variance of the points of sides, as a starting value."""
    squares = sum(float((one.points**2 * (one.hands > 0)).sum()) for one in companies)
    sides = sum(float(((one.hands > 0) * (1 - 1 / one.points.shape[1])).sum()) for one in companies)
    return max(squares / max(sides, 1.0), LEAST)
