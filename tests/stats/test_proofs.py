"""The statistics hold what they promise, shown by simulation: for players of known strength, and for bots that play."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.rules.engine.game import each_alone
from cardledger.rules.engine.measures import COMMON
from cardledger.rules.games import game, games
from cardledger.study.stats.compare import compare
from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.measures.estimate import estimates
from cardledger.study.stats.measures.of_game import sides_of
from cardledger.study.stats.measures.tally import Tally, cells
from cardledger.study.stats.query import Query
from tests.stats.leagues import drawn, kendall, mixed, played, pool, two_clubs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.long

BOTS = {f"bot-{number}": mixed(0.12 * number) for number in range(8)}
"""Eight bots, each weaker than the one before: a random card in up to 84% of its decisions."""


@dataclass
class Trial:
    """How often intervals held the truth over many leagues, how far estimates were off, and how often players differed."""

    raw: list[bool] = field(default_factory=list)
    adjusted: list[bool] = field(default_factory=list)
    believed: list[bool] = field(default_factory=list)
    raw_errors: list[float] = field(default_factory=list)
    believed_errors: list[float] = field(default_factory=list)
    told_apart: list[bool] = field(default_factory=list)
    orders: list[float] = field(default_factory=list)

    def league(self, tally: Tally, strength: Mapping[str, float], points: Mapping[str, float], fewest: bool) -> None:
        """Compare the players of a league with known true strengths and points a hand."""
        found = compare(tally, sides=sides_of(tally.sheet.game), fewest=fewest).players
        field = sum(one.hands * strength[one.player] for one in found) / sum(one.hands for one in found)
        plain = by_player(tally)
        average = sum(one.hands * plain[one.player].value for one in found) / sum(one.hands for one in found)
        for one in found:
            truth, raw = strength[one.player] - field + average, plain[one.player]
            self.raw.append(raw.low <= points[one.player] <= raw.high)
            self.adjusted.append(abs(one.adjusted - truth) <= quantile(one.matches - 1) * one.error)
            self.believed.append(one.low <= truth <= one.high)
            self.raw_errors.append((raw.value - points[one.player]) ** 2)
            self.believed_errors.append((one.believed - truth) ** 2)
        self.told_apart.append(any(one.verdict for one in found))
        best_first = sorted(strength, key=lambda player: strength[player] * (1 if fewest else -1))
        self.orders.append(kendall([one.player for one in found], best_first))


def by_player(tally: Tally):
    """Return points a hand as they were, with their intervals."""
    sheet = tally.sheet
    players = sheet.text("player")
    found = estimates(COMMON[0], cells(tally, None), sheet.seats["player"][tally.rows], len(players))
    return dict(zip(players, found, strict=True))


def trial(players: int, matches: int, spread: float, leagues: int) -> Trial:
    """Play leagues of the statistical model, with new random strengths for each."""
    rng = np.random.default_rng([players, matches, leagues])
    found = Trial()
    for _ in range(leagues):
        league = played(rng, rng.normal(0, spread, players), matches)
        # Against random opponents one meets one's own strength less the mean of all the others'.
        points = {name: 3.25 + strength * players / (players - 1) for name, strength in league.strength.items()}
        found.league(league.tally, league.strength, points, fewest=True)
    return found


@pytest.mark.parametrize(("players", "matches"), [(8, 60), (8, 200), (20, 300)])
def test_between_94_and_96_percent_of_95_percent_intervals_hold(players: int, matches: int) -> None:
    found = trial(players, matches, 0.3, 300)
    for held in (found.raw, found.adjusted, found.believed):
        assert 0.94 <= mean(held) <= 0.97


@pytest.mark.parametrize(("players", "matches"), [(6, 60), (8, 200), (20, 300)])
def test_players_equally_strong_are_told_apart_in_at_most_5_percent_of_leagues(players: int, matches: int) -> None:
    share = mean(trial(players, matches, 0, 400).told_apart)
    print(f"{players} equals, {matches} matches: {share:.3f}")  # noqa: T201
    assert share <= 0.05 + 0.02


@pytest.mark.parametrize("spread", [0, 0.1, 0.3, 1])
def test_believed_points_are_closer_to_the_truth_than_the_raw_mean(spread: float) -> None:
    found = trial(8, 100, spread, 100)
    assert mean(found.believed_errors) < mean(found.raw_errors)


def test_with_400_hands_each_the_order_of_eight_players_over_a_point_is_recovered() -> None:
    rng = np.random.default_rng(8)
    found = Trial()
    for _ in range(100):
        league = played(rng, np.linspace(-0.5, 0.5, 8), 200)
        found.league(league.tally, league.strength, league.strength, fewest=True)
    assert mean(found.orders) >= 0.9


@pytest.mark.parametrize("id", games())
def test_it_holds_for_hands_that_bots_played(id: str, tmp_path: Path) -> None:
    """A pool of 2,000 hands is the whole truth; leagues are drawn from its matches."""
    sheet = pool(tmp_path, id, BOTS, 500, 4)
    rng = np.random.default_rng(len(id))
    everything = Tally(sheet, Query())
    strength = {
        one.player: one.adjusted
        for one in compare(everything, sides=game(id).sides, fewest=game(id).scoring.fewest).players
    }
    points = {player: one.value for player, one in by_player(everything).items()}
    found, twins = Trial(), Trial()
    for _ in range(150):
        found.league(drawn(rng, sheet, 200), strength, points, fewest=game(id).scoring.fewest)
        tally = drawn(rng, sheet, 200, players=8)
        twins.told_apart.append(
            any(one.verdict for one in compare(tally, sides=game(id).sides, fewest=game(id).scoring.fewest).players)
        )
    report = (
        f"{id}: raw {mean(found.raw):.3f}, adjusted {mean(found.adjusted):.3f}, believed {mean(found.believed):.3f},"
        f" error {mean(found.raw_errors) ** 0.5:.2f} to {mean(found.believed_errors) ** 0.5:.2f},"
        f" twins told apart {mean(twins.told_apart):.3f}, order {mean(found.orders):.2f}"
    )
    print(report)  # noqa: T201
    partners = game(id).sides is not each_alone
    assert 0.92 <= mean(found.adjusted) <= (0.99 if partners else 0.98), report
    assert 0.92 <= mean(found.believed) <= 0.98, report
    # Raw points are those of a side: nobody's own strength, and not to be compared with it.
    assert partners or mean(found.believed_errors) < mean(found.raw_errors), report
    assert mean(twins.told_apart) <= 0.11, report
    assert mean(found.orders) >= (0.7 if partners else 0.9), report  # a partner's luck and skill blur one's own


@pytest.mark.parametrize("id", ["hecto-diversity", "diamonds-bid", "ruff"])
def test_clubs_of_the_same_bots_that_share_one_match_are_not_told_apart(id: str, tmp_path: Path) -> None:
    """Points are those of real hands, of all eight bots; the sixteen who are said to have played them are alike."""
    sheet = pool(tmp_path, id, BOTS, 300, 4)
    rng = np.random.default_rng(len(id) + 1)
    apart, pools = [], []
    for _ in range(100):
        tally = drawn(rng, sheet, 121, 16, two_clubs(rng, 8, 121, 1))
        found = compare(tally, sides=game(id).sides, fewest=game(id).scoring.fewest)
        apart.append(any(one.verdict for one in found.players))
        pools.append(len(found.pools))
    print(f"{id}: told apart {mean(apart):.3f}, two pools {mean(number == 2 for number in pools):.3f}")  # noqa: T201
    assert mean(apart) <= 0.05 + 0.04
    assert mean(number == 2 for number in pools) >= 0.95
