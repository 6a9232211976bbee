"""What decisions cost by kind: an evening is one observation, every reviewed decision counts once, filters are those of statistics."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from cardledger.cli.stats import decisions as command
from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats import Query
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS
from cardledger.study.stats.review.decision_costs import costs_by_kind
from cardledger.study.stats.review.habits import Decided
from cardledger.study.stats.review.review import Decision
from cardledger.study.stats.review.reviews import compute

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger

TRUE = {"lead": 0.2, "trump": 0.5}


def league(rng: np.random.Generator, evenings: int, form: float) -> tuple[list[Decided], dict[str, int]]:
    """Return decisions of four matches an evening: costs by kind, the form of the evening, skewed noise."""
    rows, evening = [], {}
    for night in range(evenings):
        of_night = {kind: rng.normal(0, form) for kind in TRUE}
        for table in range(4):
            match = f"{night}-{table}"
            evening[match] = night
            for kind, cost in TRUE.items():
                for seq in range(rng.poisson(6)):
                    given = cost + of_night[kind] + rng.exponential(1) - 1
                    rows.append(Decided(match, 1, 4, {"kind": kind}, Decision(seq, 0, "play", "x", "y", 2, given, 0.1)))
    return rows, evening


def coverage(leagues: int, evenings: int, form: float) -> float:
    """Return the share of intervals that hold the true cost."""
    rng = np.random.default_rng(11)
    hits = []
    for _ in range(leagues):
        for one in costs_by_kind(*league(rng, evenings, form)):
            assert one.low is not None and one.high is not None
            hits.append(one.low <= TRUE[one.kind] <= one.high)
    return float(np.mean(hits))


@pytest.mark.parametrize("form", [0.0, 0.5])
def test_intervals_hold_where_players_have_good_evenings_and_bad_ones(form: float) -> None:
    assert 0.91 <= coverage(150, 8, form) <= 0.99


@pytest.mark.long
@pytest.mark.parametrize("form", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("evenings", [FEWEST_EVENINGS, 8, 30])
def test_intervals_hold_in_many_leagues(evenings: int, form: float) -> None:
    assert 0.93 <= coverage(1000, evenings, form) <= 0.97


def test_with_too_few_evenings_there_is_a_cost_and_no_interval() -> None:
    rng = np.random.default_rng(2)
    rows, evening = league(rng, FEWEST_EVENINGS - 1, 0.5)
    assert {(one.low, one.high) for one in costs_by_kind(rows, evening)} == {(None, None)}
    assert all(one.low is not None for one in costs_by_kind(*league(rng, FEWEST_EVENINGS, 0.5)))
    assert costs_by_kind([], {}) == []


def test_the_costliest_kind_over_all_hands_stands_first_with_its_worst_decision() -> None:
    rows, evening = league(np.random.default_rng(3), 8, 0.0)
    costs = costs_by_kind(rows, evening)
    assert [one.a_hand for one in costs] == sorted((one.a_hand for one in costs), reverse=True)
    for one in costs:
        own = [each for each in rows if each.values["kind"] == one.kind]
        worst = max(own, key=lambda each: each.decision.cost)
        assert (one.match, one.seq) == (worst.match, worst.decision.seq)
        assert one.a_hand == pytest.approx(sum(each.decision.cost for each in own) / 32)


def club(ledger: Ledger) -> int:
    """Record and review a hand of ruff on each of some evenings; return the number of decisions."""
    for day in range(FEWEST_EVENINGS):
        events = simulate("ruff", 4, Random(day), ("cautious",), max_hands=1)
        events[0] = msgspec.structs.replace(events[0], date=f"2026-03-{day + 1:02}")
        ledger.record(None, events, 0)
    ledger.views.catch_up()
    with LuckStore(ledger) as store:
        store.catch_up()
        hands = store.hands()
        list(compute(hands, store))
        return sum(len(store.review(one.match, one.hand, "review-4")[0]) for one in hands)  # type: ignore[index]


def test_every_reviewed_decision_of_a_ledger_counts_once_and_filters_hold(ledger: Ledger, tmp_path: Path) -> None:
    number = club(ledger)
    table = accountant.decisions(ledger, "ruff", Query(), patience=None)
    assert table is not None
    assert sum(row["decisions"] for row in table.rows) == number
    assert {"opening lead", "lead", "follow suit"} <= {row["kind"].removesuffix(" of a trump") for row in table.rows}
    assert all(row["careful"] is not None for row in table.rows)
    one_day = accountant.decisions(ledger, "ruff", Query(until="2026-03-01"), patience=None)
    assert one_day is not None
    assert 0 < sum(row["decisions"] for row in one_day.rows) < number
    by_turn = [accountant.decisions(ledger, "ruff", Query(turn=turn), patience=None) for turn in (0, 1, 2, 3, 4)]
    assert sum(row["decisions"] for each in by_turn if each for row in each.rows) == number
    leads = accountant.decisions(ledger, "ruff", Query(), "opening-leads", patience=None)
    assert leads is not None
    opening = sum(row["decisions"] for row in table.rows if row["kind"].startswith("opening lead"))
    assert sum(row["decisions"] for row in leads.rows) == opening > 0
    told = CliRunner().invoke(command, ["ruff", "--db", str(tmp_path / "club.db"), "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["rows"] == table.rows
