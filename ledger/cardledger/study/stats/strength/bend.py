"""Bend: differences between players often grow in weak company and shrink in strong; strengths are corrected for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.least_squares import inverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_USUAL = 0.3
"""Prior change of differences between an average table and one that is stronger by a standard deviation of players."""
_ROUNDS = 5
_TABLES, _TABLES_A_PLAYER = 4000, 12


@dataclass(frozen=True, slots=True)
class Straight:
    """Strengths without the bend, their covariance, and the residuals of the model with the bend."""

    strength: NDArray[Any]
    covariance: NDArray[Any]
    residuals: tuple[NDArray[Any], ...]


def straightened(league: LinkedPlayers, fit: Fit) -> Straight:
    """Return the strengths that plain least squares would give in random company.

    The model is d = (own − others) (1 + γ × mean strength of the table). The correction is the effect of the bent part
    on plain strengths at the tables that were played, less its effect at tables drawn from the field.
    """
    share = league.hands / league.hands.sum()
    strength = fit.strength - share @ fit.strength
    spread = float(share @ strength**2 - share @ np.diag(fit.covariance))
    if spread <= 0.25 * float(share @ strength**2) or share.max() > 0.99:
        return Straight(fit.strength, fit.covariance, fit.residuals)  # players differ too little to tell
    bent, gamma, covariance = _bent(league, fit, share, strength, (_USUAL / spread**0.5) ** 2)
    residuals = []
    for one, weight in zip(league.companies, fit.weights, strict=True):
        table = bent[one.who].mean(1)
        residuals.append(np.where(weight > 0, one.points - one.expected(bent) * (1 + gamma * table)[:, None], 0.0))
    here = sum(
        (_pull(one, weight, bent, gamma) for one, weight in zip(league.companies, fit.weights, strict=True)),
        np.zeros(len(bent)),
    )
    straight = fit.strength - (fit.covariance @ here - _in_random_company(league, share, bent, gamma))
    centre = np.eye(len(bent)) - share
    return Straight(centre @ straight, centre @ covariance @ centre.T, tuple(residuals))


def _bent(
    league: LinkedPlayers, fit: Fit, share: NDArray[Any], strength: NDArray[Any], prior: float
) -> tuple[NDArray[Any], float, NDArray[Any]]:
    """Return strengths, γ (with a prior variance) and the covariance of strengths in the model with the bend."""
    k, gamma, most = len(strength), 0.0, 0.5 / float(np.abs(strength).max())
    plain = all(one.single for one in league.companies)
    for _ in range(_ROUNDS):
        information, cross, seen = np.zeros((k, k)), np.zeros(k), np.zeros(k)
        corner, pull = 1 / prior, -gamma / prior
        for one, weight in zip(league.companies, fit.weights, strict=True):
            table = strength[one.who].mean(1)
            slope = (1 + gamma * table)[:, None]
            change = one.expected(strength) * table[:, None]
            information += one.information(weight * slope**2, k)
            cross += one.scattered(weight * slope * change, k)
            seen += one.scattered(weight * slope * one.points, k)
            corner += float((weight * change**2).sum())
            pull += float((weight * change * one.points).sum())
        inverted, _ = inverse(information, plain)
        moved = inverted @ cross
        precision = corner - float(cross @ moved)
        step = (pull - float(moved @ seen)) / precision
        strength = inverted @ (seen - cross * step)
        strength = strength - share @ strength
        gamma = float(np.clip(gamma + step, -most, most))
    n = float(
        np.average([one.who.shape[1] for one in league.companies], weights=[len(one.who) for one in league.companies])
    )
    own = 1 / n - (n - 1) / n * share / (1 - share)
    stretch, by_gamma = 1 + 2 * gamma * own * strength, own * strength**2
    both = np.outer(-stretch * moved / precision, by_gamma)
    inverted = inverted + np.outer(moved, moved) / precision
    covariance = stretch[:, None] * inverted * stretch + both + both.T + np.outer(by_gamma, by_gamma) / precision
    return strength, gamma, covariance


def _pull(one: Company, weight: NDArray[Any], strength: NDArray[Any], gamma: float) -> NDArray[Any]:
    """Return what the bent part of points adds to the right side of the plain normal equations."""
    table = strength[one.who].mean(1)
    return one.scattered(weight * one.expected(strength) * (gamma * table)[:, None], len(strength))


def _in_random_company(
    league: LinkedPlayers, share: NDArray[Any], strength: NDArray[Any], gamma: float
) -> NDArray[Any]:
    """Return the effect of the bend on plain strengths at random tables; players are drawn by their share of hands."""
    k, rng = len(strength), np.random.default_rng(1)
    information, seen = np.zeros((k, k)), np.zeros(k)
    matches = sum(len(one.who) for one in league.companies)
    for one in league.companies:
        tables = -(-(_TABLES + _TABLES_A_PLAYER * k) * len(one.who) // matches)
        with np.errstate(divide="ignore"):
            drawn = np.log(share) + rng.gumbel(size=(tables, k))
        n = one.who.shape[1]
        who = rng.permuted(np.argpartition(-drawn, n - 1, axis=1)[:, :n], axis=1)
        alike = type(one)(
            who, one.sides, np.zeros((tables, len(one.mean))), np.ones((tables, len(one.mean))), who[:, 0]
        )
        weight = alike.hands
        information += alike.information(weight, k)
        seen += _pull(alike, weight, strength, gamma)
    size = np.trace(information) / k
    held = information + size * np.outer(share, share) + 1e-9 * size * np.eye(k)
    effect: NDArray[Any] = np.linalg.solve(held, seen)
    return effect
