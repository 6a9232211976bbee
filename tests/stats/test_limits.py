"""Intervals stay within what rules allow, and lean on the field where a player has few hands."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from cardledger.rules.engine.measures import COMMON
from cardledger.rules.games import game
from cardledger.study.stats import Query
from cardledger.study.stats.measured import UNLIMITED, by_player, measured, player_table
from cardledger.study.stats.measures.estimate import dispersions, estimates
from cardledger.study.stats.measures.leaning import field_of
from cardledger.study.stats.measures.limits import has_limits, limits
from cardledger.study.stats.measures.of_game import measure_of
from cardledger.study.stats.measures.sheet import Sheet
from cardledger.study.stats.measures.tally import Tally, cells
from tests.stats.leagues import recorded

POINTS, PLACE = COMMON[0], COMMON[2]
PLAYERS = 8


def evenings_of_hearts(rng: np.random.Generator, true: np.ndarray, hands: int, noise: float) -> Sheet:
    """Return hearts in which each of eight players plays so many hands, one a match, and scores about what is true."""
    seated = np.concatenate([rng.permutation(PLAYERS).reshape(-1, 4) for _ in range(hands)])
    points = true[seated] + noise * rng.standard_normal(seated.shape)
    return sheet_of("hearts", seated, points[:, None, :])


def sheet_of(game_id: str, seated: np.ndarray, points: np.ndarray) -> Sheet:
    """Return a sheet of points by match, hand and seat; the lowest sum has the first place, all others the last."""
    sheet = recorded(game_id, seated, {"points": points})
    sheet.code("rules", [f"{game_id}/1"])
    sums = points.sum(axis=1)
    sheet.seats["place"] = np.where(sums == sums.min(axis=1, keepdims=True), 1, seated.shape[1]).ravel()
    return sheet


def coverage(hands: int, worlds: int, differ: float, noise: float = 4.0) -> tuple[float, float]:
    """Return how often intervals of points held what players are worth, and their width beside intervals that do not lean."""
    rng = np.random.default_rng([hands, worlds, round(10 * differ)])
    held, wide, alone = [], [], []
    for _ in range(worlds):
        true = 10 + differ * rng.standard_normal(PLAYERS)
        tally = Tally(evenings_of_hearts(rng, true, hands, noise), Query())
        split, group = cells(tally, None), tally.sheet.seats["player"][tally.rows]
        usual = dispersions(POINTS, split, split.group, 1).repeat(PLAYERS)
        found = by_player(tally, POINTS)
        for worth, name, plain in zip(
            true, tally.sheet.text("player"), estimates(POINTS, split, group, PLAYERS, usual), strict=True
        ):
            one = found[name]
            assert one.low <= one.value <= one.high
            held.append(one.low <= worth <= one.high)
            wide.append(one.high - one.low)
            alone.append(plain.high - plain.low)
    return float(np.mean(held)), float(np.mean(wide) / np.mean(alone))


@pytest.mark.parametrize("hands", [3, 10])
def test_intervals_hold_and_are_shorter_where_a_player_has_few_hands(hands: int) -> None:
    share, width = coverage(hands, 60, 1.5)
    assert 0.92 <= share <= 0.99
    assert width < (0.85 if hands == 3 else 0.97)


@pytest.mark.long
@pytest.mark.parametrize(("hands", "differ"), [(3, 2), (3, 4), (10, 1), (10, 2), (10, 4), (30, 1), (30, 2), (30, 4)])
def test_between_93_and_97_percent_of_intervals_hold(hands: int, differ: float) -> None:
    """Players differ by at least half as much as their hands leave uncertain; a hand has a standard deviation of 4."""
    share, width = coverage(hands, 1000, differ)
    print(f"{hands} hands, players differ by {differ:g}: {share:.3f} hold, {width:.2f} as wide")  # noqa: T201
    assert 0.93 <= share <= 0.97


@pytest.mark.long
def test_where_players_do_not_differ_intervals_hold_all_the_more() -> None:
    share, width = coverage(3, 1000, 0)
    print(f"3 hands, equal players: {share:.3f} hold, {width:.2f} as wide")  # noqa: T201
    assert share >= 0.95
    assert width < 0.75


def test_no_interval_passes_what_rules_allow() -> None:
    rng = np.random.default_rng(4)
    seated = np.array([rng.permutation(6)[:4] for _ in range(4)])
    points = rng.permuted(np.tile([0, 0, 0, 26], (4, 3, 1)), axis=2)
    sheet = sheet_of("hearts", seated, points)
    for measure, most in (("points", 26), ("place", 4)):
        rows = measured(sheet, Query(), measure_of("hearts", measure)).rows
        ends = [(row["low"], row["high"]) for row in rows if row["low"] is not None]
        assert ends
        assert all((1 if measure == "place" else 0) <= low <= high <= most for low, high in ends), measure


def test_points_that_rules_do_not_allow_stay_in_the_interval() -> None:
    """A score sheet is the record, possible or not."""
    seated = np.tile(np.arange(4), (3, 1))
    sheet = sheet_of("hearts", seated, np.array([[[40, 0, 0, 0]], [[41, 0, 0, 0]], [[42, 0, 0, 0]]]))
    first = next(row for row in measured(sheet, Query(), POINTS).rows if row["player"] == "player-00")
    assert first["low"] <= first["value"] == first["high"] == 41


def test_limits_follow_the_players_and_the_options_of_each_match() -> None:
    sheet = sheet_of("oh-hell", np.tile(np.arange(4), (4, 1)), np.ones((4, 5, 4)))
    codes = sheet.code("options", ['{"scoring":"exact"}', '{"scoring":"penalty","bonus":5}'])
    sheet.matches["options"] = codes[np.array([0, 0, 1, 1])]
    sheet.matches["size"] = np.array([4, 4, 4, 7])
    tally = Tally(sheet, Query())
    split = cells(tally, None)
    low, high = limits(POINTS, split, sheet.seats["row"][tally.rows], 4)
    assert low.tolist() == [0, 0, -10, -7]
    assert high.tolist() == [20, 20, 15, 12]
    place = limits(PLACE, split, sheet.seats["row"][tally.rows], 4)
    assert (place[0].tolist(), place[1].tolist()) == ([1, 1, 1, 1], [4, 4, 4, 7])
    whole = limits(POINTS, split, split.group, 1)
    assert (whole[0].tolist(), whole[1].tolist()) == ([-4.25], [16.75]), "the mean over all hands"


def test_the_pages_of_a_player_and_of_all_say_the_same() -> None:
    rng = np.random.default_rng(5)
    sheet = evenings_of_hearts(rng, 10 + rng.standard_normal(PLAYERS), 5, 4.0)
    everyone = {row["player"]: row for row in measured(sheet, Query(), POINTS).rows}
    own = next(row for row in player_table([sheet], Query(), "player-03").rows if row["measure"] == "points")
    assert [own[name] for name in ("value", "low", "high")] == [
        everyone["player-03"][name] for name in ("value", "low", "high")
    ]
    assert everyone["player-03"]["low"] == pytest.approx(
        by_player(Tally(sheet, Query()), POINTS)["player-03"].low, 1e-5
    )


def test_a_measure_or_a_game_without_limits_is_known_as_such() -> None:
    hearts = game("hearts")
    unlimited = replace(hearts, scoring=replace(hearts.scoring, span=None))
    assert has_limits(POINTS, hearts)
    assert not has_limits(POINTS, unlimited)
    cards = measure_of("poison-hearts", "cards")
    assert has_limits(cards, hearts)
    assert not has_limits(replace(cards, most=None), hearts)
    assert has_limits(replace(cards, most=inf), hearts), "rules may set no limit, but somebody has to say so"


def test_the_field_says_nothing_of_fewer_than_four_players() -> None:
    assert field_of(np.array([1.0, 2.0, 3.0]), np.ones(3), 1.0) is None
    assert field_of(np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 1.0, np.inf, 1.0]), 1.0) is None
    assert field_of(np.ones(5), np.ones(5), 1.0) is None


def test_who_is_known_badly_is_drawn_to_the_field_and_who_is_known_well_is_not() -> None:
    rng = np.random.default_rng(6)
    field = field_of(rng.normal(5, 1, 40), np.full(40, 0.2), 1.0)
    assert field is not None
    centre, spread = field.lean(np.array([9.0, 9.0]), np.array([5.0, 0.05]))
    assert centre[0] == pytest.approx(5, abs=0.6)
    assert spread[0] == pytest.approx(1, abs=0.3)
    assert centre[1] == pytest.approx(9, abs=0.02)
    assert spread[1] == pytest.approx(0.05, abs=0.01)


def test_a_table_of_a_game_that_sets_no_limits_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = evenings_of_hearts(np.random.default_rng(7), np.full(PLAYERS, 10.0), 5, 4.0)
    assert UNLIMITED not in measured(sheet, Query(), POINTS).notes
    hearts = game("hearts")
    monkeypatch.setattr(type(hearts.scoring), "span", None)
    monkeypatch.delitem(vars(hearts.scoring), "span")
    assert UNLIMITED in measured(sheet, Query(), POINTS).notes
    assert UNLIMITED in player_table([sheet], Query(), "player-03").notes
