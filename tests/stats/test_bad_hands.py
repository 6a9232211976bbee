"""After a bad hand: a return to the mean is no effect, neither are strong opponents, places and form; a true one is found."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from cardledger.cli.stats import after_bad_hand as command
from cardledger.errors import StoreError
from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.review.bad_hands import (
    AfterBadHand,
    OrderedHands,
    bad_hands,
    centred,
    effects,
    next_less_others,
    ordered_hands,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.stats_table import StatsTable
from cardledger.study.stats.review.reviews import compute

PLAYERS = 8


def club(rng: np.random.Generator, evenings: int, hands: int, *, tilt: float = 0.0, skew: bool = False) -> OrderedHands:
    """Return hands of players who gave up `tilt` points more after each bad hand; a hand's luck has deviation 1.

    Players have strengths, evenings have form, and the opponents of the three matches of an evening differ. The cost of
    decisions goes with the points lost in the same hand.
    """
    strength = rng.normal(0, 0.5, PLAYERS)
    columns: dict[str, list[NDArray[np.float64]]] = {name: [] for name in ("player", "evening", "run", "number")}
    points, costs = [], []
    run = 0
    for evening in range(evenings):
        for player in range(PLAYERS):
            form = strength[player] + rng.normal(0, 0.5)
            for _ in range(3):
                level = form + rng.normal(0, 0.5)
                noise = 1 - rng.exponential(1, hands) if skew else rng.normal(0, 1, hands)
                cost = np.maximum(0, rng.normal(0.5 - 0.3 * noise, 0.5, hands))
                for at in range(1, hands):
                    if noise[at - 1] + level < -0.9:
                        noise[at] -= tilt
                        cost[at] += tilt
                points.append(level + noise)
                costs.append(cost - 0.2 * level)
                columns["player"].append(np.full(hands, player))
                columns["evening"].append(np.full(hands, evening))
                columns["run"].append(np.full(hands, run))
                columns["number"].append(np.arange(1, hands + 1))
                run += 1
    player, evening_of, runs, number = (np.concatenate(columns[name]) for name in columns)
    value = np.concatenate(points)
    outcomes = {"cost": np.concatenate(costs), "points": -value}
    return OrderedHands(player, evening_of, runs, number, value, outcomes, np.ones(len(value), dtype=bool))


def told(hands: OrderedHands) -> list[AfterBadHand]:
    return effects(hands, [f"p{number}" for number in range(PLAYERS)])


def false_alarms(worlds: int, evenings: int, hands: int, *, skew: bool) -> float:
    """Return the share of clubs without any tilt in which an effect of anybody is found."""
    rng = np.random.default_rng([evenings, hands, skew])
    return float(
        np.mean([any(one.found for one in told(club(rng, evenings, hands, skew=skew))) for _ in range(worlds)])
    )


def power(worlds: int, tilt: float, evenings: int = 30, hands: int = 8) -> tuple[float, float]:
    """Return the shares of players found, by cost and by points."""
    rng = np.random.default_rng(7)
    found = [one for _ in range(worlds) for one in told(club(rng, evenings, hands, tilt=tilt)) if one.player]
    by = (
        np.mean([one.found and one.effect > 0 for one in found if one.measure == name]) for name in ("cost", "points")
    )
    cost, points = map(float, by)
    return cost, points


def test_of_players_who_do_not_change_hardly_anybody_is_found() -> None:
    for skew in (False, True):
        assert false_alarms(60, 8, 6, skew=skew) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("skew", [False, True])
@pytest.mark.parametrize(
    ("evenings", "hands"), [(FEWEST_EVENINGS, 3), (FEWEST_EVENINGS, 20), (8, 12), (30, 4), (30, 8)]
)
def test_a_return_to_the_mean_is_no_effect(evenings: int, hands: int, *, skew: bool) -> None:
    """At most 5% of clubs, with twice the standard error of so many worlds."""
    assert false_alarms(1000, evenings, hands, skew=skew) <= 0.05 + 2 * (0.05 * 0.95 / 1000) ** 0.5


def test_a_player_who_gives_up_more_after_a_bad_hand_is_found() -> None:
    cost, points = power(6, 0.5)
    assert cost > 0.85
    assert points > 0.6


@pytest.mark.parametrize("hands", [3, 8])
def test_short_matches_do_not_shift_the_mean(hands: int) -> None:
    """With the bad hand left among the others, everybody would seem to play better after it."""
    played = club(np.random.default_rng(5), 400, hands)
    bad = bad_hands(played)
    at, more = next_less_others(played, bad, -played.value)
    error = more.std() / len(more) ** 0.5
    assert abs(more.mean()) < 3 * error
    mean = np.bincount(played.run, -played.value) / np.bincount(played.run)
    assert (-played.value[at + 1] - mean[played.run[at]]).mean() < -10 * error


def test_the_next_hand_is_compared_with_the_others_of_its_match() -> None:
    amounts = np.array([1.0, 5, 9, 9, 4, 0, 7, 2])  # hand 4 of the second match was not reviewed
    zero = np.zeros(8, dtype=int)
    run, number = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([1, 2, 3, 4, 5, 6, 7, 9])
    hands = OrderedHands(zero, run, run, number, amounts, {"points": amounts}, np.ones(8, dtype=bool))
    bad = np.array([True, False, False, True, True, False, True, False])
    at, more = next_less_others(hands, bad, amounts)
    assert at.tolist() == [0, 4]
    assert more.tolist() == [5 - (9 + 9) / 2, 0 - (7 + 2) / 2]
    unknown = np.where((number == 1) | (number == 5), np.nan, amounts)
    at, more = next_less_others(hands, bad, unknown)
    assert more.tolist() == [5 - (9 + 9) / 2, 0 - (7 + 2) / 2]
    at, _ = next_less_others(hands, bad, np.where(number == 2, np.nan, amounts))
    assert at.tolist() == [4]


def test_a_hand_is_bad_among_the_players_own_and_never_the_usual_one() -> None:
    value = np.array([1.0, 2, 3, 4, 5, 0, 0, 0, 0, 9, np.nan])
    player = np.array([0] * 5 + [1] * 6)
    hands = OrderedHands(player, player, player, np.arange(11), value, {}, np.ones(11, dtype=bool))
    assert np.flatnonzero(bad_hands(hands)).tolist() == [0]
    assert effects(hands, ["a", "b"]) == []


def test_after_a_bad_place_comes_the_same_other_place_and_that_is_no_effect() -> None:
    played = club(np.random.default_rng(6), 200, 8)
    place = played.number % 4
    value = played.value - 2.0 * (place == 0) + 1.0 * (place == 1)
    seen = {}
    for name, amounts in {"as they are": value, "places taken off": centred(value, place)}.items():
        other = OrderedHands(
            played.player, played.evening, played.run, played.number, amounts, {"points": -amounts}, played.chosen
        )
        seen[name] = next(one for one in told(other) if one.player is None)
    assert seen["as they are"].found
    assert not seen["places taken off"].found


def number_bad(table: StatsTable | None) -> int:
    """Return the number of bad hands of all players together that points tell of."""
    rows = [] if table is None else table.rows
    return sum(row["bad"] for row in rows if row["player"] is None and row["measure"] == "points")


def test_a_ledger_is_told_of_in_points_and_where_it_was_reviewed_in_cost(ledger: Ledger, tmp_path: Path) -> None:
    for day in range(FEWEST_EVENINGS):
        events = simulate("ruff", 4, Random(day), ("cautious",), max_hands=4)
        events[0] = msgspec.structs.replace(events[0], date=f"2026-03-{day + 1:02}")
        ledger.record(None, events, 0)
    ledger.views.catch_up()
    plain = accountant.after_bad_hand(ledger, "ruff", Query(), patience=None)
    assert plain is not None
    assert {row["measure"] for row in plain.rows} == {"points"}
    with LuckStore(ledger) as store:
        store.catch_up()
        list(compute([hand for hand in store.hands() if hand.hand < 4], store))
    table = accountant.after_bad_hand(ledger, "ruff", Query(), "result", patience=None)
    assert table is not None
    assert {row["measure"] for row in table.rows} == {"points", "cost"}
    assert all(row["low"] is None for row in table.rows if row["evenings"] < FEWEST_EVENINGS)
    by = CliRunner().invoke(command, ["ruff", "--bad", "result", "--db", str(tmp_path / "club.db"), "--json"])
    assert by.exit_code == 0, by.output
    assert json.loads(by.stdout)["rows"] == table.rows
    by_turn = [
        accountant.after_bad_hand(ledger, "ruff", Query(turn=turn), "result", patience=None) for turn in range(1, 5)
    ]
    assert sum(number_bad(each) for each in by_turn) == number_bad(table) > 0
    with pytest.raises(StoreError) as caught:
        accountant.after_bad_hand(ledger, "ruff", Query(), "weather", patience=None)
    assert caught.value.code == "store.unknown"


def test_the_worst_result_is_bad_also_where_the_fewest_points_win(ledger: Ledger) -> None:
    for game in ("ruff", "hearts"):
        for seed in range(6):
            ledger.record(None, simulate(game, 4, Random(seed), ("cautious",), max_hands=4), 0)
    ledger.views.catch_up()
    for game, better in {"ruff": 1, "hearts": -1}.items():
        sheet = Statistics.of(ledger.views).sheets.sheet(game)
        hands = ordered_hands(sheet, Tally(sheet, Query()), None, "result")
        points = better * sheet.hands["points"].astype(int)
        assert np.corrcoef(hands.value, points)[0, 1] > 0.5, game
        assert np.corrcoef(hands.outcomes["points"], points)[0, 1] < -0.5, game
        assert points[bad_hands(hands)].mean() < points.mean(), game
