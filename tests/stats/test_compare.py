"""The distributions that intervals rest on are right, and many comparisons are corrected."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.study.stats import distributions, export, query
from cardledger.study.stats.distributions import benjamini_hochberg, beyond, garwood, quantile, wilson


@pytest.mark.parametrize("module", [distributions, export, query], ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_are_right(module) -> None:
    assert doctest.testmod(module).failed == 0


def test_quantiles_of_student_are_those_of_the_tables() -> None:
    table = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 29: 2.045, 30: 2.042, 60: 2.000, 120: 1.980, 10**6: 1.960}
    assert {df: round(quantile(df), 3) for df in table} == table
    assert quantile(29) - quantile(30) == pytest.approx(0.00295, abs=5e-5)
    for df in (1, 3, 29, 30, 200):
        assert beyond(quantile(df), df) == pytest.approx(0.05, abs=1e-6)
        assert beyond(quantile(df, 0.99), df) == pytest.approx(0.01, abs=1e-5)
    assert beyond(0, 7) == pytest.approx(1)


def test_intervals_of_shares_and_rates_stay_within_their_range() -> None:
    assert wilson(0, 5, 1.96)[0] == 0 < wilson(0, 5, 1.96)[1] < 1
    assert wilson(1, 5, 1.96)[1] == 1


@given(st.integers(0, 400), st.sampled_from([0.5, 0.95, 0.99]))
def test_garwood_s_interval_is_exact(events: int, level: float) -> None:
    """At each end of the interval the tail probability is half of 1 − level."""
    low, high = garwood(events, level)

    def up_to(most: int, mean: float) -> float:
        return math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(most + 1))

    assert up_to(events, high) == pytest.approx((1 - level) / 2, rel=1e-8)
    assert low == 0 if events == 0 else 1 - up_to(events - 1, low) == pytest.approx((1 - level) / 2, rel=1e-8)


def test_garwood_s_interval_of_many_events_is_found_too() -> None:
    assert garwood(1) == pytest.approx((0.025317807984, 5.571643390938), rel=1e-9)
    low, high = garwood(4e6)
    assert (low, high) == pytest.approx((4e6 - 1.96 * 2000, 4e6 + 1.96 * 2000), rel=1e-5)
    assert low < garwood(4e6 + 0.5)[0] < high


def test_correction_for_many_comparisons_is_that_of_benjamini_and_hochberg() -> None:
    rng = np.random.default_rng(4)
    chances = rng.random(30).tolist()
    found = benjamini_hochberg(chances)
    for level in (0.05, 0.2, 0.6):
        below = [k for k, chance in enumerate(sorted(chances), 1) if chance <= level * k / 30]
        rejected = max(below, default=0)
        assert sum(q <= level for q in found) == rejected
