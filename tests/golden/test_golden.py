"""Ledgers of every released version open in this one, and say what they said: replays, hashes, people, proofs, tokens."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from api.tokens import Tokens
from ledger import events as ev
from ledger.backup import examine as examining
from ledger.backup.restoring import Cut, restore
from ledger.cli import main
from ledger.errors import StoreError
from ledger.ledger import Ledger
from ledger.proofs.log import Log
from ledger.proofs.survey import survey
from ledger.stats.kept import Kept
from ledger.store import sqlite
from ledger.store.file import SqliteFile
from ledger.store.migration import Steps
from ledger.store.sqlite import KIND, SCHEMA, SqliteStore
from tests.golden.make import DUMPED, HERE, told
from tests.proofs.verifier import verifier

VERSIONS = sorted(path.name for path in HERE.iterdir() if path.name.startswith("v"))


def of(version: str, folder: Path) -> Path:
    """Return the ledger of a version in a folder of its own, its databases as they were."""
    copytree(HERE / version, folder, dirs_exist_ok=True)
    for what in DUMPED:
        with closing(sqlite3.connect(folder / f"club.{what}.db")) as db:
            db.executescript((folder / f"club.{what}.sql").read_text())
    return folder / "club.db"


@pytest.fixture(params=VERSIONS)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The ledger of every version in turn."""
    return of(request.param, tmp_path)


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT position, match, seq, line, hash FROM events ORDER BY position").fetchall()


def test_there_is_a_ledger_of_this_version_and_none_is_large() -> None:
    assert f"v{sqlite.VERSION}" in VERSIONS
    assert max(path.stat().st_size for path in HERE.rglob("v*/*")) < 70_000


def test_it_says_what_it_said(golden: Path) -> None:
    before = rows(golden)
    with Ledger(golden, create=False) as ledger:
        said = told(ledger)
        assert said == json.loads((golden.parent / "told.json").read_text()) | {"tables": said["tables"]}
        assert [error for _, error in ledger.verify() if error] == []
    assert rows(golden) == before


def test_it_says_so_without_anything_that_follows_from_it(golden: Path) -> None:
    for what in DUMPED:
        golden.with_name(f"club.{what}.db").unlink()
    test_it_says_what_it_said(golden)


def test_it_is_as_it_was_sealed_and_tokens_are_known(golden: Path) -> None:
    with Ledger(golden, create=False) as ledger, Log(ledger, create=False) as log:
        assert survey(log).checkpoints == 1
    tokens = Tokens(golden)
    assert [(token.name, token.role) for token, _ in tokens.all()] == [("ana", "scorer")]
    tokens.close()


