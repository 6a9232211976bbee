"""The luck of the deal is taken off in the comparison of players, hand by hand where the deal is known, without bias."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.sides import each_alone
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.compare import compare
from cardledger.study.stats.luck.luck import adjusted, compute_luck, seats_of
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.strength.company import leagues
from cardledger.study.stats.strength.strengths import strengths
from tests.stats.leagues import Held, League, dealt
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture(scope="module")
def ruffs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Matches of ruff without debts, with the worth of every deal."""
    matches = evening("whist", matches=6, hands=3)
    with recorded(tmp_path_factory.mktemp("lucky") / "club.db", matches) as ledger:
        valued(ledger)
        yield ledger


def valued(ledger: Ledger) -> None:
    with LuckStore(ledger) as store:
        store.catch_up()
        for hand in store.hands("key IS NOT NULL"):
            compute_luck(hand, store)


def rows_of(table: Any) -> dict[str, Any]:
    return {row["player"]: row for row in table.rows}


def test_points_of_a_sheet_without_luck_are_those_of_the_account(ruffs: Ledger) -> None:
    sheet = Statistics(ruffs.views).sheets.sheet("whist")
    with LuckStore(ruffs) as store:
        seats, left_out = seats_of(store.hands("game = 'whist'"), store)
    assert not left_out
    wanted = {(one.match, one.hand, one.seat): points for one, points in zip(seats, adjusted(seats), strict=True)}
    row = sheet.hands["row"]
    matches = sheet.text("match")
    found = {
        (matches[sheet.matches["match"][sheet.seats["row"][at]]], int(number), int(sheet.seats["seat"][at])): fair
        for at, number, fair in zip(row, sheet.hands["number"], sheet.hands["fair"], strict=True)
    }
    assert found == {key: pytest.approx(points) for key, points in wanted.items()}
    assert sheet.hands["valued"].all()


def test_the_comparison_says_from_how_many_hands_luck_is_taken_off(ruffs: Ledger) -> None:
    table = Statistics(ruffs.views).players("whist", Query())
    assert table.basis["whist"].valued == table.basis["whist"].hands > 10
    shown = CliRunner().invoke(main, ["stats", "players", "whist", "--db", str(ruffs.at)]).output
    assert f"{table.basis['whist'].hands} of them with the luck of the deal taken off" in shown


def test_points_without_luck_and_luck_take_the_filters_and_splits_of_all_measures(ruffs: Ledger) -> None:
    statistics = Statistics(ruffs.views)
    player = statistics.players("whist", Query()).rows[0]["player"]
    for measure in ("without-luck", "luck"):
        whole = rows_of(statistics.players("whist", Query(), measure))
        split = [row for row in statistics.players("whist", Query(by="turn"), measure).rows if row["player"] == player]
        assert sum(row["value"] * row["cases"] for row in split) == pytest.approx(
            whole[player]["value"] * whole[player]["cases"], abs=1e-3
        )
        (seat,) = (
            row["value"] for row in statistics.player(player, Query(turn=2), "whist").rows if row["measure"] == measure
        )
        assert seat == next(row["value"] for row in split if row["group"] == 2)
    run = CliRunner().invoke(
        main, ["stats", "players", "whist", "--measure", "luck", "--by", "seat", "--json", "--db", str(ruffs.at)]
    )
    assert {row["group"] for row in json.loads(run.output)["rows"]} == {0, 1, 2, 3}


def test_without_the_worth_of_a_deal_there_is_no_measure_of_luck(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("whist", matches=2, hands=1)) as ledger:
        statistics = Statistics(ledger.views)
        table = statistics.players("whist", Query())
        assert table.basis["whist"].valued == 0
        measures = {row["measure"] for row in statistics.player(table.rows[0]["player"], Query(), "whist").rows}
        assert not measures & {"without-luck", "luck"}


