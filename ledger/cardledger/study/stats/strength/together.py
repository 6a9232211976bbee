"""What company does.

How much better a player does with or against another than their strengths say, and which pairs stand out.

The effect of a pair is one more unknown of the least squares fit, so it is free of the strengths of both (Frisch and
Waugh).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS
from cardledger.study.stats.strength.form import EveningForm, Noise, form_of_evenings
from cardledger.study.stats.strength.least_squares import least_squares
from cardledger.study.stats.strength.shared_effects import refitted
from cardledger.study.stats.strength.swings import swings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers
    from cardledger.study.stats.strength.least_squares import Fit

How = Literal["against", "with", "together"]
"""Against: the first of two opponents does better. With: two partners do.

Together: two opponents both do, at the others' cost.
"""
MIN_MATCHES = 8
"""Least number of matches together for an answer about a pair."""
FEWEST_PAIRS = 10
"""Least number of pairs for a screen: fewer do not show how much pairs differ without any reason."""
SIMULATIONS = 500
"""Number of leagues of players without any agreement that a screen is compared with."""
_LEAST = 0.02
"""Least share of a pair's matches that tells the pair from its players."""
_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class PairEffect:
    """How many more points a hand a pair makes when it meets than its strengths say.

    `first` and `second` are positions in the league. `matches` is the number of matches in which they met and `hands`
    that of their hands, `error` the standard error, `freedom` its degrees of freedom.
    """

    first: int
    second: int
    matches: int
    hands: int
    effect: float
    error: float
    freedom: float


@dataclass(frozen=True, slots=True)
class StandsOut:
    """A pair that did better together than chance explains.

    `rate` is that of leagues in which chance makes some pair stand out as much.

    `score` is the effect in standard errors, divided by how much all pairs differ. `halves` are the effects in the
    matches with an odd and an even place in the order of the league.
    """

    pair: PairEffect
    score: float
    rate: float
    halves: tuple[float, float]


@dataclass(frozen=True)
class _Met:
    """Where pairs met: for each company the pair, the match and the effect on each side, less the mean of the table."""

    first: NDArray[Any]
    second: NDArray[Any]
    at: tuple[tuple[NDArray[Any], NDArray[Any], NDArray[Any]], ...]


def effects(league: LinkedPlayers, how: How, player: int | None = None) -> list[PairEffect]:
    """Return the effects of pairs that met often enough: all of a kind, or those of one player as the first."""
    fit = least_squares(league)
    if fit.freedom < 1:
        return []
    met = _met(league, how, player)
    swing_of = swings(league, fit)
    form = form_of_evenings(league, fit, swing_of.factor)
    factor = swing_of.factor
    information = _information(league, fit, met)
    score = _scores(league, fit, met, fit.residuals)
    matches, hands, evenings = _often(league, met)
    more = _of_form(league, fit, met, form)
    found = []
    enough = (matches >= MIN_MATCHES) & (evenings >= FEWEST_EVENINGS) & (information > 0)
    for at in np.flatnonzero(enough):
        first, second = int(met.first[at]), int(met.second[at])
        swing = _swing(factor, how, first, second)
        variance = swing**2 / information[at] + more[at] / information[at] ** 2
        freedom = float(swing_of.freedom[[first, second]].min())
        if evenings[at] < matches[at]:
            freedom = min(freedom, evenings[at] - 1)
        found.append(
            PairEffect(
                first, second, int(matches[at]), int(hands[at]), float(score[at] / information[at]),
                float(variance**0.5), freedom,
            )
        )  # fmt: skip
    return found