def test_its_archive_unpacks_to_the_same_and_its_receipt_checks(golden: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.db"
    done = CliRunner().invoke(main, ["unpack", str(golden.with_name("club.parquet")), "--db", str(again)])
    assert done.exit_code == 0, done.output
    with Ledger(golden, create=False) as ledger, Ledger(again, create=False) as unpacked:
        assert [*unpacked.export(unpacked.matches())] == [*ledger.export(ledger.matches())]
        assert unpacked.people().named() == ledger.people().named()
        (lines,) = ledger.export(ledger.matches()[:1])
        with Log(ledger, create=False) as log:
            key = str(log.ring.verifier)
    assert [*verifier.check(golden.with_name("club.receipt.json").read_text(), key, lines)]


def test_it_can_be_recorded_to(golden: Path) -> None:
    with Ledger(golden, create=False) as ledger:
        match = ledger.matches()[0]
        seq = ledger.stream(match).seq
        ledger.record(match, [ev.Note(text="later")], seq)
        assert ledger.stream(match).seq == seq + 1


# --- what follows from events is dropped and made anew


@pytest.mark.parametrize("version", [0, 99])
@pytest.mark.parametrize("what", DUMPED)
def test_what_follows_from_events_is_made_anew_from_whatever_version(what: str, version: int, tmp_path: Path) -> None:
    path = of(VERSIONS[-1], tmp_path)
    derived = tmp_path / f"club.{what}.db"
    with closing(sqlite3.connect(derived)) as db:
        (now,) = db.execute("PRAGMA user_version").fetchone()
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("CREATE TABLE left_over (x)")
    openings: dict[str, Callable[[Ledger], object]] = {
        "views": lambda ledger: ledger.views.catch_up(),
        "luck": lambda ledger: Kept(ledger).close(),
        "proofs": lambda ledger: Log(ledger).close(),
    }
    with Ledger(path, create=False) as ledger:
        openings[what](ledger)
    with closing(sqlite3.connect(derived)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (now,)
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'left_over'").fetchone()


# --- from an earlier version of the events' file to a later one: here to versions there are not yet

TAGS = ("CREATE TABLE tags (position INTEGER PRIMARY KEY, tag TEXT NOT NULL)", "CREATE INDEX tags_tag ON tags (tag)")
STEPS: Steps = {
    1: (*sqlite.STEPS[1], *TAGS),
    2: ("CREATE VIEW openings AS SELECT position, match FROM events WHERE seq = 1", "INSERT INTO tags VALUES (1, 'first')"),
}  # fmt: skip
LATER = (*SCHEMA, *TAGS)


@pytest.fixture
def v1(tmp_path: Path) -> Path:
    return of("v1", tmp_path)


def test_steps_add_beside_events_and_the_ledger_says_what_it_said(v1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(v1)
    monkeypatch.setattr(sqlite, "VERSION", 3)
    monkeypatch.setattr(sqlite, "STEPS", STEPS)
    monkeypatch.setattr(sqlite, "SCHEMA", LATER)
    test_it_says_what_it_said(v1)
    assert rows(v1) == before
    store = SqliteStore(v1)
    assert store.file.reader.execute("SELECT tag FROM tags").fetchall() == [("first",)]
    assert store.file.reader.execute("SELECT count(*) FROM openings").fetchone()[0] > 5
    assert store.file.reader.execute("PRAGMA user_version").fetchone() == (3,)
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET line = '{}'", "DELETE FROM events", "DROP TABLE events", "ALTER TABLE events ADD COLUMN x",
        "ALTER TABLE events RENAME TO old", "INSERT INTO events VALUES (0, 'x', 1, '{}', x'00')",
        "CREATE TRIGGER sly AFTER INSERT ON tags BEGIN DELETE FROM events; END",
    ],
)  # fmt: skip
def test_a_step_that_would_touch_events_is_refused_and_nothing_has_changed(v1: Path, statement: str) -> None:
    before = rows(v1)
    # Guards that keep others from changing events do not have to help here.
    with closing(sqlite3.connect(v1)) as db:
        db.executescript("DROP TRIGGER events_are_kept; DROP TRIGGER events_are_final;")
    steps = {1: (*STEPS[1], statement, "INSERT INTO tags VALUES (2, 'second')")}
    with pytest.raises((StoreError, sqlite3.Error)) as caught:
        SqliteFile(v1, KIND, 2, LATER, "FULL", steps).close()
    assert isinstance(caught.value, StoreError)
    assert rows(v1) == before
    with closing(sqlite3.connect(v1)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'tags'").fetchone()


def test_a_version_to_which_no_steps_lead_is_refused(v1: Path) -> None:
    for version, steps in ((3, {1: STEPS[1]}), (0, STEPS)):
        content = v1.read_bytes()
        with pytest.raises(StoreError) as caught:
            SqliteFile(v1, KIND, version, SCHEMA, "FULL", steps)
        assert caught.value.code == "store.version"
        assert v1.read_bytes() == content


def test_a_backup_of_an_earlier_version_can_be_restored(
    v1: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sqlite, "VERSION", 3)
    monkeypatch.setattr(sqlite, "STEPS", STEPS)
    monkeypatch.setattr(sqlite, "SCHEMA", LATER)
    monkeypatch.setattr(examining, "VERSION", 3)
    monkeypatch.setattr(examining, "STEPS", STEPS)
    restore(v1, tmp_path / "new.db", Cut())
    assert rows(tmp_path / "new.db") == rows(v1)
