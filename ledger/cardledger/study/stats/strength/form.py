"""Form.

Players have good evenings and bad ones, so the matches of an evening say less than as many on evenings of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.shared_effects import Shared, refitted, squared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_USUAL, _UNSURE = 0.05, 0.2
"""Prior form, as a share of the variance of a match: its mean and its standard deviation."""
_MOST = 0.9
"""Form is at most this share of the variance of a match."""
_LEAST = 1e-3
_NOISES, _EFFECTS = 16, 6


@dataclass(frozen=True, slots=True)
class EveningForm:
    """How much form differs between the evenings of a player, and what that adds to the covariance of strengths.

    `variance` is that of a player's strength between evenings. `freedom_of_players` are the degrees of freedom of each
    player's error: those of the evenings. `freedom` are those of all evenings together. Both are infinite where nobody
    has several matches of one evening; then form is part of the noise of a match. `evenings` is their number by player.
    """

    evenings: NDArray[Any]
    variance: float
    shared: Shared
    covariance: NDArray[Any]
    freedom: float
    freedom_of_players: NDArray[Any]

    @property
    def without(self) -> EveningForm:
        """The same evenings without any form."""
        return replace(self, variance=0.0)


@dataclass(frozen=True)
class Noise:
    """What points vary by, if players differ by their strengths alone: the luck of matches, and form."""

    league: LinkedPlayers
    fit: Fit
    factor: NDArray[Any]
    form: EveningForm

    @cached_property
    def deviation(self) -> list[NDArray[Any]]:
        """The standard deviation of the luck of a match, by match and side; form comes on top."""
        deviations = []
        for one, weight in zip(self.league.companies, self.fit.weights, strict=True):
            sides = len(one.mean)
            whole = np.where(weight > 0, 1 / np.where(weight > 0, weight, 1), 0.0)
            of_form = self.form.variance * (sides / (sides - 1)) ** 2 * (one.mean**2).sum(1)
            left = np.maximum(whole - of_form, (1 - _MOST) * whole) if self.form.variance else whole
            deviations.append(np.sqrt(left * (self.factor[one.who] ** 2 @ one.mean.T)))
        return deviations

    def of_form(self, rng: np.random.Generator) -> list[NDArray[Any]]:
        """Return points that are nothing but form, drawn again."""
        if not self.form.variance:
            return [np.zeros_like(weight) for weight in self.fit.weights]
        effects = rng.normal(0, self.form.variance**0.5, self.form.shared.count)
        drawn = self.form.shared.drawn(self.league.companies, effects)
        return [np.where(weight > 0, added, 0.0) for added, weight in zip(drawn, self.fit.weights, strict=True)]

    def drawn(self, rng: np.random.Generator) -> list[NDArray[Any]]:
        """Return points that are nothing but noise."""
        luck = [rng.normal(0, 1, some.shape) * some for some in self.deviation]
        return [one + added for one, added in zip(luck, self.of_form(rng), strict=True)]


def form_of_evenings(league: LinkedPlayers, fit: Fit, factor: NDArray[Any]) -> EveningForm:
    """Estimate how much form differs, by how far the results of one evening go together."""
    k = len(league.players)
    shared, evenings, several = _evenings(league)
    none = EveningForm(evenings, 0.0, shared, np.zeros((k, k)), np.inf, np.full(k, np.inf))
    if not shared.count:
        return none
    freedom = np.where(several, np.maximum(evenings - 1, 1), np.inf)
    whole = max(float(evenings.sum() - k), 1.0)
    variance = _variance(league, fit, Noise(league, fit, factor, none), shared)
    if not variance:
        return EveningForm(evenings, 0.0, shared, none.covariance, whole, freedom)
    player, effect, value = shared.scores(league, fit)
    each = _each(shared)
    both = squared(player, effect, value, k) - squared(*each.scores(league, fit), k)
    return EveningForm(evenings, variance, shared, variance * fit.covariance @ both @ fit.covariance, whole, freedom)


def _evenings(league: LinkedPlayers) -> tuple[Shared, NDArray[Any], NDArray[Any]]:
    """Return where form has its effect, the number of evenings by player, and who has several matches of one.

    Players have a form in the evenings of which they have several matches.
    """
    k, keys, places = len(league.players), [], []
    most = max(int(one.evenings.max(initial=0)) for one in league.companies) + 1
    for one in league.companies:
        sides = len(one.mean)
        side = np.broadcast_to(np.array(one.sides), one.who.shape)
        match = np.broadcast_to(np.arange(len(one.who))[:, None], one.who.shape)
        counted = np.take_along_axis(one.hands, side, axis=1) > 0
        share = one.mean[np.array(one.sides), np.arange(len(one.sides))] * sides / (sides - 1)
        keys.append((one.who * most + one.evenings[:, None])[counted])
        places.append((match[counted], side[counted], np.broadcast_to(share, one.who.shape)[counted]))
    distinct, number, often = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    evenings = np.bincount(distinct // most, minlength=k)
    shared = often > league.sizes[distinct // most]
    new = np.cumsum(shared) - 1
    several = np.bincount(distinct[shared] // most, minlength=k) > 0
    ends = np.cumsum([0, *map(len, keys)])
    at = []
    for (match, side, share), start, end in zip(places, ends[:-1], ends[1:], strict=True):
        here = shared[number[start:end]]
        at.append((match[here], side[here], new[number[start:end][here]], share[here]))
    return Shared(int(shared.sum()), tuple(at)), evenings, several


def _each(shared: Shared) -> Shared:
    """Return the same effects, as if no two results shared one."""
    ends = np.cumsum([0, *(len(match) for match, *_ in shared.at)])
    at = tuple(
        (match, side, np.arange(start, end), share)
        for (match, side, _, share), start, end in zip(shared.at, ends[:-1], ends[1:], strict=True)
    )
    return Shared(int(ends[-1]), at)


def _variance(league: LinkedPlayers, fit: Fit, noise: Noise, shared: Shared) -> float:
    """Estimate the variance of form by moments: how far the residuals of an evening go together, beyond noise alone."""
    rng = np.random.default_rng(4)

    def moment(values: Sequence[NDArray[Any]]) -> float:
        sums = shared.sums(values)
        alone = sum(
            float((value[match, side] ** 2).sum()) for value, (match, side, *_) in zip(values, shared.at, strict=True)
        )
        return float(sums @ sums) - alone

    without = np.array([moment(refitted(league, fit, noise.drawn(rng))) for _ in range(_NOISES)])
    effects = [
        moment(refitted(league, fit, shared.drawn(league.companies, rng.normal(0, 1, shared.count))))
        for _ in range(_EFFECTS)
    ]
    unit, whole = float(np.mean(effects)), _of_match(league, fit)
    if unit <= _LEAST * shared.count:
        return _USUAL * whole  # strengths explain whatever form does: nothing shows it
    error = max(float(without.std(ddof=1)) / unit, 1e-150)
    usual, unsure = _USUAL * whole, _UNSURE * whole
    seen = (moment(fit.residuals) - float(without.mean())) / unit
    return float(np.clip((seen / error**2 + usual / unsure**2) / (1 / error**2 + 1 / unsure**2), 0.0, _MOST * whole))


def _of_match(league: LinkedPlayers, fit: Fit) -> float:
    """Return the form that would be all of the variance of a match."""
    total = matches = 0.0
    for one, weight in zip(league.companies, fit.weights, strict=True):
        sides, counted = len(one.mean), weight > 0
        part = ((sides / (sides - 1)) ** 2 * (one.mean**2).sum(1)) * np.ones_like(weight)
        total += float((1 / (weight * part)[counted]).sum())
        matches += float(counted.sum())
    return total / max(matches, 1.0)