def standing_out(league: LinkedPlayers, how: How, *, fewest: bool = False) -> tuple[list[StandsOut], int]:
    """Return the pairs by how far they stand out, and the number of pairs looked at; none with too few pairs.

    How much pairs differ without any reason is taken from all of them: some just get on well. Each is compared with the
    most striking pair of leagues in which the same matches have the results of others.
    """
    fit = least_squares(league)
    met = _met(league, how, None)
    matches, hands, _ = _often(league, met)
    information = _information(league, fit, met)
    chosen = np.flatnonzero((matches >= MIN_MATCHES) & (information > 0))
    if fit.freedom < 1 or len(chosen) < FEWEST_PAIRS:
        return [], len(chosen)
    factor = swings(league, fit).factor
    form = form_of_evenings(league, fit, factor)
    swing = np.array([_swing(factor, how, int(met.first[at]), int(met.second[at])) for at in chosen])
    unit = swing * information[chosen] ** 0.5

    better = -1 if fewest else 1

    def scored(residuals: Sequence[NDArray[Any]]) -> NDArray[Any]:
        z = _scores(league, fit, met, residuals)[chosen] / unit
        return better * z / _spread(z)

    score = scored(fit.residuals)
    rng = np.random.default_rng(0)
    most = np.array([scored(_refitted(league, fit, factor, form, rng)).max() for _ in range(SIMULATIONS)])
    whole = _scores(league, fit, met, fit.residuals)
    halves = [_scores(league, fit, met, _half(fit.residuals, half))[chosen] for half in (0, 1)]
    weights = [_information(league, fit, met, half)[chosen] for half in (0, 1)]
    found = []
    for place in np.argsort(-score, kind="stable").tolist():
        at = int(chosen[place])
        rate = float((most >= score[place]).sum() + 1) / (SIMULATIONS + 1)
        pair = PairEffect(
            int(met.first[at]), int(met.second[at]), int(matches[at]), int(hands[at]),
            float(whole[at] / information[at]),
            float(swing[place] / information[at] ** 0.5), fit.freedom,
        )  # fmt: skip
        parts = tuple(
            float(half[place] / weight[place]) if weight[place] > 0 else 0.0
            for half, weight in zip(halves, weights, strict=True)
        )
        found.append(StandsOut(pair, float(score[place]), rate, (parts[0], parts[1])))
    return found, len(chosen)


def _spread(scores: NDArray[Any]) -> float:
    """Return the standard deviation of scores by their middle half, so that a few that stand out do not count."""
    low, high = np.quantile(scores, (0.25, 0.75))
    return max(float(high - low) / 1.349, 1e-9)


def _swing(factor: NDArray[Any], how: How, first: int, second: int) -> float:
    """Return how swingy the results of a pair are."""
    return float(factor[first]) if how == "against" else float(((factor[first] ** 2 + factor[second] ** 2) / 2) ** 0.5)


def _places(one: Company, how: How) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """Yield the seats of pairs at a table, and the effect of each on the sides."""
    sides = len(one.mean)
    for i, o in permutations(range(len(one.sides)), 2) if how == "against" else combinations(range(len(one.sides)), 2):
        if (one.sides[i] == one.sides[o]) == (how == "with"):
            effect = np.zeros(sides)
            effect[one.sides[i]] = 1
            if how == "together":
                effect[one.sides[o]] = 1
            yield i, o, effect - effect.mean()


def _met(league: LinkedPlayers, how: How, player: int | None) -> _Met:
    """Return where pairs met; only those with `player` as the first, if there is one."""
    k = len(league.players)
    keys, at = [], []
    for one in league.companies:
        pairs, matches, effects_ = (
            [np.zeros(0, dtype=np.int64)],
            [np.zeros(0, dtype=np.int64)],
            [np.zeros((0, len(one.mean)))],
        )
        for i, o, effect in _places(one, how):
            first, second = one.who[:, i], one.who[:, o]
            here = (one.hands[:, one.sides[i]] > 0) & (first != second)
            if how != "against":
                here &= one.hands[:, one.sides[o]] > 0
                if player is not None:
                    first, second = np.where(second == player, second, first), np.where(second == player, first, second)
                else:
                    first, second = np.minimum(first, second), np.maximum(first, second)
            if player is not None:
                here &= first == player
            pairs.append((first * k + second)[here])
            matches.append(np.flatnonzero(here))
            effects_.append(np.broadcast_to(effect, (int(here.sum()), len(effect))))
        keys.append(np.concatenate(pairs))
        at.append((np.concatenate(matches), np.concatenate(effects_)))
    distinct, number = np.unique(np.concatenate(keys), return_inverse=True)
    ends = np.cumsum([0, *map(len, keys)])
    return _Met(
        distinct // k,
        distinct % k,
        tuple((number[start:end], *of) for of, start, end in zip(at, ends[:-1], ends[1:], strict=True)),
    )


