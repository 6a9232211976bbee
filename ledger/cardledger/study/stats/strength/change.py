"""Change: whether a player's strength stayed the same, its trend, and the current strength against the overall one.

Sources: HC3 as MacKinnon and White 1985; a drifting level (local level model) as Harvey 1989.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.distributions import FALSE_DISCOVERIES, quantile
from cardledger.study.stats.strength.company import leagues

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.compare import Comparison
    from cardledger.study.stats.measures.tally import Tally
    from cardledger.study.stats.strength.company import Sides

MIN_EVENINGS = 8
"""Least number of evenings for an answer."""
_EDGE = 8
"""Least number of evenings on either side of a break."""
_SHUFFLES = 199
_RATES = 25
_YEAR = 365.25
_NORMAL = 1_000_000


@dataclass(frozen=True, slots=True)
class StrengthChange:
    """How a player's strength moved, in points a hand against average company, with 95% intervals.

    `season` is the strength over all evenings, `now` the strength after the last one, modelled as a level that drifts.
    `trend` is the change in a year. `chance` is the p-value of the largest break (None with too few evenings), and
    `stayed` says whether the strength stayed the same as far as that shows. The matches of an evening are one result.
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


def change(tally: Tally, sides: Sides, comparison: Comparison, player: str) -> StrengthChange | None:
    """Return how a player's strength moved; None with too few matches, or if the strength is not known."""
    matches, days, points = results(tally, sides, comparison, player)
    if len(points) < MIN_EVENINGS:
        return None
    first, last = (date.fromordinal(int(days[at])).isoformat() for at in (0, -1))
    season, half = float(points.mean()), quantile(len(points) - 1) * float(points.std(ddof=1)) / len(points) ** 0.5
    level, doubt = now(days, points)
    slope, wide = trend(days, points) or (None, 0.0)
    return StrengthChange(
        matches, len(points), first, last, season, season - half, season + half, level, level - doubt, level + doubt, slope,
        None if slope is None else slope - wide, None if slope is None else slope + wide, broken(points),
    )  # fmt: skip


def results(tally: Tally, sides: Sides, comparison: Comparison, player: str) -> tuple[int, NDArray[Any], NDArray[Any]]:
    """Return the number of a player's matches, and day and result of each evening, in order.

    A result is the points a hand, corrected for everybody else's strength: the mean of the matches of an evening.
    """
    sheet = tally.sheet
    own = next((one for one in comparison.players if one.player == player), None)
    code = sheet.texts["player"].get(player)
    if own is None or own.believed is None or own.level is None:
        return 0, np.zeros(0), np.zeros(0)
    level = {one.player: one.level for one in comparison.players if one.level is not None}
    texts, ids = sheet.text("player"), sheet.text("match")
    calendar = np.array([date.fromisoformat(day).toordinal() for day in sheet.text("date")] or [0])
    by_evening: dict[int, list[tuple[int, str, float]]] = {}
    for league in leagues(tally, sides):
        at = league.at(code)
        if at is None:
            continue
        strength = np.array([level.get(texts[one], 0.0) if one is not None else 0.0 for one in league.players])
        for one in league.companies:
            for side in sorted({*one.sides}):
                seats = [seat for seat, of in enumerate(one.sides) if of == side]
                share = one.design[side, seats[0]] * (one.who[:, seats] == at).sum(1)
                here = (share > 0) & (one.hands[:, side] > 0)
                share = share[here]
                others = one.points[here, side] - (one.expected(strength)[here, side] - share * strength[at])
                found = others / share + own.believed - own.level
                rows = one.match[here]
                days = calendar[sheet.matches["date"][rows]].tolist()
                names = [ids[match] for match in sheet.matches["match"][rows].tolist()]
                for evening, *result in zip(one.evenings[here].tolist(), days, names, found.tolist(), strict=True):
                    by_evening.setdefault(evening, []).append((result[0], result[1], result[2]))
    # Where sides change from hand to hand, a match may be in several companies.
    matches = len({match for results in by_evening.values() for _, match, _ in results})
    evenings = sorted(
        (min(results)[:2], float(np.mean([value for *_, value in sorted(results)]))) for results in by_evening.values()
    )
    return matches, np.array([day for (day, _), _ in evenings]), np.array([value for _, value in evenings])


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
    """Return the p-value of the largest break in a series of results, by shuffling their order."""
    n = len(points)
    if n < 2 * _EDGE + 1:
        return None
    at = np.arange(_EDGE, n - _EDGE + 1)
    scale = np.sqrt(at * (n - at) / n)
    centred = points - points.mean()
    rng = np.random.default_rng(3)
    mixed = rng.permuted(np.tile(centred, (_SHUFFLES, 1)), axis=1)
    largest = np.abs(np.cumsum(np.vstack([centred, mixed]), axis=1)[:, at - 1] / scale).max(1)
    return (1 + int((largest[1:] >= largest[0]).sum())) / (1 + _SHUFFLES)
