"""With whom: effects of partners and opponents with intervals that hold, and a screen whose false alarms are as rare as it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.rules.engine.sides import partners
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.strength.company import Company, LinkedPlayers
from cardledger.study.stats.strength.together import FEWEST_PAIRS, MIN_MATCHES, effects, standing_out
from cardledger.study.stats.with_whom import RATE, pairs_standing_out, with_whom
from tests.stats import leagues as worlds
from tests.stats.leagues import names
from tests.stats.leagues import recorded as sheet_of
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def met(
    rng: np.random.Generator,
    players: int,
    matches: int,
    chemistry: float = 0.0,
    gain: float = 0.0,
    seated: NDArray[np.int64] | None = None,
    skewed: bool = False,
    swings: bool = False,
) -> tuple[LinkedPlayers, NDArray[np.float64]]:
    """Return a league of tables of four, everybody alone, and what each player makes more against each opponent.

    Against each other players do better or worse by `chemistry`; at one table the first two both `gain` so much.
    """
    strength, against = rng.normal(0, 0.3, players), rng.normal(0, chemistry, (players, players))
    who = np.array([rng.permutation(players)[:4] for _ in range(matches)]) if seated is None else seated
    own = strength[who]
    points = own - (own.sum(1, keepdims=True) - own) / 3
    for one, other in ((a, b) for a in range(4) for b in range(4) if a != b):
        points[:, one] += against[who[:, one], who[:, other]]
    friends = ((who == 0).any(1) & (who == 1).any(1))[:, None] & (who < 2)
    noise = rng.exponential(1, who.shape) - 1 if skewed else rng.normal(0, 1, who.shape)
    points = points + gain * friends + noise * (np.where(who % 2, 2.0, 1.0) if swings else 1)
    points -= points.mean(1, keepdims=True)
    company = Company(who, (0, 1, 2, 3), points, np.full(points.shape, 4.0), np.arange(len(who)))
    return LinkedPlayers(tuple(range(players)), (company,), 0.0), against


def test_an_opponent_who_costs_a_point_a_hand_is_named() -> None:
    rng = np.random.default_rng(1)
    seated = np.array([rng.permutation(8)[:4] for _ in range(150)])
    points = rng.normal(0, 1.0, (150, 2, 4)) + 3
    both = (seated == 0).any(1) & (seated == 5).any(1)
    points += 3.0 * (both[:, None] & (seated == 0))[:, None, :]
    sheet = sheet_of("diversity", seated, {"points": np.rint(points)})
    rows = with_whom(Tally(sheet, Query()), lambda n: tuple(range(n)), names(8)[0], fewest=True)
    assert {row.how for row in rows} == {"against"}
    assert [row.player for row in rows if row.verdict == "worse"] == [names(8)[5]]
    dear = next(row for row in rows if row.player == names(8)[5])
    assert dear.low < 3.0 < dear.high
    assert rows[-1] == dear


def test_a_partner_is_told_from_an_opponent() -> None:
    rng = np.random.default_rng(2)
    league, _ = worlds.partnered(rng, rng.normal(0, 0.3, 8), 400, stay=0.0)
    together, apart = effects(league, "with", 0), effects(league, "against", 0)
    assert {one.second for one in together} == {one.second for one in apart} == set(range(1, 8))
    assert all(one.matches >= MIN_MATCHES for one in (*together, *apart))
    assert 2 * sum(one.matches for one in together) == sum(one.matches for one in apart)
    assert effects(worlds.partnered(rng, rng.normal(0, 0.3, 8), 150, stay=1.0)[0], "with", 0) == []


def test_two_who_always_gain_at_one_table_are_found_and_the_rate_stands_beside_them() -> None:
    league, _ = met(np.random.default_rng(3), 8, 200, gain=1.5)
    found, pairs = standing_out(league, "together")
    assert pairs == 28
    assert {found[0].pair.first, found[0].pair.second} == {0, 1}
    assert found[0].rate <= RATE < found[1].rate
    assert min(found[0].halves) > 0
    lost, _ = standing_out(league, "together", fewest=True)
    assert lost[0].rate > RATE


def test_too_few_pairs_are_not_screened() -> None:
    league, _ = met(np.random.default_rng(4), 4, 60)
    assert standing_out(league, "together") == ([], 0)  # always the same four: a pair cannot be told from its players
    assert FEWEST_PAIRS > 6


def test_the_same_events_give_the_same_rates() -> None:
    league, _ = met(np.random.default_rng(5), 6, 60)
    assert standing_out(league, "together") == standing_out(league, "together")


def test_command_and_tables_name_the_others_and_what_the_numbers_mean(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("whist", matches=9, hands=1)) as ledger:
        player = ledger.stream(ledger.matches()[0]).table.players[0]
        table = Statistics(ledger.views).company(player, Query(), "whist")
        assert table.basis["whist"].matches == 9
    run = CliRunner().invoke(main, ["stats", "pairs", "whist", "--json", "--db", str(tmp_path / "club.db")])
    told = json.loads(run.output)
    assert told["rows"] == []
    assert "nothing about anybody's conduct" in " ".join(told["notes"])
    shown = CliRunner().invoke(main, ["stats", "company", player, "--db", str(tmp_path / "club.db")])
    assert shown.exit_code == 0, shown.output


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "matches", "chemistry"), [(8, 150, 0.0), (8, 150, 0.3), (8, 40, 0.2), (20, 300, 0.2)]
)
def test_intervals_of_effects_hold(players: int, matches: int, chemistry: float) -> None:
    """The truth is what a player makes more against this opponent than against the others."""
    rng, held = np.random.default_rng([players, matches]), []
    for _ in range(25):
        league, against = met(rng, players, matches, chemistry, swings=True)
        for one in effects(league, "against", 0):
            others = [other for other in range(1, players) if other != one.second]
            true = against[0, one.second] - against[0, others].mean()
            held.append(abs(one.effect - true) <= quantile(max(int(one.freedom), 1)) * one.error)
    print(f"{players} players, {matches} matches, chemistry {chemistry}: {np.mean(held):.3f} of {len(held)}")  # noqa: T201
    assert 0.92 <= np.mean(held) <= 0.985


@pytest.mark.long
@pytest.mark.parametrize("world", ["random", "chemistry", "skewed", "five", "clubs"])
def test_honest_players_stand_out_as_seldom_as_the_rate_says(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.study.stats.strength.together.SIMULATIONS", 199)
    rng, count, rates = np.random.default_rng(len(world)), 80, []
    for _ in range(count):
        league, _ = met(
            rng, {"five": 5, "clubs": 12}.get(world, 8), 120, 0.3 if world == "chemistry" else 0.0,
            seated=worlds.two_clubs(rng, 6, 160, 30) if world == "clubs" else None, skewed=world == "skewed",
        )  # fmt: skip
        found, _ = standing_out(league, "together")
        rates.append(found[0].rate)
    shares = {level: float(np.mean([rate <= level for rate in rates])) for level in (0.01, 0.05, 0.2)}
    print(f"honest players, {world}: alarms {shares}")  # noqa: T201
    assert shares[0.01] <= 0.01 + 0.033
    assert shares[0.05] <= 0.05 + 0.06


@pytest.mark.long
def test_pairs_who_gain_are_found_by_how_much_they_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.study.stats.strength.together.SIMULATIONS", 199)
    shares = []
    for gain in (0.5, 1.0, 1.5):
        rng, hits = np.random.default_rng(9), []
        for _ in range(30):
            (first, *_), _ = standing_out(met(rng, 8, 150, gain=gain)[0], "together")
            hits.append(first.rate <= RATE and {first.pair.first, first.pair.second} == {0, 1})
        shares.append(float(np.mean(hits)))
    print(f"pairs who gain 0.5, 1 and 1.5 a hand are found in {shares}")  # noqa: T201
    assert shares == sorted(shares)
    assert shares[-1] > 0.5


def test_partners_of_a_side_are_screened_as_partners() -> None:
    rng = np.random.default_rng(6)
    seated = np.array([rng.permutation(8)[:4] for _ in range(400)])
    side = (
        rng.normal(0, 1.5, (400, 1, 2))
        + 4.0 * (np.stack([np.isin(seated[:, part], (0, 1)).all(1) for part in ([0, 2], [1, 3])], axis=1)[:, None, :])
    )
    points = side[:, :, [0, 1, 0, 1]]
    sheet = sheet_of("whist", seated, {"points": np.rint(2 * points)})
    found, pairs = pairs_standing_out(Tally(sheet, Query()), partners, partners=True, fewest=False)
    assert pairs == 28
    assert [(one.first, one.second) for one in found] == [tuple(names(8)[:2])]
