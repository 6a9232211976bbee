"""Change: whether a player's strength stayed the same, its trend, and the current strength against the overall one.

Sources: HC3 as MacKinnon and White 1985; a drifting level (local level model) as Harvey 1989; shuffles
that end early as Besag and Clifford 1991.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, quantile
from cardledger.study.stats.strength.company import leagues

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.compare import Comparison
    from cardledger.study.stats.measures.tally import Tally
    from cardledger.study.stats.strength.company import Sides

Unit = tuple[str, ...]
"""A player, or all partners who never sat apart."""
MIN_EVENINGS = 8
"""Least number of evenings for an answer."""
_EDGE = 8
"""Least number of evenings on either side of a break."""
_SHUFFLES = 10_000
"""The most shuffles: enough for a break to be found among 400 players who did not change."""
_BATCH = 100
_AS_LARGE = 20
"""Shuffling ends at this many orders with a break as large."""
_RATES = 25
_YEAR = 365.25
_NORMAL = 1_000_000
_NEVER = 0
"""The number of an unknown day in a calendar, whose first day is 1."""


@dataclass(frozen=True, slots=True)
class StrengthChange:
    """How a player's strength moved, in points a hand against average company, with 95% intervals.

    `season` is the strength over all evenings, `now` the strength after the last one, modelled as a level that drifts.
    `trend` is the change in a year. `chance` is the p-value of the largest break, corrected for all players and games
    looked at (None with too few evenings), and `stayed` says whether the strength stayed the same as far as that shows.
    The matches of an evening are one result.
    """

    matches: int
    evenings: int
    first: str
    last: str
    season: float
    season_low: float
    season_high: float
    now: float
    now_low: float
    now_high: float
    trend: float | None
    trend_low: float | None
    trend_high: float | None
    chance: float | None

    @property
    def stayed(self) -> bool:
        """Whether there is no evidence of a break."""
        return self.chance is None or self.chance > FALSE_DISCOVERIES


def change(
    tally: Tally, sides: Sides, comparison: Comparison, player: str, chances: Mapping[Unit, float] | None = None
) -> StrengthChange | None:
    """Return how a player's strength moved; None with too few matches, or if the strength is not known.

    `chances` are the corrected ones; without them those of this game are computed.
    """
    matches, days, points = courses(tally, sides, comparison, [player])[player]
    if len(points) < MIN_EVENINGS:
        return None
    if chances is None:
        chances = corrected([breaks(tally, sides, comparison)])[0]
    unit = next((one.pair for one in comparison.players if one.player == player), ()) or (player,)
    first, last = (date.fromordinal(int(days[at])).isoformat() for at in (0, -1))
    season, half = float(points.mean()), quantile(len(points) - 1) * float(points.std(ddof=1)) / len(points) ** 0.5
    level, doubt = now(days, points)
    slope, wide = trend(days, points) or (None, 0.0)
    return StrengthChange(
        matches, len(points), first, last, season, season - half, season + half, level, level - doubt, level + doubt, slope,
        None if slope is None else slope - wide, None if slope is None else slope + wide, chances.get(unit),
    )  # fmt: skip


def breaks(tally: Tally, sides: Sides, comparison: Comparison) -> dict[Unit, float]:
    """Return the p-value of the largest break of everybody with enough evenings.

    Partners who never parted count once.
    """
    units = {one.pair or (one.player,): one.player for one in comparison.players}
    of = courses(tally, sides, comparison, [*units.values()])
    found = {unit: broken(of[player][2]) for unit, player in units.items()}
    return {unit: chance for unit, chance in found.items() if chance is not None}


def corrected(games: Sequence[Mapping[Unit, float]]) -> list[dict[Unit, float]]:
    """Return p-values by game and player, corrected for all players of all these games (Benjamini and Hochberg)."""
    chances = iter(benjamini_hochberg([chance for game in games for chance in game.values()]))
    return [{unit: next(chances) for unit in game} for game in games]


def evening_results(tally: Tally, sides: Sides, comparison: Comparison, player: str) -> list[tuple[str, float]]:
    """Return the day of each evening of a player, and the result, corrected for everybody else's strength."""
    _, days, points = courses(tally, sides, comparison, [player])[player]
    return [
        (date.fromordinal(day).isoformat(), value) for day, value in zip(days.tolist(), points.tolist(), strict=True)
    ]