def test_a_match_with_new_events_keeps_its_points_until_its_deals_are_read_again(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("whist", matches=2, hands=2)) as ledger:
        valued(ledger)
        statistics = Statistics(ledger.views)
        assert statistics.players("whist", Query()).basis["whist"].valued == 4
        match = ledger.matches()[0]
        ledger.record(match, [ev.Note(text="a good night")], len(ledger.events(match)))
        assert statistics.players("whist", Query()).basis["whist"].valued == 2
        with LuckStore(ledger) as store:
            store.catch_up()
        assert statistics.players("whist", Query()).basis["whist"].valued == 4


def test_a_claim_of_a_recorded_deal_counts_without_its_luck(tmp_path: Path) -> None:
    opening, deal, *plays = evening("diversity", hands=1)[0]
    claimed = [opening, deal, *plays[:8], ev.Claim(tricks=(11, 0, 0, 0))]
    with recorded(tmp_path / "club.db", [claimed]) as ledger:
        valued(ledger)
        with LuckStore(ledger) as store:
            (hand,) = store.hands()
        assert (hand.why, hand.recorded, hand.key is not None) == ("claim", True, True)
        assert Statistics(ledger.views).players("diversity", Query()).basis["diversity"].valued == 1


def test_deals_that_do_not_look_random_leave_points_as_they_are() -> None:
    sheet = dealt(np.random.default_rng(1), np.zeros(6), 20, 0.6).tally.sheet
    assert sheet.luck is not None
    doubtful = sheet.with_luck(replace(sheet.luck, doubtful=True))
    assert (doubtful.hands["fair"] == doubtful.hands["points"]).all()
    assert doubtful.doubtful


def test_luck_that_decides_most_points_is_gone_from_the_comparison() -> None:
    rng = np.random.default_rng(2)
    raw, without, some = (errors(dealt(rng, np.linspace(-0.4, 0.4, 8), 100, 0.8, known)) for known in (0, 1, 0.5))
    assert np.mean(without) < 0.6 * np.mean(raw)
    assert np.mean(without) < np.mean(some) < np.mean(raw)


def errors(league: League) -> list[float]:
    """Return the variance of the strength of each player, as the comparison states it."""
    found = compare(league.tally, sides=each_alone, fewest=True)
    return [one.error**2 for one in found.players if one.error is not None]


def off(league: League) -> list[float]:
    """Return how far each player's strength is from the truth."""
    names, far = league.tally.sheet.text("player"), []
    for part in leagues(league.tally, each_alone):
        found = strengths(part)
        true = np.array([league.strength[names[code]] for code in part.players if code is not None])
        far += [float(found.against_group(at) @ (found.strength - true)) for at in range(len(true))]
    return far


@pytest.mark.long
@pytest.mark.parametrize(("share", "gain"), [(0.17, 1.05), (0.65, 1.5)])
def test_strengths_without_luck_are_worth_more_hands_and_their_intervals_hold(share: float, gain: float) -> None:
    """Players turn the worth of a deal into points in styles of their own; the gain is that of the variance of strengths."""
    squares: dict[float, float] = {}
    for known in (0.0, 0.5, 1.0):
        rng, held, far = np.random.default_rng(3), Held.nothing(), []
        for _ in range(50):
            league = dealt(rng, rng.normal(0, 0.3, 8), 100, share, known, styles=True)
            far += off(league)
            held.league(league)
        squares[known] = float(np.mean(np.square(far)))
        print(f"luck {share:.0%}, known {known:.0%}: worth {squares[0.0] / squares[known]:.2f} times, {held}")  # noqa: T201
        assert 0.92 <= np.mean(held.adjusted) <= 0.98
        assert 0.92 <= np.mean(held.believed) <= 0.98
        assert sum(held.wrong) <= 0.01 * len(held.told) + 1
    assert squares[1.0] * gain < squares[0.0]
    assert squares[1.0] < squares[0.5] < squares[0.0]


@pytest.mark.long
def test_equals_are_not_told_apart_when_some_deals_are_known() -> None:
    rng, held = np.random.default_rng(4), Held.nothing()
    for _ in range(80):
        held.league(dealt(rng, np.zeros(8), 60, 0.65, 0.5))
    print(f"equals, half of the deals known: {held}")  # noqa: T201
    assert np.mean(held.apart) <= 0.09
