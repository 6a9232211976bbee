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

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record import readmodels
from cardledger.record.backup import examine as examining
from cardledger.record.backup.restoring import Cut, restore
from cardledger.record.proofs import tree
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import survey
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import sqlite
from cardledger.record.store.codec import decode
from cardledger.record.store.migration import Steps
from cardledger.record.store.sqlite import KIND, SCHEMA, SqliteStore
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.archive import files
from cardledger.study.archive.columns import VERSION
from cardledger.study.archive.files import Archive
from cardledger.study.stats.luck import luck_store
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.tokens import Tokens
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


def test_the_golden_ledgers_include_this_version_and_are_small() -> None:
    assert f"v{sqlite.VERSION}" in VERSIONS
    assert max(path.stat().st_size for path in HERE.rglob("v*/*")) < 70_000


def test_it_gives_the_same_answers_as_before(golden: Path) -> None:
    before = rows(golden)
    with Ledger(golden, create=False) as ledger:
        said = told(ledger)
        assert said == json.loads((golden.parent / "told.json").read_text()) | {"tables": said["tables"]}
        assert [error for _, error in ledger.verify() if error] == []
    assert rows(golden) == before


def test_it_gives_the_same_answers_without_derived_files(golden: Path) -> None:
    for what in DUMPED:
        golden.with_name(f"club.{what}.db").unlink()
    test_it_gives_the_same_answers_as_before(golden)


def test_it_fits_its_seal_and_its_tokens_are_known(golden: Path) -> None:
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


@pytest.mark.parametrize("version", [2, 3])
def test_an_archive_of_an_older_version_opens_and_is_packed_again_as_the_same_matches(
    version: int, tmp_path: Path
) -> None:
    """In the second, calls, cards passed and boards stood in `rest`; in the third, events were lists in place of letters."""
    with Archive(HERE / "archives" / f"v{version}.parquet") as old:
        assert old.manifest.version == version
        matches = [*old.recordings()]
        files.pack(matches, tmp_path / "new.parquet", old.manifest.position)
    with Archive(tmp_path / "new.parquet") as new:
        assert [*new.recordings()] == matches
        assert (new.manifest.version, new.manifest.heads) == (VERSION, old.manifest.heads)
        assert {match.match: match.stream().table.totals for match in new.courses(0)} == {
            match.match: Stream.of(decode(match.lines)).table.totals for match in matches
        }


def test_receipts_of_every_version_check_and_older_ones_say_what_they_do_not_prove(tmp_path: Path) -> None:
    with Ledger(of("v2", tmp_path), create=False) as ledger, Log(ledger, create=False) as log:
        key = str(log.ring.verifier)
        (lines,) = ledger.export(ledger.matches()[:1])
    newest = json.loads((HERE / "receipts" / "v2.receipt-3.json").read_text())
    older = json.loads((HERE / "v2" / "club.receipt.json").read_text())
    assert (older["receipt"], newest["receipt"]) == ("cardledger-receipt-2", "cardledger-receipt-3")
    for given in (older, newest):
        assert [*verifier.check(json.dumps(given), key, lines)]
        given["events"][9]["line"] = None
    assert any("1 of them are not shown" in said for said in verifier.check(json.dumps(newest), key))
    with pytest.raises(verifier.CannotCheckError, match=r"event 10 is not shown.*events 11 to 26 can be trusted"):
        list(verifier.check(json.dumps(older), key))


def test_it_can_be_recorded_to(golden: Path) -> None:
    with Ledger(golden, create=False) as ledger:
        match = ledger.matches()[0]
        seq = ledger.stream(match).seq
        ledger.record(match, [ev.Note(text="later")], seq)
        assert ledger.stream(match).seq == seq + 1


# --- derived files are dropped and rebuilt


@pytest.mark.parametrize("version", [0, 99])
@pytest.mark.parametrize("what", DUMPED)
def test_derived_files_are_rebuilt_from_any_version(what: str, version: int, tmp_path: Path) -> None:
    path = of(VERSIONS[-1], tmp_path)
    derived = tmp_path / f"club.{what}.db"
    with closing(sqlite3.connect(derived)) as db:
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("CREATE TABLE left_over (x)")
    openings: dict[str, Callable[[Ledger], object]] = {
        "views": lambda ledger: ledger.views.catch_up(),
        "luck": lambda ledger: LuckStore(ledger).close(),
        "proofs": lambda ledger: Log(ledger).close(),
    }
    with Ledger(path, create=False) as ledger:
        openings[what](ledger)
    with closing(sqlite3.connect(derived)) as db:
        now = {"views": readmodels.VERSION, "luck": luck_store.VERSION, "proofs": tree.VERSION}[what]
        assert db.execute("PRAGMA user_version").fetchone() == (now,)
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'left_over'").fetchone()


# --- from an earlier version of the events' file to a later one: here to versions there are not yet

TAGS = ("CREATE TABLE tags (position INTEGER PRIMARY KEY, tag TEXT NOT NULL)", "CREATE INDEX tags_tag ON tags (tag)")
STEPS: Steps = {
    **sqlite.STEPS,
    2: (*sqlite.STEPS[2], *TAGS),
    3: ("CREATE VIEW openings AS SELECT position, match FROM events WHERE seq = 1", "INSERT INTO tags VALUES (1, 'first')"),
}  # fmt: skip
LATER = (*SCHEMA, *TAGS)


@pytest.fixture
def v1(tmp_path: Path) -> Path:
    return of("v1", tmp_path)


def test_migrations_add_tables_and_the_ledger_keeps_its_answers(v1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(v1)
    monkeypatch.setattr(sqlite, "VERSION", 4)
    monkeypatch.setattr(sqlite, "STEPS", STEPS)
    monkeypatch.setattr(sqlite, "SCHEMA", LATER)
    test_it_gives_the_same_answers_as_before(v1)
    assert rows(v1) == before
    store = SqliteStore(v1)
    assert store.file.reader.execute("SELECT tag FROM tags").fetchall() == [("first",)]
    assert store.file.reader.execute("SELECT count(*) FROM openings").fetchone()[0] > 5
    assert store.file.reader.execute("PRAGMA user_version").fetchone() == (4,)
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
    steps = {1: (*STEPS[1], *TAGS, statement, "INSERT INTO tags VALUES (2, 'second')")}
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
    monkeypatch.setattr(sqlite, "VERSION", 4)
    monkeypatch.setattr(sqlite, "STEPS", STEPS)
    monkeypatch.setattr(sqlite, "SCHEMA", LATER)
    monkeypatch.setattr(examining, "VERSION", 4)
    monkeypatch.setattr(examining, "STEPS", STEPS)
    restore(v1, tmp_path / "new.db", Cut())
    assert rows(tmp_path / "new.db") == rows(v1)
