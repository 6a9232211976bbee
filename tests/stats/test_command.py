"""`cardledger stats`: tables for people, JSON, CSV and Parquet, and one line for each error."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from pyarrow import parquet

from cardledger.cli.main import main
from cardledger.record.people.people import Name
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stats") / "club.db"
    with Ledger(path) as ledger:
        for number in range(3):
            players = ("ana", "=SUM(A1)", "ch,loe", f"\x1b]dev{number}".replace("\x1b", ""))
            opening = ev.Open(game="diversity", players=players, options={"hands": 1}, date=f"2026-0{number + 1}-01")
            events = [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(number, 3, 4, 6 - number))]
            ledger.record(None, events, 0)
    return path


def stats(db: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["stats", *words, "--db", str(db)])


def test_players_are_shown_with_the_basis_of_the_numbers(db: Path) -> None:
    shown = stats(db, "players", "diversity")
    assert shown.exit_code == 0
    assert "ana" in shown.stdout
    assert "anywhere 1–3 of 3" in shown.stdout
    assert "3 hands of 3 matches" in shown.stdout
    assert "events up to 9 under diversity/2" in shown.stdout


def test_change_over_time_needs_eight_matches(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        for number in range(20):
            scores = (1 + number // 4, 3, 4 - number % 3, 5 + number % 3 - number // 4)
            opening = ev.Open(
                game="diversity", players=("ana", "b", "c", "d"), options={"hands": 1}, date=f"2026-01-{number + 1:02}"
            )
            ledger.record(None, [opening, ev.Deal(dealer=number % 4, hands=None), ev.Score(scores=scores)], 0)
    shown = stats(path, "change", "ana")
    assert shown.exit_code == 0, shown.output
    assert "2026-01-01  2026-01-20" in shown.stdout
    assert "did not stay the same" in shown.stdout
    assert "nothing to tell" in stats(path, "change", "ana", "--until", "2026-01-07").stdout
    (row,) = json.loads(stats(path, "change", "ana", "--json").stdout)["rows"]
    assert row["season"] < row["now"] and row["trend_low"] > 0 and row["stayed"] is False


def test_a_named_player_is_shown_by_name_with_the_id(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        opening = ev.Open(game="diversity", players=("ana", "ben", "cleo", "dan"), options={"hands": 1})
        ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 3, 4, 5))], 0)
        ledger.record_people([Name(player="ana", name="Ana Silva")], 0, "admin")
    assert "Ana Silva (ana)" in stats(path, "players", "diversity").stdout
    assert "Ana Silva" not in stats(path, "players", "diversity", "--csv").stdout


def test_a_player_is_shown_beside_the_others_with_any_split(db: Path) -> None:
    shown = stats(db, "player", "ana").stdout.splitlines()
    assert shown[0].split() == ["game", "measure", "value", "(95%)", "others", "better", "cases", "matches", "edition"]
    points = [line.split("  ") for line in shown if "Points a hand" in line]
    assert [word.strip() for word in points[0] if word] == [
        "diversity", "Points a hand", "1.00 (0.00 to 3.08)", "4.00", "fewer", "3", "3", "points-1"
    ]  # fmt: skip
    months = [line.split() for line in stats(db, "player", "ana", "--by", "month").stdout.splitlines()]
    assert [(row[1], row[5]) for row in months if row[2:5] == ["Points", "a", "hand"]] == [
        ("2026-01", "0.00"), ("2026-02", "1.00"), ("2026-03", "2.00")
    ]  # fmt: skip


def test_players_split_by_a_dimension_are_shown_with_their_groups(db: Path) -> None:
    lines = stats(db, "players", "diversity", "--by", "month").stdout.splitlines()
    assert lines[0].split() == ["player", "month", "value", "(95%)", "cases", "matches"]
    assert [line.split()[1] for line in lines if line.startswith("ana ")] == ["2026-01", "2026-02", "2026-03"]


def test_ratings_are_shown_the_best_first(db: Path) -> None:
    head, *rows = (line.split() for line in stats(db, "ratings", "diversity").stdout.splitlines()[:5])
    assert head == ["rank", "player", "rating", "mu", "sigma", "played", "date"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0][1] == "ana"
    assert float(rows[0][2]) == pytest.approx(float(rows[0][3]) - 3 * float(rows[0][4]), abs=0.03)


def test_json_carries_the_basis(db: Path) -> None:
    told = json.loads(stats(db, "player", "ana", "--by", "month", "--json").stdout)
    assert told["basis"]["diversity"]["position"] == 9
    assert told["by"] == "month"
    points = [row for row in told["rows"] if row["measure"] == "points"]
    assert [(row["group"], row["value"]) for row in points] == [("2026-01", 0), ("2026-02", 1), ("2026-03", 2)]


def test_csv_reads_back_and_holds_no_formula(db: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(stats(db, "players", "diversity", "--measure", "tricks", "--csv").stdout)))
    assert [row["player"] for row in rows[:2]] == ["ana", "'=SUM(A1)"]
    assert float(rows[0]["value"]) == 1 - 3.25
    assert rows[0]["cases"] == "3"


def test_parquet_holds_the_rows_and_the_basis(db: Path, tmp_path: Path) -> None:
    assert stats(db, "ratings", "diversity", "--parquet", str(tmp_path / "r.parquet")).exit_code == 0
    table = parquet.read_table(tmp_path / "r.parquet")
    assert table.column("player").to_pylist()[0] == "ana"
    assert json.loads(table.schema.metadata[b"cardledger"])["basis"]["diversity"]["hands"] == 3


def test_without_pyarrow_the_message_names_the_package(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused = stats(db, "measures", "--parquet", str(tmp_path / "m.parquet"))
    assert refused.exit_code == 2
    assert refused.stderr.startswith(
        "cardledger: store.extra: Parquet needs pyarrow: pip install 'cardledger[analytics]'"
    )


def test_measures_need_no_ledger(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["stats", "measures", "ruff", "--db", str(tmp_path / "none.db")])
    assert shown.exit_code == 0
    assert "overruffs" in shown.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("players", "chess"), "format.game"),
        (("player", "nobody"), "store.unknown"),
        (("players", "diversity", "--by", "colour"), "store.unknown"),
        (("players", "diversity", "--since", "soon"), "format.value"),
        (("ratings", "ruff", "--player", "ana"), "store.unknown"),
    ],
)
def test_an_error_is_one_line_and_perhaps_one_with_what_to_do_next(db: Path, words: tuple[str, ...], code: str) -> None:
    refused = stats(db, *words)
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"cardledger: {code}: ")
    assert all(line.startswith("  ") for line in refused.stderr.splitlines()[1:])
    assert refused.stderr.count("\n") <= 2


@pytest.mark.parametrize("name", ["players", "player", "measures", "ratings"])
def test_help_shows_examples(name: str, db: Path) -> None:
    assert f"cardledger stats {name}" in stats(db, name, "--help").stdout
