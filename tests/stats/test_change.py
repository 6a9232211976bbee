"""Change over time: constant strength is seldom called a change, a real change is found, and intervals hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.rules.engine.game import each_alone
from cardledger.study.stats.compare import compare
from cardledger.study.stats.strength.change import StrengthChange, broken, change, now, trend
from tests.stats.leagues import played

if TYPE_CHECKING:
    from numpy.typing import NDArray

COURSES = {
    "the same": lambda n, rng: np.zeros(n),
    "a slope": lambda n, rng: np.linspace(-0.5, 0.5, n),
    "a step": lambda n, rng: np.repeat([-0.5, 0.5], [n // 2, n - n // 2]),
    "learning": lambda n, rng: -np.exp(-np.arange(n) / (n / 5)),
    "wandering": lambda n, rng: np.cumsum(rng.normal(0, 1 / np.sqrt(n), n)),
}


def moved(
    rng: np.random.Generator, course: NDArray[np.float64], players: int = 8
) -> tuple[StrengthChange, NDArray[np.float64]]:
    """Return how the first player's strength moved in a league, as estimated and in truth."""
    strength = rng.normal(0, 0.3, players)
    league = played(rng, strength, len(course), moved=course)
    found = change(league.tally, each_alone, compare(league.tally, sides=each_alone, fewest=True), "player-00")
    assert found is not None
    mine = (league.tally.sheet.seats["player"].reshape(-1, 4) == 0).any(axis=1)
    return found, 3.25 + strength[0] - strength.mean() + course[mine]


def test_a_step_is_found_and_constant_strength_is_not_reported_as_changed() -> None:
    rng = np.random.default_rng(1)
    steps = [moved(rng, 2 * COURSES["a step"](160, rng))[0] for _ in range(12)]
    assert not any(found.stayed for found in steps)
    assert all(found.trend_low > 0 and found.now > found.season for found in steps)
    still = [moved(rng, np.zeros(160))[0] for _ in range(30)]
    assert sum(found.stayed for found in still) >= 27


def test_results_are_against_average_company_whatever_the_opponents() -> None:
    rng = np.random.default_rng(2)
    found, true = moved(rng, np.zeros(400))
    assert found.season == pytest.approx(true.mean(), abs=0.3)
    assert found.season_low < found.season < found.season_high
    assert found.now_high - found.now_low > found.season_high - found.season_low


def test_few_matches_show_no_change_and_matches_of_one_day_no_trend() -> None:
    rng = np.random.default_rng(3)
    league = played(rng, np.zeros(4), 7, moved=np.zeros(7))
    assert change(league.tally, each_alone, compare(league.tally, sides=each_alone, fewest=True), "player-00") is None
    league = played(rng, np.zeros(4), 12)
    found = change(league.tally, each_alone, compare(league.tally, sides=each_alone, fewest=True), "player-00")
    assert found.trend is found.chance is None
    assert found.stayed
    assert change(league.tally, each_alone, compare(league.tally, sides=each_alone, fewest=True), "nobody") is None


def test_equal_results_give_equal_changes() -> None:
    points = np.random.default_rng(4).normal(0, 1, 60)
    assert broken(points) == broken(points)
    assert broken(np.ones(40)) == 1
    assert broken(points[:16]) is None


@pytest.mark.long
@pytest.mark.parametrize("course", COURSES)
def test_intervals_of_trend_and_of_now_hold(course: str) -> None:
    rng = np.random.default_rng([len(course)])
    slopes, levels, stayed = [], [], []
    for _ in range(400):
        true = COURSES[course](100, rng)
        days = np.sort(rng.integers(0, 300, 100))
        points = true + rng.normal(0, 1.2, 100)
        years = (days - days.mean()) / 365.25
        slope, wide = trend(days, points)
        slopes.append(abs(slope - years @ true / (years @ years)) <= wide)
        level, half = now(days, points)
        levels.append(abs(level - true[-1]) <= half)
        stayed.append(broken(points) > 0.04)
    print(f"{course}: trend {np.mean(slopes):.3f}, now {np.mean(levels):.3f}, stayed {np.mean(stayed):.3f}")  # noqa: T201
    assert np.mean(slopes) >= 0.92
    assert np.mean(levels) >= (0.88 if course == "wandering" else 0.93)
    assert (np.mean(stayed) >= 0.93) if course == "the same" else (np.mean(stayed) <= 0.75)
