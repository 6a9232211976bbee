"""Pairs: some pairs do better or worse together than their strengths suggest; intervals are widened for that.

A player may do better or worse against an opponent, or with a partner, than the two strengths suggest. A strength is
meant against average company, so the error comes from the difference between the players met and average company.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

_USUAL = 0.5
"""Prior standard deviation of pair effects, as a multiple of that of players."""
_NOISES, _EFFECTS = 16, 6
_CHUNK = 4_000_000


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
    """The pairs of a kind that met: `first` and `second` player by pair, and where each pair had its effect.

    `at` has, for each company, arrays of match, side, pair, and the share of the effect that the side gets.
    """

    first: NDArray[Any]
    second: NDArray[Any]
    at: tuple[tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]], ...]


def spread_of_pairs(
    league: LinkedPlayers, fit: Fit, factor: NDArray[Any], strength: NDArray[Any], residuals: Sequence[NDArray[Any]],
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
    share = league.hands / league.hands.sum()
    centred = strength - share @ strength
    usual = _USUAL**2 * max(float(share @ centred**2 - share @ np.diag(fit.covariance)), 0.0)
    added = np.zeros((k, k))
    if usual > 0:
        for kind in kinds:
            pairs = _pairs(league, kind)
            variance = _variance(league, fit, factor, residuals, pairs, usual) if len(pairs.first) else 0.0
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
    return Pairs(distinct // k, distinct % k, at)


def _variance(
    league: LinkedPlayers, fit: Fit, factor: NDArray[Any], residuals: Sequence[NDArray[Any]], pairs: Pairs, usual: float
) -> float:
    """Estimate the variance of pair effects by moments: how much the residuals of a pair add up, beyond noise alone."""
    rng, count = np.random.default_rng(0), len(pairs.first)

    def moment(values: Sequence[NDArray[Any]]) -> float:
        sums = np.zeros(count)
        for value, (match, side, pair, _) in zip(values, pairs.at, strict=True):
            sums += np.bincount(pair, value[match, side], count)
        return float(sums @ sums)

    def refitted(values: Sequence[NDArray[Any]]) -> float:
        points = [value - value.mean(1, keepdims=True) for value in values]
        seen = sum(
            (
                one.scattered(w * d, len(factor))
                for one, w, d in zip(league.companies, fit.weights, points, strict=True)
            ),
            np.zeros(len(factor)),
        )
        strength = fit.covariance @ seen
        return moment(
            [
                np.where(w > 0, d - one.expected(strength), 0.0)
                for one, w, d in zip(league.companies, fit.weights, points, strict=True)
            ]
        )

    deviation = [
        np.sqrt(np.where(w > 0, 1 / np.where(w > 0, w, 1), 0.0) * (factor[one.who] ** 2 @ one.mean.T))
        for one, w in zip(league.companies, fit.weights, strict=True)
    ]
    noise = np.array([refitted([rng.normal(0, 1, some.shape) * some for some in deviation]) for _ in range(_NOISES)])
    effects = [refitted(_effects(league.companies, pairs, rng.normal(0, 1, count))) for _ in range(_EFFECTS)]
    unit = max(float(np.mean(effects)), 1e-300)
    error = max(float(noise.std(ddof=1)) / unit, 1e-150)
    seen = (moment(residuals) - float(noise.mean())) / unit
    return max(0.0, (seen / error**2 + 1 / usual) / (1 / error**2 + 1 / usual**2))


def _effects(companies: Sequence[Company], pairs: Pairs, effect: NDArray[Any]) -> list[NDArray[Any]]:
    """Return the points that pair effects add to sides."""
    effects = []
    for one, (match, side, pair, part) in zip(companies, pairs.at, strict=True):
        sides = len(one.mean)
        effects.append(np.bincount(match * sides + side, effect[pair] * part, len(one.who) * sides).reshape(-1, sides))
    return effects


def _covariance(league: LinkedPlayers, fit: Fit, pairs: Pairs, kind: KindOfPair, group: NDArray[Any]) -> NDArray[Any]:
    """Return the covariance from pair effects of variance 1: (A⁺G − H)(A⁺G − H)', from players × players products only.

    G has the score of each pair that met, H the value of pairs inside a group in average company.
    """
    k, inverse = len(group), fit.covariance
    player, pair, value = _scores(league, fit, pairs)
    same = group[:, None] == group
    share = league.hands / np.maximum(same @ league.hands, 1e-12)
    inside = same[pairs.first, pairs.second]
    by_first = np.bincount(player * k + pairs.first[pair], value * (share[pairs.second] * inside)[pair], k * k)
    by_second = np.bincount(player * k + pairs.second[pair], value * (share[pairs.first] * inside)[pair], k * k)
    mixed = inverse @ (kind.own * by_first + kind.other * by_second).reshape(k, k)
    among = (kind.own**2 + kind.other**2) * (same @ share**2 - share**2)
    average = np.diag(among) + 2 * kind.own * kind.other * np.outer(share, share) * (same & ~np.eye(k, dtype=bool))
    if kind.partners:
        average = average / 2  # count each pair once
    covariance: NDArray[Any] = inverse @ _squared(player, pair, value, k) @ inverse - mixed - mixed.T + average
    return covariance


def _scores(league: LinkedPlayers, fit: Fit, pairs: Pairs) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the entries of G: player, pair and value, in the order of pairs."""
    k, keys, values = len(league.players), [], []
    for one, weight, (match, side, pair, part) in zip(league.companies, fit.weights, pairs.at, strict=True):
        sides = len(one.mean)
        centre = np.eye(sides) - 1 / sides
        # The effect of one more point for a side on the right side of the normal equations, by match, side and seat.
        moved = np.einsum("jh,hs,hg->jgs", weight, one.design, centre)[match, side] * part[:, None]
        keys.append((pair[:, None] * k + one.who[match]).ravel())
        values.append(moved.ravel())
    distinct, number = np.unique(np.concatenate(keys), return_inverse=True)
    return distinct % k, distinct // k, np.bincount(number, np.concatenate(values))


def _squared(player: NDArray[Any], pair: NDArray[Any], value: NDArray[Any], k: int) -> NDArray[Any]:
    """Return GG', computed in chunks of pairs."""
    total = np.zeros(k * k)
    size = np.bincount(pair)
    first = np.cumsum(size) - size
    work = np.cumsum(size[pair])  # products up to each entry
    start = 0
    while start < len(pair):
        end = max(int(np.searchsorted(work, (work[start - 1] if start else 0) + _CHUNK)), start + 1)
        entries = np.arange(start, end)
        width = size[pair[entries]]
        one = np.repeat(entries, width)
        other = first[pair[one]] + np.arange(len(one)) - np.repeat(np.cumsum(width) - width, width)
        total += np.bincount(player[one] * k + player[other], value[one] * value[other], k * k)
        start = end
    return total.reshape(k, k)
