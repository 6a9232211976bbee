"""Comparison: the players of a game by strength, pool by pool, and how certain each figure, place and verdict is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond, quantile
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS
from cardledger.study.stats.sample_size import more_hands
from cardledger.study.stats.strength.company import Sides, leagues
from cardledger.study.stats.strength.strengths import Strengths, strengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.measures.tally import Tally

MIN_MATCHES = 2
"""Least number of matches for a place in the pool."""
MIN_VERDICT = FEWEST_EVENINGS
"""Least number of evenings for a verdict of better or worse."""
PAIR = " + "
_SAMPLES = 4000
_MOST_POOLS = 6
"""How many pools are compared with each other: those with the most hands."""
_NORMAL = 1_000_000
"""Degrees of freedom of the normal distribution."""


@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """A player compared with the others of the same pool. A value is None where the matches do not determine it.

    All points a hand are against the average company of the pool: every player in it, weighted by hands. `adjusted`
    takes the strength of the opponents into account, and the luck of the deal off where it is known; `error` is its
    standard error. `believed`, with its 95% interval from `low` to `high`, is shrunk towards the others as far as the
    whole pool suggests. With 95% certainty the player's place lies between `rank_low` and `rank_high` among `ranked`
    players. `rank` is the place in the order of `believed`; it is None unless the interval covers at most half of the
    players. `best` is the probability of being the best of them. `q` is the p-value of no difference from the pool,
    corrected for looking at many players; `verdict` is "better", "worse" or "". `level` is the believed strength on one
    scale for all pools of a league.

    After `more_hands` more hands the interval of `adjusted` would reach half as far as the player now is from the
    average (`sample_size.more_hands`).

    `evenings` is the number of evenings: matches of one event and day are one. `pair` has all partners who never sat
    apart, the player among them; they share every figure and one place. `placeless` says that the player always sat in
    the same place from the dealer, so that place and strength cannot be told apart.
    """

    player: str
    pool: int
    hands: int
    matches: int
    evenings: int = 0
    pair: tuple[str, ...] = ()
    placeless: bool = False
    level: float | None = None
    adjusted: float | None = None
    error: float | None = None
    believed: float | None = None
    low: float | None = None
    high: float | None = None
    best: float | None = None
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    ranked: int = 0
    more_hands: int | None = None
    q: float | None = None
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """Players who are compared with each other, most hands first; `mean` is their mean points a hand.

    Pools of the same `league` are linked by a few matches. Pools of different leagues are not linked at all, not even
    through third players.
    """

    number: int
    league: int
    players: tuple[str, ...]
    matches: int
    hands: int
    mean: float


@dataclass(frozen=True, slots=True)
class PoolGap:
    """How many more points a hand the players of pool `other` make than those of `pool`, with the 95% interval.

    `matches` counts matches with players of both pools. If nothing links the two pools, `difference` is None.
    """

    pool: int
    other: int
    matches: int
    difference: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The players of a game: the pool with the most hands first, and in each pool the best believed strength first."""

    players: list[PlayerComparison]
    pools: list[Pool]
    between: list[PoolGap]


def compare(tally: Tally, *, sides: Sides, fewest: bool, by_pair: bool = False) -> Comparison:
    """Compare the players of a tally, the best first; `sides(n)` gives each of n seats its side.

    With `by_pair` partnerships are compared, as they played: `player` is then `PAIR` between the names of the partners,
    and all points are against the average pair.
    """
    players: list[PlayerComparison] = []
    pools: list[Pool] = []
    between: list[PoolGap] = []
    names = tally.sheet.text("player")
    player = tally.sheet.seats["player"][tally.rows]
    # A league counts the hands of a side for both partners; the query may choose only one of them, by seat for example.
    hands, points = (np.bincount(player, tally.of(count), len(names)) for count in ("hands", "fair"))
    for number, league in enumerate(leagues(tally, sides, by_pair=by_pair), 1):
        people = [
            [PAIR.join(names[code] for code in codes)] if by_pair else [names[code] for code in codes if hands[code]]
            for codes in league.units
        ]
        fitted = strengths(league)
        of_league = dict(_pools(fitted, number, len(pools) + 1, people))
        if not by_pair:
            mean_of = {name: (points[code], hands[code]) for code, name in enumerate(names)}
            of_league = {group: _with_mean(pool, mean_of) for group, pool in of_league.items()}
        pools += of_league.values()
        between += _between(fitted, of_league)
        for group, pool in of_league.items():
            players += _compared(fitted, group, pool, people, names, fewest=fewest)
    between += [
        PoolGap(one.number, other.number, 0, None, None, None)
        for one, other in combinations(pools[:_MOST_POOLS], 2)
        if one.league != other.league
    ]
    return Comparison(_judged(players), pools, sorted(between, key=lambda one: (one.pool, one.other)))


def _pools(fitted: Strengths, league: int, first: int, people: Sequence[list[str]]) -> Iterator[tuple[int, Pool]]:
    """Yield the pools of a league by group: the players who are compared with each other; their mean counts as 0."""
    number = first
    for group in range(int(fitted.group.max()) + 1):
        members = tuple(name for at in np.flatnonzero(fitted.group == group).tolist() for name in people[at])
        if not members:
            continue
        matches = sum(
            int(((fitted.group[one.who] == group) & (one.by_seat(one.hands) > 0)).any(1).sum())
            for one in fitted.league.companies
        )
        hands = round(float((fitted.league.hands * fitted.league.sizes)[fitted.group == group].sum()))
        yield group, Pool(number, league, members, matches, hands, 0.0)
        number += 1


