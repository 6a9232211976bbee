"""`cardledger pack` and `unpack`: a round trip, and one line for each error."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from cardledger.cli.main import main
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.study.archive import files
from tests.archive.streams import stored
from tests.older_lines import in_clear
from tests.tables import opening

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def export(db: Path) -> str:
    return run("export", "--db", db).stdout


@pytest.mark.long
def test_it_comes_back_unchanged(season: Ledger, tmp_path: Path) -> None:
    db, archive, other = season.store.file.path, tmp_path / "season.parquet", tmp_path / "other.db"  # type: ignore[attr-defined]
    packed = run("pack", archive, "--db", db)
    assert packed.exit_code == 0, packed.output
    matches, events = len(season.matches()), season.store.last_position()
    assert f"season.parquet: {matches:,} matches, {events:,} events, " in packed.stdout
    unpacked = run("unpack", archive, "--db", other)
    assert unpacked.exit_code == 0, unpacked.output
    assert unpacked.stdout.endswith(f"season.parquet: {matches:,} matches, {events:,} events stored\n")
    assert export(other) == export(db)
    assert run("matches", "--db", other).stdout == run("matches", "--db", db).stdout
    again = run("unpack", archive, "--db", other)
    assert again.stdout.endswith(f"0 matches, 0 events stored, {matches:,} stored already\n")


@pytest.mark.long
def test_an_unreadable_file_creates_no_ledger(archive: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.parquet"
    data = bytearray(archive.read_bytes())
    for content, code in ((data[:-100], "store.open"), (bytes(data[:3000]) + b"!" + data[3001:], "store.hash")):
        cut.write_bytes(content)
        refused = run("unpack", cut, "--db", tmp_path / "club.db")
        assert refused.exit_code == 2
        assert refused.stderr.startswith(f"cardledger: {code}: {cut}")
        assert refused.stderr.count("\n") == 2, "what is wrong, and what to do"
        assert [each.name for each in tmp_path.iterdir()] == ["cut.parquet"]


def test_a_match_that_cannot_be_stored_is_reported(tmp_path: Path) -> None:
    archive = tmp_path / "crafted.parquet"
    right, wrong = (f"{number}" * 8 + "-0000-4000-8000-000000000000" for number in "12")
    files.pack([stored([opening("diversity", 4)], right), stored([opening("diversity", 4)] * 2, wrong)], archive, 2)
    told = run("unpack", archive, "--db", tmp_path / "club.db")
    assert told.exit_code == 2
    assert told.stderr.splitlines()[0] == f"{archive}:{wrong}:2: table.phase: the match is open already"
    assert told.stdout.endswith("1 match, 1 event stored\n")


def test_importing_an_archive_explains_how_to_unpack_it(archive: Path, tmp_path: Path) -> None:
    told = run("import", archive, "--db", tmp_path / "club.db")
    assert told.exit_code == 2
    assert told.stderr.splitlines()[0] == f"{archive}:1: file.kind: this is an archive: `cardledger unpack` reads it"


def test_there_must_be_a_ledger_to_pack(tmp_path: Path) -> None:
    refused = run("pack", tmp_path / "a.parquet", "--db", tmp_path / "none.db")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("cardledger: store.missing: ")
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_message_names_the_package(
    season: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for words in (("pack", tmp_path / "a.parquet"), ("unpack", tmp_path / "a.parquet"), ("analyse", "--out", tmp_path)):
        refused = run(*words, "--db", season.store.file.path)  # type: ignore[attr-defined]
        assert refused.exit_code == 2
        assert refused.stderr.startswith(
            "cardledger: store.extra: Parquet needs pyarrow: pip install 'cardledger[analytics]'"
        )


@pytest.mark.parametrize("name", ["pack", "unpack", "analyse"])
def test_help_shows_examples(name: str) -> None:
    assert f"cardledger {name}" in run(name, "--help").stdout.partition("Examples:")[2]


def test_an_archive_with_pseudonyms_says_that_it_is_not_anonymous_and_holds_no_text(tmp_path: Path) -> None:
    archive, db = tmp_path / "club.parquet", tmp_path / "club.db"
    days = {"2026-01-06": "abcd", "2026-01-13": "abce", "2026-01-20": "abcf"}
    with Ledger(db) as ledger:
        for day, players in days.items():
            opened = ev.Open(
                game="ruff",
                players=tuple(f"Xan{player}" for player in players),
                date=day,
                event="Xan cup",
                place="Xan hall",
                table="Xan 1",
            )
            ledger.record(None, [opened, ev.Note(text="Xan was late")], 0, by="Xanthippe")
    for option in ("--pseudonyms", "--without-names"):
        packed = run("pack", archive, option, "--db", db)
        assert packed.exit_code == 0, packed.output
        assert "people.pseudonyms: this archive holds pseudonyms, but it is not anonymous" in packed.stderr
        assert "(3 of 6 players played on days of their own)" in packed.stderr
        assert "in clear" not in packed.stderr
        assert b"Xan" not in archive.read_bytes()
    told = json.loads(run("pack", archive, "--pseudonyms", "--json", "--db", db).stdout)
    assert (told["players"], told["on_days_of_their_own"]) == (6, 3)
    assert "not anonymous" not in run("pack", archive, "--db", db).stderr
    with Ledger(db) as ledger:
        in_clear(ledger, "aaaaaaaa-0000-4000-8000-000000000001", [opened])
    assert (
        "1 match older than pseudonyms: names stand in clear there"
        in run("pack", archive, "--pseudonyms", "--db", db).stderr
    )
    assert "not anonymous" in " ".join(run("pack", "--help").stdout.split())
