"""`cardledger analyse` on the command line: its output and its exit status."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from cardledger.cli import analyse as command
from cardledger.cli.main import main
from tests.analyse.conftest import contents
from tests.conftest import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


def analyse(*words: object) -> Result:
    return CliRunner().invoke(main, ["analyse", *map(str, words)])


@pytest.mark.long
def test_several_processes_give_the_same_result_as_one(season: Ledger, tables: Path, tmp_path: Path) -> None:
    """As it runs on a terminal, with the shares of every day, in a program of its own."""
    words = ["analyse", "--db", season.store.file.path, "--out", tmp_path, "--workers", "2"]  # type: ignore[attr-defined]
    done = subprocess.run([sys.executable, "-m", "cardledger", *words], capture_output=True, text=True, check=True)
    assert contents(tmp_path) == contents(tables)
    assert re.search(rf"summary.json: {len(season.matches())} matches, [\d,]+ hands, 0 problems\n", done.stdout)


def test_match_files_are_analysed_and_problems_are_reported(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(
        '{"type":"open","game":"diversity","players":["a","b","c","d"]}\n{"type":"play","seat":0,"card":"9S"}\n'
    )
    done = analyse(SAMPLES / "ruff-debts.jsonl", wrong, "--out", tmp_path / "tables", "--workers", 1, "--csv")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"{wrong}:2: table.phase: a deal comes next, not a play"]
    assert "2 matches, " in done.stdout
    assert "1 problem" in done.stdout
    assert (tmp_path / "tables" / "hands.csv").exists()


def test_progress_is_reported(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "EVERY", 0)
    done = analyse(archive, "--out", tmp_path, "--workers", 1)
    assert done.exit_code == 0
    lines = done.stderr.splitlines()
    assert len(lines) > 3
    assert all(re.fullmatch(r"analysing: \d+%, [\d,]+ events, [\d,]+ a second", line) for line in lines)
    shares = [int(line.partition("%")[0].rpartition(" ")[2]) for line in lines]
    assert shares == sorted(shares)
    assert shares[-1] > 90


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--workers", 2, "--cluster", "tcp://127.0.0.1:9"), "not both"),
        ((SAMPLES / "README.md", "a.parquet"), "a.parquet"),
        (("--workers", 0), "0"),
    ],
)
def test_a_nonsensical_request_is_explained(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    refused = analyse(*words, "--out", tmp_path / "tables")
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert not (tmp_path / "tables").exists()


def test_a_missing_ledger_is_reported(tmp_path: Path) -> None:
    nothing = tmp_path / "a.parquet"
    nothing.write_bytes(b"PAR1")
    for words, code in ((("--db", tmp_path / "none.db"), "store.missing"), ((nothing,), "store.open")):
        refused = analyse(*words, "--out", tmp_path / "tables")
        assert refused.exit_code == 2
        assert refused.stderr.startswith(f"cardledger: {code}: ")
        assert not (tmp_path / "tables").exists()


def test_a_folder_that_cannot_be_written_is_reported(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = analyse(archive, "--out", tmp_path / "file" / "tables", "--workers", 1)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("cardledger: store.write: ")