def _often(league: LinkedPlayers, met: _Met) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the number of matches, hands and evenings of each pair."""
    hands = np.zeros(len(met.first))
    for one, (pair, match, _) in zip(league.companies, met.at, strict=True):
        hands += np.bincount(pair, one.hands[match].max(1), len(hands))

    def distinct(names: Sequence[NDArray[Any]]) -> NDArray[Any]:
        # Where sides change from hand to hand, a match counts once, on however many sides they met in it.
        both = [np.stack((pair, name[match])) for name, (pair, match, _) in zip(names, met.at, strict=True)]
        times: NDArray[Any] = np.bincount(np.unique(np.concatenate(both, axis=1), axis=1)[0], minlength=len(hands))
        return times

    return (
        distinct([one.match for one in league.companies]), hands, distinct([one.evenings for one in league.companies])
    )  # fmt: skip


def _of_form(league: LinkedPlayers, fit: Fit, met: _Met, form: EveningForm) -> NDArray[Any]:
    """Return what form adds to the variance of each pair's score, where the pair met several times in an evening.

    That strengths are unknown is left out; it would make this less.
    """
    pairs = len(met.first)
    if not form.variance:
        return np.zeros(pairs)
    keys, values = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    k = len(league.players)
    most = max(int(one.evenings.max(initial=0)) for one in league.companies) + 1
    for one, weight, (pair, match, effect) in zip(league.companies, fit.weights, met.at, strict=True):
        moved = (effect * weight[match]) @ one.design
        who = one.who[match].astype(np.int64)
        keys.append(((pair[:, None] * k + who) * most + one.evenings[match][:, None]).ravel())
        values.append(moved.ravel())
    distinct, number = np.unique(np.concatenate(keys), return_inverse=True)
    moved = np.concatenate(values)
    shared = np.bincount(number, moved) ** 2 - np.bincount(number, moved**2)
    added: NDArray[Any] = np.maximum(form.variance * np.bincount(distinct // most // k, shared, pairs), 0.0)
    return added


def _scores(league: LinkedPlayers, fit: Fit, met: _Met, residuals: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the weighted sum of a pair's effects times residuals."""
    total = np.zeros(len(met.first))
    for weight, residual, (pair, match, effect) in zip(fit.weights, residuals, met.at, strict=True):
        total += np.bincount(pair, (effect * (weight * residual)[match]).sum(1), len(total))
    return total


def _information(league: LinkedPlayers, fit: Fit, met: _Met, half: int | None = None) -> NDArray[Any]:
    """Return one over the variance of each effect, with the strengths of all players unknown.

    0 if the matches do not tell.

    With `half` only every second match counts, and strengths are as known from all.
    """
    k, pairs = len(league.players), len(met.first)
    own = np.zeros(pairs)
    entries: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    for one, weight, (pair, match, effect) in zip(league.companies, fit.weights, met.at, strict=True):
        counted = np.ones(len(match)) if half is None else (match % 2 == half).astype(float)
        weighted = effect * weight[match] * counted[:, None]
        own += np.bincount(pair, (weighted * effect).sum(1), pairs)
        entries.append((pair, one.who[match], weighted @ one.design))
    if half is not None:
        return own
    shared = np.zeros(pairs)
    for start in range(0, pairs, _CHUNK):
        end = min(start + _CHUNK, pairs)
        on_players = np.zeros((end - start) * k)
        for pair, who, moved in entries:
            here = (pair >= start) & (pair < end)
            keys = (pair[here] - start)[:, None] * k + who[here]
            on_players += np.bincount(keys.ravel(), moved[here].ravel(), len(on_players))
        rows = on_players.reshape(-1, k)
        shared[start:end] = np.einsum("pk,kl,pl->p", rows, fit.covariance, rows, optimize=True)
    left = own - shared
    return np.where(left > _LEAST * own, left, 0.0)


def _refitted(
    league: LinkedPlayers, fit: Fit, factor: NDArray[Any], form: EveningForm, rng: np.random.Generator
) -> list[NDArray[Any]]:
    """Return the residuals of the league if each match had the luck of another, and its sides that of each other.

    Players have a form of the evening, drawn each time.
    """
    points = []
    noise = Noise(league, fit, np.ones_like(factor), form)
    whole = Noise(league, fit, np.ones_like(factor), form.without)
    # The fit has taken some of the noise into strengths, and will again.
    sides = sum(float(((weight > 0) * (1 - 1 / weight.shape[1])).sum()) for weight in fit.weights)
    lost = (sides / fit.freedom) ** 0.5
    of_form = noise.of_form(rng)
    for one, weight, residual, left, all_of_it, evening in zip(
        league.companies, fit.weights, fit.residuals, noise.deviation, whole.deviation, of_form, strict=True
    ):
        counted = weight > 0
        root = np.sqrt(np.where(counted, weight, 1.0)) / np.sqrt(factor[one.who] ** 2 @ one.mean.T)
        even = np.where(counted, residual * root, 0.0)[rng.permutation(len(residual))]
        even = rng.permuted(even, axis=1)
        drawn = np.where(counted, lost * even / root * (left / np.where(counted, all_of_it, 1.0)) + evening, 0.0)
        points.append(drawn - drawn.mean(1, keepdims=True))
    return refitted(league, fit, points)


def _half(residuals: Sequence[NDArray[Any]], half: int) -> list[NDArray[Any]]:
    """Return the residuals of every second match, 0 in the others."""
    return [np.where((np.arange(len(one)) % 2 == half)[:, None], one, 0.0) for one in residuals]
