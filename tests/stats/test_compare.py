"""Comparison: opponents are taken into account, many comparisons corrected, and the distributions are right."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from ledger.stats import compare, query, student
from ledger.stats.compare import benjamini_hochberg, strengths
from ledger.stats.student import beyond, poisson, quantile, wilson
from ledger.stats.tally import Tally
from tests.stats.leagues import played


@pytest.mark.parametrize("module", [student, compare, query], ids=lambda module: module.__name__)
def test_what_docstrings_show_is_so(module) -> None:
    assert doctest.testmod(module).failed == 0


def test_quantiles_of_student_are_those_of_the_tables() -> None:
    table = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 29: 2.045, 30: 2.042, 60: 2.000, 120: 1.980, 10**6: 1.960}
    assert {df: round(quantile(df), 3) for df in table} == table
    assert quantile(29) - quantile(30) == pytest.approx(0.00295, abs=5e-5)
    for df in (1, 3, 29, 30, 200):
        assert beyond(quantile(df), df) == pytest.approx(0.05, abs=1e-6)
        assert beyond(quantile(df, 0.99), df) == pytest.approx(0.01, abs=1e-5)
    assert beyond(0, 7) == pytest.approx(1)


def test_intervals_of_shares_and_rates_stay_where_they_can_be() -> None:
    assert wilson(0, 5, 1.96)[0] == 0 < wilson(0, 5, 1.96)[1] < 1
    assert wilson(1, 5, 1.96)[1] == 1
    assert poisson(0) == pytest.approx((0, 3.69), abs=0.03)
    assert poisson(10) == pytest.approx((4.80, 18.39), abs=0.02)


def test_opponents_are_taken_into_account() -> None:
    """The one who met only the weak looks as good as the strong, and is not."""
    rng = np.random.default_rng(2)
    league = played(rng, np.array([-1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 0.0]), 4000)
    sheet = league.tally.sheet
    # Keep matches where player 3 sits with nobody strong, and player 7 with nobody weak.
    seated = sheet.seats["player"].reshape(-1, 4)
    strong, weak = np.isin(seated, [0, 1, 2]).any(axis=1), np.isin(seated, [4, 5, 6]).any(axis=1)
    easy, hard = (seated == 3).any(axis=1) & strong, (seated == 7).any(axis=1) & weak
    tally = Tally(sheet, league.tally.query)
    tally.rows = tally.rows[~np.repeat(easy | hard, 4)]
    hands = np.bincount(sheet.seats["player"][tally.rows], tally.of("hands"))
    raw = np.bincount(sheet.seats["player"][tally.rows], tally.of("points")) / hands
    assert abs(raw[3] - raw[7]) > 0.5
    found = dict(zip(strengths(tally).players, strengths(tally).difference, strict=True))
    assert abs(found["player-03"] - found["player-07"]) < 0.35
    assert found["player-00"] == pytest.approx(-1, abs=0.3)


def test_players_who_never_met_are_told_of() -> None:
    rng = np.random.default_rng(3)
    league = played(rng, np.zeros(8), 3000)
    assert not strengths(league.tally).apart
    seated = league.tally.sheet.seats["player"].reshape(-1, 4) < 4
    tally = league.tally
    tally.rows = tally.rows[np.repeat(seated.all(axis=1) | ~seated.any(axis=1), 4)]
    assert strengths(tally).apart


def test_correction_for_many_comparisons_is_that_of_benjamini_and_hochberg() -> None:
    rng = np.random.default_rng(4)
    chances = rng.random(30).tolist()
    found = benjamini_hochberg(chances)
    for level in (0.05, 0.2, 0.6):
        below = [k for k, chance in enumerate(sorted(chances), 1) if chance <= level * k / 30]
        rejected = max(below, default=0)
        assert sum(q <= level for q in found) == rejected


def test_samples_depend_on_the_events_alone() -> None:
    rng = np.random.default_rng(5)
    league = played(rng, rng.normal(0, 0.3, 6), 100)
    one, other = (compare.compare(league.tally, fewest=True)[0] for _ in range(2))
    assert one == other
    mirrored = compare.compare(league.tally, fewest=False)[0]
    assert [row.player for row in mirrored] == [row.player for row in one][::-1]
