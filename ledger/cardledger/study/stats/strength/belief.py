"""Belief: strengths shrunk towards each other among players who meet often, but not between groups that seldom meet.

Source: shrinkage with a flat prior for the variance of players, as Morris 1983.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CUT = 2 / 3
"""Axes of the graph of meetings with an eigenvalue below this are not shrunk.

K / (k − 1) is random company, 0 no link.
"""
_SPREADS = 200
_RATIOS = (1.0, 4.0, 16.0)
"""Ratios of the variance of guests to that of the others: at least as much."""
_OPEN = 1e6
"""Variance of differences that the matches leave open, as a multiple of the largest variance they determine."""
LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Believed:
    """The believed strengths of all players: means and covariance.

    A difference with a variance of `unknown` or more is not determined by the matches.
    """

    mean: NDArray[Any]
    covariance: NDArray[Any]
    unknown: float

    def error(self, contrast: NDArray[Any]) -> float | None:
        """Return the standard deviation of a difference between players; None if the matches do not determine it."""
        variance = max(float(contrast @ self.covariance @ contrast), LEAST)
        return variance**0.5 if variance < self.unknown else None

    def errors_against(self, field: NDArray[Any]) -> NDArray[Any]:
        """Return the standard deviation of the difference of each player from a field.

        Infinite if the matches do not determine it.
        """
        variance = np.maximum(variances_against(self.covariance, field), LEAST)
        return np.where(variance < self.unknown, np.sqrt(variance), np.inf)


def variances_against(covariance: NDArray[Any], field: NDArray[Any]) -> NDArray[Any]:
    """Return the variance of the difference of each player from a field, the mean of players with these shares."""
    across = covariance @ field
    variances: NDArray[Any] = np.diag(covariance) - 2 * across + field @ across
    return variances


def believed(
    strength: NDArray[Any], covariance: NDArray[Any], met: NDArray[Any], free: NDArray[Any], guest: NDArray[Any]
) -> Believed:
    """Shrink strengths and covariance.

    `met` is the Laplacian of meetings, `free` the directions that matches leave open. Each `guest` may come from
    elsewhere: guests have a mean and a spread of their own.
    """
    open_ = _OPEN * max(float(np.diag(covariance).max()), LEAST)
    covariance = covariance + open_ * free @ free.T
    degree = np.maximum(np.diag(met), LEAST)
    linkage = met / np.sqrt(degree[:, None] * degree)
    values, vectors = np.linalg.eigh((linkage + linkage.T) / 2)
    own_mean = guest[:, None].astype(float) if guest.sum() > 1 else np.zeros((len(guest), 0))
    flat = np.column_stack([np.ones(len(strength)), own_mean, vectors[:, values < _CUT] / np.sqrt(degree)[:, None]])
    axes, lengths, _ = np.linalg.svd(flat / np.linalg.norm(flat, axis=0), full_matrices=False)
    rank = int((lengths > 1e-7).sum())
    whole, _ = np.linalg.qr(axes[:, :rank], mode="complete")
    plain, shrunk = whole[:, :rank], whole[:, rank:]
    if not shrunk.shape[1]:
        return Believed(strength, covariance, open_ / 1000)
    seen, noise = shrunk.T @ strength, shrunk.T @ covariance @ shrunk
    mean, doubt = _over_ratios(seen, noise, shrunk, guest, open_ / 10)
    across = plain.T @ covariance @ shrunk
    follow = across @ _inverse(noise)
    level = plain.T @ strength - follow @ (seen - mean)
    spread = plain.T @ covariance @ plain - follow @ across.T + follow @ doubt @ follow.T
    both = plain @ follow @ doubt @ shrunk.T
    return Believed(
        plain @ level + shrunk @ mean,
        plain @ spread @ plain.T + shrunk @ doubt @ shrunk.T + both + both.T,
        open_ / 1000,
    )


def _inverse(noise: NDArray[Any]) -> NDArray[Any]:
    """Return the inverse of noise; of players about whose differences nothing is known, as far as there is one."""
    try:
        inverse: NDArray[Any] = np.linalg.inv(noise)
    except np.linalg.LinAlgError:
        inverse = np.linalg.pinv(noise, hermitian=True)
    return inverse


def _over_ratios(
    seen: NDArray[Any], noise: NDArray[Any], axes: NDArray[Any], guest: NDArray[Any], open_: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return mean and covariance of differences along axes, over all ratios of the spread of guests to that of others."""
    parts = []
    for ratio in _RATIOS if guest.any() else (1.0,):
        shape = np.where(guest, ratio**0.5, ratio**-0.5)
        root = np.linalg.cholesky((axes.T * shape) @ axes)
        scaled = np.linalg.solve(root, np.linalg.solve(root, noise).T)
        values, own = np.linalg.eigh((scaled + scaled.T) / 2)
        means, doubts, fit = _shrunk(own.T @ np.linalg.solve(root, seen), np.maximum(values, LEAST), open_)
        back = root @ own
        parts.append((back @ means, back @ doubts @ back.T, fit - float(np.log(np.diag(root)).sum())))
    weight = np.exp(np.array([fit for *_, fit in parts]) - max(fit for *_, fit in parts))
    weight /= weight.sum()
    mean = sum(share * means for share, (means, *_) in zip(weight, parts, strict=True))
    doubt = sum(
        share * (doubts + np.outer(means - mean, means - mean))
        for share, (means, doubts, _) in zip(weight, parts, strict=True)
    )
    return np.asarray(mean), np.asarray(doubt)


def _shrunk(seen: NDArray[Any], noise: NDArray[Any], open_: float) -> tuple[NDArray[Any], NDArray[Any], float]:
    """Return mean and covariance of independent differences observed with noise, with an unknown spread.

    And how well it fits.

    The prior for the spread of players is flat, up to far beyond what is observed. The fit is the logarithm of the
    likelihood, over all spreads.
    """
    known = noise < open_
    most = 4 * np.sqrt(np.max((seen**2 + noise)[known], initial=LEAST))
    spread = ((np.arange(_SPREADS) + 0.5) / _SPREADS * most)[:, None] ** 2
    fit = (
        -0.5 * np.sum((np.log(spread + noise) + seen**2 / (spread + noise))[:, known], axis=1)
        + np.log(spread[:, 0]) / 2
    )
    weight = np.exp(fit - fit.max())
    likelihood = float(fit.max() + np.log(weight.sum() * most))
    weight /= weight.sum()
    means, variances = spread / (spread + noise) * seen, spread * noise / (spread + noise)
    mean = weight @ means
    off = means - mean
    return mean, np.diag(weight @ variances) + (off * weight[:, None]).T @ off, likelihood