def _with_mean(pool: Pool, of: Mapping[str, tuple[float, float]]) -> Pool:
    """Return a pool with the mean points and the hands of its players, given by name."""
    points, hands = (sum(of[name][at] for name in pool.players) for at in (0, 1))
    return replace(pool, hands=int(hands), mean=float(points) / float(hands))


def _between(fitted: Strengths, pools: dict[int, Pool]) -> Iterator[PoolGap]:
    """Yield the differences between the pools of a league, as far as they are known."""
    for one, other in combinations([*pools][:_MOST_POOLS], 2):
        numbers = pools[one].number, pools[other].number
        contrast = fitted.field(other) - fitted.field(one)
        both = 0
        for company in fitted.league.companies:
            at = fitted.group[company.who]
            both += int(((at == one).any(1) & (at == other).any(1)).sum())
        doubt = fitted.belief.error(contrast)
        if doubt is None or not fitted.estimable:
            yield PoolGap(*numbers, both, None, None, None)
            continue
        difference, half = float(contrast @ fitted.belief.mean), quantile(_NORMAL) * doubt
        yield PoolGap(*numbers, both, difference, difference - half, difference + half)


def _compared(
    fitted: Strengths, group: int, pool: Pool, people: Sequence[list[str]], names: list[str], *, fewest: bool
) -> Iterator[PlayerComparison]:
    """Yield the players of a pool, the best first; those with too few matches for a place come last."""
    league, belief = fitted.league, fitted.belief
    inside = {i: of for i, of in enumerate(people) if fitted.group[i] == group and of}
    field = fitted.field(group)
    mean = (belief.mean - field @ belief.mean).tolist()
    differences = (fitted.strength - field @ fitted.strength).tolist()
    known, errors, doubts = fitted.known_against(field), fitted.errors_against(field), belief.errors_against(field)
    better = 1 if fewest else -1
    # The last digits of a mean depend on the order of recording; places must not.
    order = sorted(inside, key=lambda i: (league.matches[i] < MIN_MATCHES, round(better * mean[i], 9), inside[i]))
    placed = [i for i in order if league.matches[i] >= MIN_MATCHES]
    places = _places(fitted, placed, np.array([better * mean[i] for i in placed])) if len(placed) > 1 else {}
    for i in order:
        own = PlayerComparison("", pool.number, round(league.hands[i]), round(league.matches[i]))
        own = replace(own, evenings=int(fitted.evenings[i]), placeless=fitted.placeless(i))
        if len(inside) > 1 and fitted.estimable:
            if known[i]:
                difference, error = differences[i], float(errors[i])
                more = more_hands(error, own.hands, abs(difference) / 2)
                own = replace(own, adjusted=pool.mean + difference, error=error, more_hands=more)
                if fitted.evenings[i] >= MIN_VERDICT:
                    chance = beyond(difference / error, float(fitted.freedom[i]))
                    own = replace(own, q=chance, verdict="better" if (difference < 0) == fewest else "worse")
            if (doubt := float(doubts[i])) < inf:
                value, half = pool.mean + mean[i], quantile(_NORMAL) * doubt
                own = replace(
                    own, level=float(belief.mean[i]), believed=value, low=value - half, high=value + half,
                    **places.get(i, {}),
                )  # fmt: skip
        pair = tuple(names[code] for code in league.units[i])
        for name in inside[i]:
            yield replace(own, player=name, pair=pair if len(pair) > 1 else ())


def _places(fitted: Strengths, placed: list[int], mean: NDArray[Any]) -> dict[int, dict[str, Any]]:
    """Return the place of each player, the best first, in samples of what the true strengths may be."""
    values, vectors = np.linalg.eigh(fitted.belief.covariance[np.ix_(placed, placed)])
    # The symmetric root is the only one that hardly changes when the covariance does.
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    true = mean + np.random.default_rng(2).standard_normal((_SAMPLES, len(placed))) @ root
    best = np.bincount(true.argmin(axis=1), minlength=len(placed)) / _SAMPLES
    places = np.empty(true.shape, dtype=np.int16 if len(placed) < 2**15 else np.int64)
    np.put_along_axis(places, true.argsort(axis=1), np.arange(1, len(placed) + 1, dtype=places.dtype)[None], axis=1)
    ends = int(0.025 * _SAMPLES), int(0.975 * _SAMPLES) - 1
    low, high = np.partition(places, ends, axis=0)[[*ends]]
    return {
        i: {
            "best": float(best[at]),
            "rank": at + 1 if 2 * (high[at] - low[at] + 1) <= len(placed) else None,
            "rank_low": int(min(low[at], at + 1)),
            "rank_high": int(max(high[at], at + 1)),
            "ranked": len(placed),
        }
        for at, i in enumerate(placed)
    }


def _judged(players: list[PlayerComparison]) -> list[PlayerComparison]:
    """Return the players with corrected p-values; only players with a small one keep their verdict."""
    asked = [at for at, one in enumerate(players) if one.q is not None]
    corrected = dict(zip(asked, benjamini_hochberg([players[at].q or 0.0 for at in asked]), strict=True))
    return [
        replace(one, q=corrected.get(at), verdict=one.verdict if corrected.get(at, 1.0) <= FALSE_DISCOVERIES else "")
        for at, one in enumerate(players)
    ]
