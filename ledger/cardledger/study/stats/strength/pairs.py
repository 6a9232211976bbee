"""Pairs: some pairs do better or worse together than their strengths suggest; intervals are widened for that.

A player may do better or worse against an opponent, or with a partner, than the two strengths suggest. A strength is
meant against average company, so the error comes from the difference between the players met and average company.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.shared_effects import Shared, refitted, squared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import LinkedPlayers
    from cardledger.study.stats.strength.form import Noise
    from cardledger.study.stats.strength.least_squares import Fit

_USUAL = 0.5
"""Prior standard deviation of pair effects, as a multiple of that of players."""
_NOISES, _EFFECTS = 16, 6


@dataclass(frozen=True, slots=True)
class KindOfPair:
    """A kind of pair: two partners, or two opponents of whom the first does better or worse against the second."""

    own: float
    """How much an effect on a side changes the strength of the first player."""
    other: float
    """The same for the second player."""
    partners: bool


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of a kind that met: `first` and `second` player by pair, and the effects they had."""

    first: NDArray[Any]
    second: NDArray[Any]
    shared: Shared


def spread_of_pairs(
    league: LinkedPlayers, fit: Fit, noise: Noise, strength: NDArray[Any], residuals: Sequence[NDArray[Any]],
    group: NDArray[Any],
) -> NDArray[Any]:  # fmt: skip
    """Return the covariance that pair effects add to that of strengths."""
    k = len(strength)
    n = float(
        np.average([len(one.mean) for one in league.companies], weights=[len(one.who) for one in league.companies])
    )
    kinds = [KindOfPair(1 - 1 / n, -1 / n, partners=False)]
    if any(len(one.mean) < len(one.sides) for one in league.companies):
        kinds.append(KindOfPair(2.0, 2.0, partners=True))
    share = league.share
    centred = strength - share @ strength
    usual = _USUAL**2 * max(float(share @ centred**2 - share @ np.diag(fit.covariance)), 0.0)
    added = np.zeros((k, k))
    if usual > 0:
        for kind in kinds:
            pairs = _pairs(league, kind)
            variance = _variance(league, fit, noise, residuals, pairs, usual) if len(pairs.first) else 0.0
            if variance:
                added += variance * _covariance(league, fit, pairs, kind, group)
    centre = np.eye(k) - share
    covariance: NDArray[Any] = centre @ added @ centre.T
    return covariance


def _pairs(league: LinkedPlayers, kind: KindOfPair) -> Pairs:
    """Return the pairs of a kind in a league."""
    k, by_company = len(league.players), []
    for one in league.companies:
        sizes = np.bincount(one.sides)
        seats = range(len(one.sides))
        if kind.partners:
            places = [
                (i, o, one.sides[i], 2 / (sizes[one.sides[i]] * (sizes[one.sides[i]] - 1)))
                for i, o in combinations(seats, 2)
                if one.sides[i] == one.sides[o]
            ]
        else:
            places = [
                (i, o, one.sides[i], 1 / (sizes[one.sides[i]] * (len(seats) - sizes[one.sides[i]])))
                for i in seats
                for o in seats
                if one.sides[i] != one.sides[o]
            ]
        match = np.arange(len(one.who))
        keys, matches, sides, shares = [], [], [], []
        for i, o, side, part in places:
            here = one.hands[:, side] > 0
            first, second = one.who[here, i], one.who[here, o]
            if kind.partners:
                first, second = np.minimum(first, second), np.maximum(first, second)
            apart = first != second  # partners who never parted are one
            here[here] = apart
            first, second = first[apart], second[apart]
            keys.append(first * k + second)
            matches.append(match[here])
            sides.append(np.full(len(first), side))
            shares.append(np.full(len(first), part))
        by_company.append(
            [
                np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
                for parts in (keys, matches, sides, shares)
            ]
        )
    distinct, number = np.unique(np.concatenate([keys for keys, *_ in by_company]), return_inverse=True)
    ends = np.cumsum([0, *(len(keys) for keys, *_ in by_company)])
    at = tuple(
        (match, side, number[start:end], part)
        for (_, match, side, part), start, end in zip(by_company, ends[:-1], ends[1:], strict=True)
    )
    return Pairs(distinct // k, distinct % k, Shared(len(distinct), at))


def _variance(
    league: LinkedPlayers, fit: Fit, noise: Noise, residuals: Sequence[NDArray[Any]], pairs: Pairs, usual: float
) -> float:
    """Estimate the variance of pair effects by moments: how much the residuals of a pair add up, beyond noise alone."""
    rng = np.random.default_rng(0)

    def moment(values: Sequence[NDArray[Any]]) -> float:
        sums = pairs.shared.sums(values)
        return float(sums @ sums)

    alone = np.array([moment(refitted(league, fit, noise.drawn(rng))) for _ in range(_NOISES)])
    effects = [
        moment(refitted(league, fit, pairs.shared.drawn(league.companies, rng.normal(0, 1, pairs.shared.count))))
        for _ in range(_EFFECTS)
    ]
    unit = max(float(np.mean(effects)), 1e-300)
    error = max(float(alone.std(ddof=1)) / unit, 1e-150)
    seen = (moment(residuals) - float(alone.mean())) / unit
    return max(0.0, (seen / error**2 + 1 / usual) / (1 / error**2 + 1 / usual**2))


def _covariance(league: LinkedPlayers, fit: Fit, pairs: Pairs, kind: KindOfPair, group: NDArray[Any]) -> NDArray[Any]:
    """Return the covariance from pair effects of variance 1: (A⁺G − H)(A⁺G − H)', from players × players products only.

    G has the score of each pair that met, H the value of pairs inside a group in average company.
    """
    k, inverse = len(group), fit.covariance
    player, pair, value = pairs.shared.scores(league, fit)
    same = group[:, None] == group
    share = league.share / np.maximum(same @ league.share, 1e-12)
    inside = same[pairs.first, pairs.second]
    by_first = np.bincount(player * k + pairs.first[pair], value * (share[pairs.second] * inside)[pair], k * k)
    by_second = np.bincount(player * k + pairs.second[pair], value * (share[pairs.first] * inside)[pair], k * k)
    mixed = inverse @ (kind.own * by_first + kind.other * by_second).reshape(k, k)
    among = (kind.own**2 + kind.other**2) * (same @ share**2 - share**2)
    average = np.diag(among) + 2 * kind.own * kind.other * np.outer(share, share) * (same & ~np.eye(k, dtype=bool))
    if kind.partners:
        average = average / 2  # count each pair once
    covariance: NDArray[Any] = inverse @ squared(player, pair, value, k) @ inverse - mixed - mixed.T + average
    return covariance
