"""Skewed counts: intervals of undertricks and of rules broken hold what they promise, after few matches and after none."""

from __future__ import annotations

import numpy as np
import pytest

from cardledger.study.stats import Query
from cardledger.study.stats.measures.estimate import dispersions, estimates
from cardledger.study.stats.measures.of_game import measure_of
from cardledger.study.stats.measures.tally import Tally, cells
from tests.stats.leagues import bids, recorded


def holds(measure: str, error: np.ndarray, matches: int, leagues: int, by: str | None = None) -> tuple[float, int]:
    """Return how often intervals of a measure of diamonds-bid held what very many matches say, and how many there were."""
    rng = np.random.default_rng([matches, leagues, len(measure)])
    chosen = measure_of("diamonds-bid", measure)
    endless = bids(rng, error, 20_000)
    true = dict(zip(*_values(endless, chosen, by), strict=True))
    held = []
    for _ in range(leagues):
        sheet = bids(rng, error, matches * len(error) // 4)
        for key, found in zip(*_found(sheet, chosen, by), strict=True):
            if found.low is not None:
                held.append(found.low <= true[key] <= found.high)
    return float(np.mean(held)), len(held)


def _groups(sheet, by):
    split = cells(Tally(sheet, Query(by=by)), by)
    player = sheet.seats["player"][split.at]
    keys, group = np.unique(player * len(split.labels) + split.group, return_inverse=True)
    return split, keys, group


def _values(sheet, measure, by):
    split, keys, group = _groups(sheet, by)
    return [(int(k) // len(split.labels), split.labels[int(k) % len(split.labels)]) for k in keys], [
        one.value for one in estimates(measure, split, group, len(keys))
    ]


def _found(sheet, measure, by):
    split, keys, group = _groups(sheet, by)
    usual = dispersions(measure, split, split.group, len(split.labels))[keys % len(split.labels)]
    labels = [(int(k) // len(split.labels), split.labels[int(k) % len(split.labels)]) for k in keys]
    return labels, estimates(measure, split, group, len(keys), usual)


@pytest.mark.parametrize("measure", ["under", "lost-play"])
def test_intervals_of_undertricks_hold_after_three_matches(measure: str) -> None:
    share, number = holds(measure, np.full(8, 0.3), 3, 60)
    assert number > 400
    assert 0.93 <= share <= 0.99


@pytest.mark.long
@pytest.mark.parametrize("by", [None, "turn"])
@pytest.mark.parametrize("matches", [3, 6, 15, 40])
@pytest.mark.parametrize("measure", ["under", "over", "lost-bidding", "lost-play"])
@pytest.mark.parametrize("differ", [False, True])
def test_intervals_of_counts_hold(measure: str, matches: int, differ: bool, by: str | None) -> None:
    error = np.linspace(0, 2.5, 8) if differ else np.full(8, 0.3)
    share, _ = holds(measure, error, matches, 200, by)
    print(f"{measure} after {matches} matches, by {by}, players who differ: {differ}: {share:.3f}")  # noqa: T201
    assert 0.92 <= share <= 0.985


def test_no_undertrick_at_all_has_an_interval_from_0_on() -> None:
    rng = np.random.default_rng(4)
    sheet = bids(rng, np.array([0.0, *[1.0] * 7]), 40)
    own = np.isin(sheet.hands["row"], np.flatnonzero(sheet.seats["player"] == 0))
    sheet.hands["under"] = np.where(own, 0, sheet.hands["under"])
    labels, found = _found(sheet, measure_of("diamonds-bid", "under"), None)
    flawless = found[labels.index((0, None))]
    assert flawless.value == flawless.low == 0
    assert 0 < flawless.high < 0.5


def test_rules_broken_in_clusters_have_wider_intervals_than_single_ones() -> None:
    """A player who forgets a rule breaks it all evening: 95% of intervals must hold all the same."""
    rng = np.random.default_rng(6)
    measure = measure_of("diamonds-bid", "violations")
    held = {"alone": [], "clusters": []}
    for _ in range(150):
        for kind, many in held.items():
            seated = np.array([rng.permutation(8)[:4] for _ in range(30)])
            forgets = rng.random((30, 1, 4)) < (0.1 if kind == "clusters" else 1)
            rate = 0.3 if kind == "clusters" else 0.03
            broken = rng.binomial(10, rate * np.broadcast_to(forgets, (30, 4, 4)))
            sheet = recorded("diamonds-bid", seated, {"violations": broken, "exposed": np.full(broken.shape, 10)})
            many += [one.low <= 0.03 <= one.high for one in _found(sheet, measure, None)[1]]
    assert np.mean(held["alone"]) >= 0.93
    assert np.mean(held["clusters"]) >= 0.9, "Poisson intervals alone hold 70%"
