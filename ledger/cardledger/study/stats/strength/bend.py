"""Bend: differences between players often grow in weak company and shrink in strong; strengths are corrected for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.least_squares import LEAST, inverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_USUAL = 0.3
"""Prior change of differences between an average table and one that is stronger by a standard deviation of players."""
_ROUNDS = 5
_HALVINGS = 8
_ENOUGH = 1e-6
"""Steps end when the deviance falls by less than this share."""
_STEEPEST = 0.5
"""At most so much may the differences at any table change."""
_WORST = 1.5
"""No standard error may grow more than so much."""
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
    on plain strengths at the tables that were played, less its effect at tables drawn from the field. Where the matches
    do not determine the model well, strengths stay as they are.
    """
    plain = Straight(fit.strength, fit.covariance, fit.residuals)
    share = league.share
    strength = fit.strength - share @ fit.strength
    spread = float(share @ strength**2 - share @ np.diag(fit.covariance))
    if spread <= 0.25 * float(share @ strength**2) or share.max() > 0.99:
        return plain  # players differ too little to tell
    if league.sizes.max() > 1:
        return plain  # a table of partners who never part is not drawn from the field seat by seat
    company = _AtTables(league, fit, (_USUAL / spread**0.5) ** 2)
    bent, gamma = company.fitted(strength, share)
    covariance = company.covariance(bent, gamma, share)
    here = sum(
        (_pull(one, weight, bent, gamma, company.table(one, bent))
         for one, weight in zip(league.companies, fit.weights, strict=True)),
        np.zeros(len(bent)),
    )  # fmt: skip
    straight = fit.strength - (fit.covariance @ here - _in_random_company(league, share, bent, gamma))
    centre = np.eye(len(bent)) - share
    bent_covariance, usual = centre @ covariance @ centre.T, centre @ fit.covariance @ centre.T
    if not (np.diag(bent_covariance) <= _WORST**2 * np.maximum(np.diag(usual), LEAST)).all():
        return plain
    residuals = tuple(
        np.where(weight > 0, one.points - company.expected(one, bent, gamma), 0.0)
        for one, weight in zip(league.companies, fit.weights, strict=True)
    )
    return Straight(centre @ straight, bent_covariance, residuals)


class _AtTables:
    """The model with the bend, at the tables of a league; `prior` is the prior variance of γ.

    Players with a single match say nothing of how strong their table was: at the table they count as the mean of all
    such players.
    """

    def __init__(self, league: LinkedPlayers, fit: Fit, prior: float) -> None:
        self.league, self.fit, self.prior = league, fit, prior
        self.plain = all(one.single for one in league.companies)
        self.guest = league.matches < 2
        self.of_guests = league.hands * self.guest / max(float((league.hands * self.guest).sum()), 1.0)

    def table(self, one: Company, strength: NDArray[Any]) -> NDArray[Any]:
        """Return the mean strength of each table."""
        known = np.where(self.guest, self.of_guests @ strength, strength)
        means: NDArray[Any] = known[one.who].mean(1)
        return means

    def expected(self, one: Company, strength: NDArray[Any], gamma: float) -> NDArray[Any]:
        """Return the points expected, by match and side."""
        return one.expected(strength) * (1 + gamma * self.table(one, strength))[:, None]

    def deviance(self, strength: NDArray[Any], gamma: float) -> float:
        """Return how far points are from what is expected, in variances of noise, and γ from its prior."""
        left = (
            float((weight * (one.points - self.expected(one, strength, gamma)) ** 2).sum())
            for one, weight in zip(self.league.companies, self.fit.weights, strict=True)
        )
        return sum(left) + gamma**2 / self.prior

    def fitted(self, strength: NDArray[Any], share: NDArray[Any]) -> tuple[NDArray[Any], float]:
        """Return strengths and γ: Gauss and Newton's steps, each halved until the deviance falls."""
        gamma, lowest = 0.0, self.deviance(strength, 0.0)
        for _ in range(_ROUNDS):
            to_strength, step, *_ = self.step(strength, gamma)
            to_strength = to_strength - share @ to_strength
            for half in range(_HALVINGS):
                near = strength + (to_strength - strength) / 2**half
                # 1 + γ × table stays far from 0.
                most = _STEEPEST / max(float(np.abs(near).max()), LEAST)
                bend = float(np.clip(gamma + step / 2**half, -most, most))
                deviance = self.deviance(near, bend)
                if deviance < lowest:
                    break
            else:
                break
            strength, gamma, fallen, lowest = near, bend, lowest - deviance, deviance
            if fallen < _ENOUGH * lowest:
                break
        return strength, gamma

    def step(
        self, strength: NDArray[Any], gamma: float
    ) -> tuple[NDArray[Any], float, NDArray[Any], NDArray[Any], float]:
        """Return the strengths and the change of γ that fit best near these, and what their errors are made of.

        These are the inverse information of strengths alone, how strengths follow γ, and the precision of γ.
        """
        k = len(strength)
        information, cross, seen = np.zeros((k, k)), np.zeros(k), np.zeros(k)
        corner, pull = 1 / self.prior, -gamma / self.prior
        for one, weight in zip(self.league.companies, self.fit.weights, strict=True):
            table = self.table(one, strength)
            slope = (1 + gamma * table)[:, None]
            change = one.expected(strength) * table[:, None]
            information += one.information(weight * slope**2, k)
            cross += one.scattered(weight * slope * change, k)
            seen += one.scattered(weight * slope * one.points, k)
            corner += float((weight * change**2).sum())
            pull += float((weight * change * one.points).sum())
        inverted, _ = inverse(information, self.plain)
        moved = inverted @ cross
        precision = corner - float(cross @ moved)
        step = (pull - float(moved @ seen)) / precision
        return inverted @ (seen - cross * step), step, inverted, moved, precision

    def covariance(self, strength: NDArray[Any], gamma: float, share: NDArray[Any]) -> NDArray[Any]:
        """Return the covariance of strengths in random company."""
        _, _, inverted, moved, precision = self.step(strength, gamma)
        companies = self.league.companies
        n = float(np.average([one.who.shape[1] for one in companies], weights=[len(one.who) for one in companies]))
        own = 1 / n - (n - 1) / n * share / (1 - share)
        stretch, by_gamma = 1 + 2 * gamma * own * strength, own * strength**2
        both = np.outer(-stretch * moved / precision, by_gamma)
        inverted = inverted + np.outer(moved, moved) / precision
        covariance: NDArray[Any] = (
            stretch[:, None] * inverted * stretch + both + both.T + np.outer(by_gamma, by_gamma) / precision
        )
        return covariance


def _pull(
    one: Company, weight: NDArray[Any], strength: NDArray[Any], gamma: float, table: NDArray[Any]
) -> NDArray[Any]:
    """Return what the bent part of points adds to the right side of the plain normal equations."""
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
        seen += _pull(alike, weight, strength, gamma, strength[who].mean(1))
    size = np.trace(information) / k
    held = information + size * np.outer(share, share) + 1e-9 * size * np.eye(k)
    effect: NDArray[Any] = np.linalg.solve(held, seen)
    return effect
