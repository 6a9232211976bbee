"""The statistics hold what they promise, shown by simulation: for players of known strength, and for bots that play."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger.games import game, games
from ledger.measures import COMMON
from ledger.stats.compare import compare, strengths
from ledger.stats.estimate import estimates
from ledger.stats.query import Query
from ledger.stats.student import quantile
from ledger.stats.tally import Tally, cells
from tests.stats.leagues import drawn, kendall, mixed, played, pool

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
        """Compare the players of a league, whose true strengths and points a hand are known."""
        found, _ = compare(tally, fewest=fewest)
        field = mean(strength[one.player] for one in found)
        for one in found:
            truth, plain = strength[one.player] - field, by_player(tally)[one.player]
            self.raw.append(plain.low <= points[one.player] <= plain.high)
            self.adjusted.append(abs(one.adjusted - truth) <= quantile(plain.matches - 1) * one.error)
            self.believed.append(one.low <= truth <= one.high)
            self.raw_errors.append((plain.value - points[one.player]) ** 2)
            self.believed_errors.append((one.shrunk - truth) ** 2)
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
    """Play leagues of the statistical model, the strengths drawn anew for each."""
    rng = np.random.default_rng([players, matches, leagues])
    found = Trial()
    for _ in range(leagues):
        league = played(rng, rng.normal(0, spread, players), matches)
        # Against random opponents one meets one's own strength less the mean of all the others'.
        points = {name: 3.25 + strength * players / (players - 1) for name, strength in league.strength.items()}
        found.league(league.tally, league.strength, points, fewest=True)
    return found


@pytest.mark.parametrize(("players", "matches"), [(8, 60), (8, 200), (20, 300)])
def test_of_95_percent_intervals_94_to_96_percent_hold_the_truth(players: int, matches: int) -> None:
    found = trial(players, matches, 0.3, 300)
    for held in (found.raw, found.adjusted, found.believed):
        assert 0.94 <= mean(held) <= 0.96


@pytest.mark.parametrize(("players", "matches"), [(6, 60), (8, 200), (20, 300)])
def test_players_equally_strong_are_told_apart_in_at_most_5_percent_of_leagues(players: int, matches: int) -> None:
    assert mean(trial(players, matches, 0, 400).told_apart) <= 0.05


@pytest.mark.parametrize("spread", [0, 0.1, 0.3, 1])
def test_what_is_believed_is_nearer_to_the_truth_than_the_raw_mean(spread: float) -> None:
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
    truth = strengths(everything)
    strength = dict(zip(truth.players, truth.difference.tolist(), strict=True))
    points = {player: one.value for player, one in by_player(everything).items()}
    found, twins = Trial(), Trial()
    for _ in range(150):
        found.league(drawn(rng, sheet, 200), strength, points, fewest=game(id).fewest)
        tally = drawn(rng, sheet, 200, players=8)
        twins.told_apart.append(any(one.verdict for one in compare(tally, fewest=game(id).fewest)[0]))
    report = (
        f"{id}: raw {mean(found.raw):.3f}, adjusted {mean(found.adjusted):.3f}, believed {mean(found.believed):.3f},"
        f" error {mean(found.raw_errors) ** 0.5:.2f} to {mean(found.believed_errors) ** 0.5:.2f},"
        f" twins told apart {mean(twins.told_apart):.3f}, order {mean(found.orders):.2f}"
    )
    assert 0.92 <= mean(found.adjusted) <= 0.98, report
    assert 0.92 <= mean(found.believed) <= 0.98, report
    assert mean(found.believed_errors) < mean(found.raw_errors), report
    assert mean(twins.told_apart) <= 0.11, report
    assert mean(found.orders) >= 0.9, report
