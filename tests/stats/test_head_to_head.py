"""Head to head: partners are not opponents, so results as partners are kept apart from results against each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.study.stats.head_to_head import head_to_head
from tests.partners import evening

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


def told(ledger: Ledger, player: str, other: str) -> dict[str, dict[str, Any]]:
    rows = head_to_head(ledger, player, other).rows
    return {row["how"]: row for row in rows}


def test_with_and_against_stand_apart(ledger: Ledger) -> None:
    evening(ledger)
    rows = told(ledger, "ana", "chloe")
    assert {name: rows["with"][name] for name in ("matches", "complete", "won", "points", "a_hand", "ahead", "behind")} == {
        "matches": 2, "complete": 2, "won": 2, "points": 6, "a_hand": 3.0, "ahead": None, "behind": None,
    }  # fmt: skip
    assert {name: rows["against"][name] for name in ("matches", "won", "points", "ahead", "behind")} == {
        "matches": 1, "won": 0, "points": -1, "ahead": 0, "behind": 1,
    }  # fmt: skip


def test_the_other_way_round_is_the_same_with_and_turned_around_against(ledger: Ledger) -> None:
    evening(ledger)
    ana, chloe = told(ledger, "ana", "chloe"), told(ledger, "chloe", "ana")
    assert ana["with"] == chloe["with"]
    assert (ana["against"]["points"], ana["against"]["ahead"]) == (
        -chloe["against"]["points"],
        chloe["against"]["behind"],
    )


def test_points_of_partners_have_an_interval_by_matches(ledger: Ledger) -> None:
    evening(ledger)
    partners, rivals = (told(ledger, "ana", "chloe")[how] for how in ("with", "against"))
    assert partners["low"] < 3.0 < partners["high"]
    assert (rivals["low"], rivals["high"]) == (None, None)


@pytest.mark.parametrize(("player", "other"), [("ana", "nobody"), ("nobody", "ana"), ("ana", "ana")])
def test_a_head_to_head_needs_two_known_players(ledger: Ledger, player: str, other: str) -> None:
    evening(ledger)
    with pytest.raises(StoreError):
        head_to_head(ledger, player, other)


def test_the_command_prints_both(ledger: Ledger, tmp_path: Path) -> None:
    evening(ledger)
    ledger.close()
    words = ["stats", "head-to-head", "ana", "chloe", "--db", str(tmp_path / "club.db")]
    shown = CliRunner().invoke(main, words)
    assert [line.split()[0] for line in shown.output.splitlines()[1:3]] == ["against", "with"], shown.output
    rows = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)["rows"]
    assert [(row["how"], row["won"], row["complete"]) for row in rows] == [("against", 0, 1), ("with", 2, 2)]


def test_the_list_of_matches_stars_the_side_that_won(ledger: Ledger, tmp_path: Path) -> None:
    evening(ledger)
    ledger.close()
    shown = CliRunner().invoke(main, ["matches", "--db", str(tmp_path / "club.db")]).output.splitlines()
    assert [line[shown[0].index("points") :] for line in shown[1:]] == [
        "ana and chloe 2*, ben and dev 0",
        "ana and dev 0, ben and chloe 1*",
        "dev and ben 0, ana and chloe 4*",
    ]