def courses(
    tally: Tally, sides: Sides, comparison: Comparison, players: Sequence[str]
) -> dict[str, tuple[int, NDArray[Any], NDArray[Any]]]:
    """Return for each player the number of matches, and day and result of each evening, in order.

    A result is the points a hand, corrected for everybody else's strength: the mean of the matches of an evening.
    Evenings of an unknown day have no place in the order, and are left out.
    """
    sheet = tally.sheet
    of = {one.player: one for one in comparison.players}
    level = {one.player: one.level for one in comparison.players if one.level is not None}
    texts, ids = sheet.text("player"), sheet.text("match")
    calendar = np.array([*(date.fromisoformat(day).toordinal() for day in sheet.text("date")), _NEVER])
    rank = np.argsort(np.argsort(np.array(ids, dtype=object)))
    results: dict[str, list[NDArray[Any]]] = {player: [] for player in players}
    for league in leagues(tally, sides):
        strength = np.array([level.get(texts[one], 0.0) if one is not None else 0.0 for one in league.players])
        at_of = {code: at for at in range(len(league.players)) for code in league.of(at)}
        sitting = [(one, side, one.expected(strength)[:, side]) for one in league.companies for side in {*one.sides}]
        for one, side, expected in sorted(sitting, key=lambda sat: sat[1]):
            seats = [seat for seat, its in enumerate(one.sides) if its == side]
            at, row, times = _sat(one.who[:, seats], one.hands[:, side] > 0)
            share = one.design[side, seats[0]] * times
            others = (one.points[row, side] - (expected[row] - share * strength[at])) / share
            match = one.match[row]
            day, name = calendar[sheet.matches["date"][match]], rank[sheet.matches["match"][match]]
            sat = np.stack([one.evenings[row].astype(float), day.astype(float), name.astype(float), others])
            at, sat = at[day != _NEVER], sat[:, day != _NEVER]
            for player in players:
                own, its = of.get(player), at_of.get(sheet.texts["player"].get(player, -1))
                if own is not None and own.believed is not None and own.level is not None and its is not None:
                    mine = sat[:, slice(*np.searchsorted(at, [its, its + 1]))]
                    results[player].append(mine + np.array([[0.0], [0.0], [0.0], [own.believed - own.level]]))
    return {player: _course(np.concatenate([np.empty((4, 0)), *found], axis=1)) for player, found in results.items()}


def _sat(who: NDArray[Any], counts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return who sat on a side in each row that counts, and how many of its seats were theirs, in the order of the players."""
    rows = np.repeat(np.flatnonzero(counts), who.shape[1])
    keys, times = np.unique(who[counts].ravel().astype(np.int64) * len(who) + rows, return_counts=True)
    return keys // max(len(who), 1), keys % max(len(who), 1), times


def _course(results: NDArray[Any]) -> tuple[int, NDArray[Any], NDArray[Any]]:
    """Return the number of matches, and day and mean result of each evening; rows are evening, day, match and result."""
    # With sides that change from hand to hand a match is in several companies.
    matches = len(np.unique(results[2]))
    evening, day, match, value = results[:, np.lexsort(results[::-1])]
    first = np.flatnonzero(np.diff(evening, prepend=-1.0))
    if not len(first):
        return matches, np.array([]), np.array([])
    mean = np.add.reduceat(value, first) / np.diff(first, append=len(value))
    order = np.lexsort((mean, match[first], day[first]))
    return matches, day[first][order].astype(np.int64), mean[order]


def trend(days: NDArray[Any], points: NDArray[Any]) -> tuple[float, float] | None:
    """Return the change of results in a year, and half its 95% interval; None if all matches are on one day.

    The error is the larger of the ordinary one and HC3, because a few matches at the ends make either one too small.
    """
    years = (days - days.mean()) / _YEAR
    squares, n = float(years @ years), len(points)
    if not squares:
        return None
    slope = float(years @ points) / squares
    left = points - points.mean() - slope * years
    ordinary = float(left @ left) / (n - 2) / squares
    leverage = np.minimum(1 / n + years**2 / squares, 0.99)
    robust = float(((years * left / (1 - leverage)) ** 2).sum()) / squares**2
    return slope, quantile(max(n // 2, 1)) * max(ordinary, robust) ** 0.5


def now(days: NDArray[Any], points: NDArray[Any]) -> tuple[float, float]:
    """Return the strength after the last match, and half its 95% interval: a level that drifts at an unknown rate."""
    steps = np.diff(days)
    noise = max(float((np.diff(points) ** 2).mean()) / 2, 1e-12)
    span = max(float(days[-1] - days[0]), 1.0)
    swing = np.linspace(0, 2 * noise**0.5, _RATES)
    rate = swing**2 / span
    level, doubt, fit = np.full(_RATES, float(points[0])), np.full(_RATES, noise), np.zeros(_RATES)
    for step, result in zip(steps, points[1:], strict=True):
        doubt = doubt + rate * step
        total = doubt + noise
        fit -= 0.5 * (np.log(total) + (result - level) ** 2 / total)
        level = level + doubt / total * (result - level)
        doubt = doubt * noise / total
    weight = np.exp(fit - fit.max()) * swing
    weight /= weight.sum()
    mean = float(weight @ level)
    return mean, quantile(_NORMAL) * float(weight @ (doubt + (level - mean) ** 2)) ** 0.5


def broken(points: NDArray[Any]) -> float | None:
    """Return the p-value of the largest break in a series of results, by shuffling their order.

    Shuffling ends when enough orders had a break as large (Besag and Clifford), so only what may be a break takes long.
    """
    n = len(points)
    if n < 2 * _EDGE + 1:
        return None
    at = np.arange(_EDGE, n - _EDGE + 1)
    scale = np.sqrt(at * (n - at) / n)
    centred = points - points.mean()
    rng = np.random.default_rng(3)

    def largest(orders: NDArray[Any]) -> NDArray[Any]:
        breaks: NDArray[Any] = np.abs(np.cumsum(orders, axis=1)[:, at - 1] / scale).max(1)
        return breaks

    own = largest(centred[None])[0]
    before = 0
    for shuffled in range(0, _SHUFFLES, _BATCH):
        larger = np.flatnonzero(largest(rng.permuted(np.tile(centred, (_BATCH, 1)), axis=1)) >= own * (1 - 1e-12))
        if before + len(larger) >= _AS_LARGE:
            return _AS_LARGE / (shuffled + int(larger[_AS_LARGE - before - 1]) + 1)
        before += len(larger)
    return (1 + before) / (1 + _SHUFFLES)
