"""The strengths of the players of a league, in steps: least squares, swings, bend, groups, pairs, belief."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.strength.belief import LEAST, Believed, believed, variances_against
from cardledger.study.stats.strength.bend import straightened
from cardledger.study.stats.strength.company import Company, LinkedPlayers, components
from cardledger.study.stats.strength.form import Noise, form_of_evenings
from cardledger.study.stats.strength.least_squares import Fit, inverse, least_squares
from cardledger.study.stats.strength.pairs import spread_of_pairs
from cardledger.study.stats.strength.swings import swings

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NORMAL = 1_000_000
"""Degrees of freedom of the normal distribution."""
_OPEN = 1e6
"""Variance of differences that the matches leave open, as a multiple of the largest variance they determine."""
_LEAST = 1e-6
_SELDOM, _OFTEN = 2, 8
"""A guest has at most so many matches where others have at least so many."""
HELD = 4.0
"""Inside a group, a difference may have at most this many times the variance it would have in random company."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """What the matches of a league say about its players, in the order of `league.players`.

    `strength` is not shrunk; `covariance` is its covariance, and `freedom` its degrees of freedom by player. `belief`
    is the shrunk estimate. `group` numbers the groups of players who are compared with each other, the group with the
    most hands first. `free` are directions that the matches leave open. `estimable` is False if there are too few
    matches to show how noisy they are: then nothing can be said. `evenings` is the number of evenings by player.
    """

    league: LinkedPlayers
    strength: NDArray[Any]
    covariance: NDArray[Any]
    free: NDArray[Any]
    freedom: NDArray[Any]
    belief: Believed
    group: NDArray[Any]
    estimable: bool
    evenings: NDArray[Any]

    def placeless(self, player: int) -> bool:
        """Whether a player's strength cannot be told from the place where the player sits."""
        unplaced = self.league.unplaced
        return unplaced is not None and bool((np.abs(unplaced[player] - np.median(unplaced, axis=0)) > _LEAST).any())

    def against_group(self, player: int) -> NDArray[Any]:
        """Return the contrast of a player with the mean of the player's group, weighted by hands."""
        own = self.field(int(self.group[player]))
        contrast = -own
        contrast[player] += 1
        return contrast

    def field(self, group: int) -> NDArray[Any]:
        """Return the share of each player in the hands of a group."""
        inside = np.where(self.group == group, self.league.share, 0.0)
        shares: NDArray[Any] = (
            inside / inside.sum() if inside.sum() else (self.group == group) / (self.group == group).sum()
        )
        return shares

    def known(self, contrast: NDArray[Any]) -> bool:
        """Whether the matches determine a difference."""
        return not (np.abs(contrast @ self.free) > 1e-6).any()

    def error(self, contrast: NDArray[Any]) -> float:
        """Return the standard error of a difference."""
        return float(np.sqrt(max(contrast @ self.covariance @ contrast, LEAST)))

    def known_against(self, field: NDArray[Any]) -> NDArray[Any]:
        """Tell for each player whether the matches determine the difference from a field."""
        known: NDArray[Any] = ~(np.abs(self.free - field @ self.free) > 1e-6).any(1)
        return known

    def errors_against(self, field: NDArray[Any]) -> NDArray[Any]:
        """Return the standard error of the difference of each player from a field."""
        errors: NDArray[Any] = np.sqrt(np.maximum(variances_against(self.covariance, field), LEAST))
        return errors


def strengths(league: LinkedPlayers) -> Strengths:
    """Estimate the strengths of a league with at least two players."""
    fit = least_squares(league)
    swing = swings(league, fit)
    straight = straightened(league, fit)
    both = np.outer(swing.factor, swing.factor)
    covariance = straight.covariance * both
    met, reached = _met(league, fit)
    unplaced = league.unplaced if league.unplaced is not None else np.zeros((len(both), 0))
    apart = _OPEN * float(np.diag(covariance).max()) * unplaced @ unplaced.T
    group = _groups(league, (covariance if reached is None else reached * both) + apart, np.diag(met), swing.factor)
    if league.placed is not None:
        covariance = covariance + _of_a_hand(league, fit) * league.placed
    form = form_of_evenings(league, fit, swing.factor)
    noise = Noise(league, fit, swing.factor, form)
    covariance = covariance + spread_of_pairs(league, fit, noise, straight.strength, straight.residuals, group)
    covariance = covariance + form.covariance
    # The noise is an estimate too, a rough one from few matches: Student's t gives the uncertainty this adds to
    # beliefs.
    doubt = (quantile(max(int(min(fit.freedom, form.freedom)), 1)) / quantile(_NORMAL)) ** 2
    free = np.column_stack([fit.free, unplaced])
    return Strengths(
        league, straight.strength, covariance, free, np.minimum(swing.freedom, form.freedom_of_players),
        believed(straight.strength, covariance * doubt, met, free, _guests(league)), group, fit.freedom >= 1, form.evenings,
    )  # fmt: skip


def _of_a_hand(league: LinkedPlayers, fit: Fit) -> float:
    """Return the variance of the points of a side in a hand, as if those of a match were independent."""
    total = sides = 0.0
    for one, weight in zip(league.companies, fit.weights, strict=True):
        counted = weight > 0
        total += float((one.lengths[counted] / weight[counted]).sum())
        sides += float(counted.sum())
    return total / max(sides, 1.0)


def _guests(league: LinkedPlayers) -> NDArray[Any]:
    """Tell who came once or twice, among others who came often."""
    few: NDArray[Any] = league.matches <= _SELDOM
    return few & bool((league.matches >= _OFTEN).any())


def _met(league: LinkedPlayers, fit: Fit) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the Laplacian of meetings at a table, and its inverse; None if it is that of the fit.

    Partners meet too, and so do players whose hands a query leaves out.
    """
    if all(one.single for one in league.companies):
        return fit.information, None
    k, met = len(league.players), np.zeros((len(league.players),) * 2)
    for one, weight in zip(league.companies, fit.weights, strict=True):
        alone = replace(one, sides=tuple(range(len(one.sides))))
        every = np.repeat(weight.mean(1, keepdims=True), len(one.sides), axis=1)
        met += Company.information(alone, every, k)
    return met, inverse(met, plain=True)[0]


def _groups(
    league: LinkedPlayers, covariance: NDArray[Any], degree: NDArray[Any], factor: NDArray[Any]
) -> NDArray[Any]:
    """Return the group of each player.

    Two are linked if their difference is known as well as from a quarter of their hands.
    """
    own = np.diag(covariance)
    alone = factor**2 / np.maximum(degree, 1e-12)
    worse = (own[:, None] + own - 2 * covariance) / (alone[:, None] + alone)
    part = components(worse <= HELD)
    hands = np.bincount(part, league.hands)
    place = np.argsort(np.argsort(-hands, kind="stable"))
    groups: NDArray[Any] = place[part]
    return groups
