"""The command `cardledger evening import`: shows first, stores on demand, and says every problem at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardledger.cli import spreadsheets
from cardledger.cli.main import main
from tests.conftest import SAMPLES

TABLES = "samples/evenings/hearts-tische.csv"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(SAMPLES / "evenings", tmp_path / "samples" / "evenings")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, status: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["evening", "import", *words, "--db", "club.db"], input=typed)
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def test_without_a_terminal_it_only_shows_until_yes_is_said(here: Path) -> None:
    shown = run(TABLES, "--names", "*=new").stdout
    assert "a column for each hand: row 6 has the headings Spieler, Summe; it has hands 1 to 6" in shown
    assert "ignored: column 'Bemerkung' (I6)" in shown
    assert "Dienstagsrunde (2026-01-20): a new evening, points are added up" in shown
    assert "round 1 table 1: hearts, 6 hands: Amara 50, Björn 35, Chen 43, Dolores 28" in shown
    assert "a new evening" in run(TABLES, "--names", "*=new").stdout
    assert "2 matches, 39 events stored" in run(TABLES, "--yes").stdout
    assert "stored already" in run(TABLES, "--yes").stdout


def test_questions_and_problems_end_with_status_2_and_store_nothing(here: Path) -> None:
    asked = run(TABLES, status=2)
    assert 'Amara (A7): sheet.name: nobody has this name: say --names "Amara=new"' in asked.stderr
    text = Path(TABLES).read_bytes().replace(b";50;", b";51;").replace(b"Datum", b"Wetter")
    Path("wrong.csv").write_bytes(text)
    said = run("wrong.csv", "--yes", status=2).stderr.splitlines()
    assert said[-2:] == [
        "wrong.csv, cell B2: sheet.date: '20.01.2026' may be the day of these results: if it is, give it beside the file (--date 2026-01-20)",
        "wrong.csv, cell H7: sheet.sum: the hands of Amara make 50, not 51: correct the total or a hand",
    ]
    assert "a new evening" in run(TABLES, "--names", "*=new").stdout
    run("missing.csv", status=2)


def test_in_a_terminal_it_asks_who_is_meant_and_whether_to_store(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(TABLES, "--yes")
    text = Path(TABLES).read_text(encoding="cp1252").replace("Amara", "Amarra").replace("20.01", "27.01")
    Path("next.csv").write_text(text)
    monkeypatch.setattr(spreadsheets, "at_terminal", lambda: True)
    assert "stored" not in run("next.csv", typed="1\nn\n").stdout
    done = run("next.csv", typed="1\ny\n")
    assert "Amarra is not known. 1: Amara" in done.stderr
    assert "hearts, 6 hands: Amara 50" in done.stdout
    assert "39 events stored" in done.stdout


def test_a_template_is_written_and_never_over_another_file(here: Path) -> None:
    for kind in ("csv", "xlsx"):
        run("--template", kind, f"evening.{kind}")
        assert "store.exists" in run("--template", kind, f"evening.{kind}", status=2).stderr
        run(f"evening.{kind}", "--date", "2026-01-06", status=2)
    assert run("--template", "csv").stdout.startswith("\ufeffDate,")


def test_a_name_and_a_score_are_shown_and_cells_left_out(here: Path) -> None:
    Path("list.csv").write_text("Date,2026-01-06\nGame,hearts\n\nNr,Who,Result\n1,Ann,10\n2,Bob,3\n3,Cy,13\n4,Di,0\n")
    show = ("--name-at", "B5", "--score-at", "C5", "--score-is", "total")
    assert "sheet.unread: '1' and 3 more" in run("list.csv", *show, status=2).stderr
    assert "hearts: Ann 10, Bob 3, Cy 13, Di 0" in run("list.csv", *show, "--ignore", "A5", "--yes").stdout
    assert "show a name, a score" in run("list.csv", "--name-at", "B5", status=2).stderr
