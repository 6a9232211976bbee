"""Colours on a player's page: rare among equals however the page is split, and there where players truly differ."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.study.stats import Query
from cardledger.study.stats.measures.differences import Blocks, exchanged, verdicts
from tests.stats.leagues import bids, names

if TYPE_CHECKING:
    from cardledger.study.stats.measures.sheet import Sheet


def coloured(leagues: int, players: int, matches: int, by: str | None, error: float = 0.0) -> float:
    """Return the share of pages with any colour, two pages a league; all players misjudge by as much."""
    rng = np.random.default_rng([players, matches, leagues])
    found = []
    for _ in range(leagues):
        sheet = bids(rng, np.full(players, error), matches)
        found += [bool(verdicts(sheet, Query(by=by), name)) for name in names(players)[:2]]
    return float(np.mean(found))


@pytest.mark.long
@pytest.mark.parametrize("by", ["turn", "bid", "opponent"])
def test_split_pages_of_equals_are_hardly_ever_coloured(by: str) -> None:
    assert coloured(25, 8, 80, by) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("error", [0.0, 2.0])
@pytest.mark.parametrize(
    ("players", "matches", "by"),
    [(8, 60, None), (8, 60, "turn"), (8, 200, "turn"), (20, 200, "turn"), (8, 200, "bid"), (20, 400, "bid"), (8, 200, "opponent")],
)  # fmt: skip
def test_at_most_one_in_twenty_pages_of_equals_is_coloured(players: int, matches: int, by: str, error: float) -> None:
    """Of 200 pages, so the share itself is uncertain by 3%."""
    share = coloured(100, players, matches, by, error)
    assert share <= 0.05 + 0.03, share


def test_a_worse_bidder_is_marked_in_the_right_measures() -> None:
    rng = np.random.default_rng(5)
    sheet: Sheet = bids(rng, np.array([3.0, *[0.3] * 7]), 200)
    found = verdicts(sheet, Query(), "player-00")
    assert {found.get((measure, None)) for measure in ("under", "over", "made", "lost-play", "points")} == {"worse"}
    assert ("tricks", None) not in found
    split = verdicts(sheet, Query(by="turn"), "player-00")
    assert {group for measure, group in split if measure == "under"} == {1, 2, 3, 4}
    assert "better" not in split.values()


def test_the_chance_is_that_of_trying_every_exchange() -> None:
    """Eight matches of four seats: all 65,536 ways to sit."""
    rng = np.random.default_rng(9)
    for _ in range(12):
        amount = rng.poisson(1.2, (8, 4)).astype(float) + rng.random((8, 4))
        of = np.full((8, 4), 4.0)
        own = np.zeros(8, dtype=int)
        none = np.zeros(0, dtype=int)
        blocks = Blocks(np.zeros(8, dtype=int), 1, np.ones((8, 4), dtype=bool), own, none, none, none)
        excess, chance = exchanged(blocks, amount, of)
        centred = amount - amount.mean(axis=1, keepdims=True)
        ways = np.array([sum(way) for way in product(*centred)])
        assert excess[0] == pytest.approx(centred[:, 0].sum())
        beyond = 2 * min((ways >= excess[0] - 1e-9).mean(), (ways <= excess[0] + 1e-9).mean())
        assert chance[0] == pytest.approx(min(beyond, 1), rel=0.1, abs=2e-4)


def test_at_the_most_extreme_sum_the_ways_are_counted() -> None:
    amount = np.tile([5.0, 1.0, 1.0, 0.0], (10, 1))
    none = np.zeros(0, dtype=int)
    everybody = np.ones((10, 4), dtype=bool)
    blocks = Blocks(np.zeros(10, dtype=int), 1, everybody, np.zeros(10, dtype=int), none, none, none)
    _, chance = exchanged(blocks, amount, np.ones((10, 4)))
    assert chance[0] == pytest.approx(2 * 0.25**10)
    _, chance = exchanged(blocks, np.ones((10, 4)), np.ones((10, 4)))
    assert np.isnan(chance[0]), "all alike tell nothing"


def test_a_page_without_the_player_or_with_one_seat_alone_has_no_colour() -> None:
    sheet = bids(np.random.default_rng(1), np.array([3.0, *[0.0] * 7]), 40)
    assert verdicts(sheet, Query(), "nobody") == {}
    assert verdicts(sheet, Query(seat=0), "player-00") == {}
    assert verdicts(sheet, Query(since="2027-01-01"), "player-00") == {}
