"""Definitions have editions: none can be declared without, figures name theirs, and no figure changes under one edition."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine.definition import Edition, first
from cardledger.rules.engine.measures import COMMON, Measure
from cardledger.rules.games import games
from cardledger.study.stats.definitions import definitions
from cardledger.study.stats.estimators import ESTIMATORS, Estimator
from cardledger.study.stats.export import as_csv, as_json, as_lines
from cardledger.study.stats.stats_table import StatsTable
from tests.conftest import ROOT
from tests.stats.defined import UNTRIED, Figures, advice, figures, fill, golden, unexplained

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


def test_figures_change_only_with_an_edition(ledger: Ledger) -> None:
    fill(ledger)
    now, before = figures(ledger), golden()
    changed = unexplained(now, before)
    assert not changed, advice(changed)
    assert now == before, "an edition is new: write the figures anew with python -m tests.stats.defined"
    tried = {edition for one in now.values() for edition in one.editions}
    assert tried >= {one.edition for one in ESTIMATORS if one not in UNTRIED}, "figures of each estimator are compared"
    assert {name for name in now if name.startswith("measure ")} == {
        f"measure {id} {one.id}" for id, game in games().items() for one in (*COMMON, *game.study.measures)
    }


def test_changed_figures_are_explained_by_a_new_edition_alone() -> None:
    before = {"table x": Figures(["x-1", "y-2"], "one"), "table z": Figures(["z-1"], "one")}
    assert unexplained(before, before) == {}
    assert unexplained(before | {"table x": Figures(["x-1", "y-3"], "two")}, before) == {}
    changed = unexplained(before | {"table x": Figures(["x-1", "y-2"], "two")}, before)
    assert changed == {"table x": ["x-1", "y-2"]}
    assert "table x: one of x-1, y-2" in advice(changed)


def test_nothing_is_defined_without_an_edition() -> None:
    with pytest.raises(TypeError, match="history"):
        Measure("aces", "Aces", "aces ÷ hands", "more", "record", "aces")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="history"):
        Estimator("mean", "Mean", "sum ÷ number")  # type: ignore[call-arg]
    for history in (
        (),
        (Edition("2026-01-01", "older"), Edition("2026-02-01", "newer")),
        (Edition("2026-01-01", " "),),
    ):
        with pytest.raises(ValueError, match="mean"):
            Estimator("mean", "Mean", "sum ÷ number", history)
    with pytest.raises(TypeError, match="definitions"):
        StatsTable("x", ("value",), [], "", {})  # type: ignore[call-arg]


def test_ids_of_definitions_are_unique() -> None:
    for ids in (
        [one.id for one in ESTIMATORS],
        *([one.id for one in (*COMMON, *game.study.measures)] for game in games().values()),
    ):
        assert len({*ids}) == len(ids)
    assert not {one.id for one in ESTIMATORS} & {one.id for one in COMMON}, "both stand in one list"


def test_an_edition_is_counted_from_the_first_and_takes_those_below_along() -> None:
    below = Estimator("below", "Below", "x", (Edition("2026-03-01", "wider"), *first("2026-01-01")))
    above = Estimator("above", "Above", "y", first("2026-01-01"), (below, below))
    assert (below.edition, below.edition_named(1), above.edition) == ("below-2", "below-1", "above-1")
    table = StatsTable("x", ("value",), [{"value": 1}], "", {}, definitions=(above, COMMON[0], below))
    assert table.editions == ("above-1", "below-2", COMMON[0].edition)
    assert as_json(table)["definitions"] == [*table.editions]
    assert as_csv(table).splitlines() == ["value,definitions", f"1,{' '.join(table.editions)}"]
    listed = replace(table, name="ratings")
    assert [*as_lines(listed)][-1] == f"definitions: {', '.join(table.editions)}"
    assert as_csv(replace(table, definitions=())).splitlines() == ["value", "1"]


def test_every_edition_is_listed_with_what_changed() -> None:
    rows = definitions().rows
    assert {row["edition"] for row in rows if row["what"] == "estimator"} == {
        one.edition_named(back) for one in ESTIMATORS for back in range(len(one.history))
    }
    assert all(row["changed"] and row["since"] for row in rows)
    assert {row["game"] for row in rows} == {None, *(id for id, game in games().items() if game.study.measures)}
    assert {row["game"] for row in definitions("whist").rows} == {None, "whist"}


def test_the_golden_figures_are_not_written_over_without_an_edition() -> None:
    code = (
        "from tests.stats import defined as d\n"
        "d.figures = lambda ledger: {name: one._replace(digest='other') for name, one in d.golden().items()}\n"
        "d.fill = lambda ledger: None\n"
        "d.sys.exit(d.main())"
    )
    before = golden()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "Put an Edition" in done.stderr
    assert golden() == before
