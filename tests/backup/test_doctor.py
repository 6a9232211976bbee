"""The doctor names everything that is wrong, says what to do, and writes nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.doctor import machine
from cardledger.record.doctor.read_models import SAMPLE, sampled
from cardledger.record.proofs.log import Log
from cardledger.record.readmodels.tables.matches import MATCHES
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.backup.club import made
from tests.proofs.club import rehash, tampering


@pytest.fixture(scope="module")
def looked_after(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a key, a checkpoint, tokens, and a backup that was tried: all is well."""
    folder = tmp_path_factory.mktemp("looked-after")
    path = folder / "home" / "club.db"
    made(path, 2)
    with Ledger(path) as ledger, Log(ledger) as log:
        log.seal()
    run("token", "create", "ana", "--role", "scorer", "--db", str(path))
    run("backup", str(folder / "safe.db"), "--db", str(path))
    run("drill", "--in", str(folder), "--db", str(path))
    return folder


@pytest.fixture
def club(looked_after: Path, tmp_path: Path) -> Path:
    copytree(looked_after, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "home" / "club.db"
    noted = path.with_name("club.backups.json")
    noted.write_text(noted.read_text().replace(str(looked_after), str(tmp_path)))
    return path


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, words)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.stdout


def asked(path: Path) -> dict[str, dict[str, Any]]:
    """Return the doctor's findings by the name of the check; problems have advice, and they decide the status."""
    status, said = run("doctor", "--json", "--db", str(path))
    answer = json.loads(said)
    assert (status == 0) == answer["well"] == all(one["state"] != "problem" for one in answer["findings"])
    for one in answer["findings"]:
        assert bool(one["advice"]) == (one["state"] != "ok"), one
    return {one["name"]: one for one in answer["findings"]}


def files(path: Path) -> dict[str, tuple[int, bytes]]:
    return {one.name: (one.stat().st_mtime_ns, one.read_bytes()) for one in path.parent.iterdir()}


def test_a_well_kept_ledger_has_no_findings(club: Path) -> None:
    assert run("drill", "--db", str(club))[0] == 0
    found = asked(club)
    amiss = {name for name, one in found.items() if one["state"] != "ok"}
    assert amiss <= {"sqlite", "disk"}, "these two are the machine's"
    assert {"program", "rules", "sqlite", "file", "events", "clock", "disk", "read models", "key", "tokens", "checkpoint",
            "backup", "restore"} <= found.keys()  # fmt: skip
    status, said = run("doctor", "--db", str(club))
    assert status == 0
    assert "every hash and page fits" in said


def test_the_doctor_writes_nothing(club: Path) -> None:
    before = files(club)
    asked(club)
    assert files(club) == before


def test_the_doctor_can_look_while_the_ledger_is_open(club: Path) -> None:
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
        found = asked(club)
    assert found["events"]["state"] == "ok"
    assert "1 event came since" in found["checkpoint"]["text"]


@pytest.mark.parametrize(
    ("statement", "name", "words"),
    [
        ('UPDATE events SET line = replace(line, \'"at":"2\', \'"at":"3\') WHERE position = 9', "events", "store.hash"),
        ("DELETE FROM events WHERE position > 9", "events", "proofs.missing"),
        ("DELETE FROM events WHERE position > 9", "guards", "events_are_kept"),
        ("PRAGMA user_version = 9", "file", "store.version"),
    ],
)
def test_changes_to_events_are_reported(club: Path, statement: str, name: str, words: str) -> None:
    with tampering(club) as db:
        db.execute(statement)
    found = asked(club)[name]
    assert found["state"] == "problem"
    assert words in found["text"]


def test_a_guard_that_does_nothing_and_a_foreign_trigger_are_reported(club: Path) -> None:
    with tampering(club) as db:  # without guards
        db.execute("CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT 1; END")
        db.execute("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM names; END")
    found = asked(club)
    assert found["guards"]["text"].startswith("events_are_kept, events_are_final: the guards")
    assert (found["triggers"]["state"], found["triggers"]["text"][:5]) == ("problem", "more:")


def test_lost_events_are_detected_by_the_read_models(club: Path) -> None:
    for ending in ("key", "checkpoints"):
        club.with_name(f"club.{ending}").unlink()
    with tampering(club) as db:
        db.execute("DELETE FROM events WHERE position > 9")
    assert "events were lost" in asked(club)["read models"]["text"]


def test_damaged_read_models_should_be_deleted(club: Path) -> None:
    views = club.with_name("club.views.db")
    content = bytearray(views.read_bytes())
    content[4096 * 2 : 4096 * 4] = bytes(8192)
    views.write_bytes(content)
    found = asked(club)["read models"]
    assert found["state"] == "problem"
    views.unlink()
    assert asked(club)["read models"]["state"] == "ok"


@pytest.mark.parametrize("statement", ["DELETE FROM checkpoint", "UPDATE checkpoint SET position = 'x'"])
def test_read_models_that_lost_their_position_should_be_deleted(club: Path, statement: str) -> None:
    views = club.with_name("club.views.db")
    altered(views, statement)
    found = asked(club)["read models"]
    assert (found["state"], found["text"]) == ("problem", "club.views.db does not say up to which event it goes")
    assert run("matches", "--db", str(club))[0] == 0, "they are made again when they are opened"
    assert asked(club)["read models"]["state"] == "ok"


def test_an_event_from_the_future_is_reported(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.record.people.recorders.AHEAD", timedelta(days=9))  # as earlier versions took it
    later = (datetime.now(UTC) + timedelta(days=2)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"), at=later)], 0)
    assert asked(club)["clock"]["state"] == "warning"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize(("name", "mode"), [("key", 0o644), ("tokens", 0o666)])
def test_secrets_readable_by_others_are_reported(club: Path, name: str, mode: int) -> None:
    path = club.with_name({"key": "club.key", "tokens": "club.access.db"}[name])
    path.chmod(mode)
    found = asked(club)[name]
    assert found["state"] == "problem"
    assert "chmod" in found["advice"]


def test_neglected_backups_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    made(path, 1)
    found = asked(path)
    assert found["checkpoint"]["state"] == found["backup"]["state"] == "warning"


def test_a_missing_backup_and_leftover_drafts_are_reported(club: Path, tmp_path: Path) -> None:
    (tmp_path / "safe.db").unlink()
    club.with_name(".club.db.1234abcd").write_text("")
    found = asked(club)
    assert found["backup"]["state"] == found["orphans"]["state"] == "warning"
    assert ".club.db.1234abcd" in found["orphans"]["text"]


def test_a_backup_older_than_the_latest_events_is_reported(club: Path) -> None:
    noted = club.with_name("club.backups.json")
    content = json.loads(noted.read_text())
    long_ago = (datetime.now(UTC) - timedelta(days=30)).isoformat()
    noted.write_text(json.dumps({place: made | {"made": long_ago} for place, made in content.items()}))
    assert asked(club)["backup"]["state"] == "ok", "nothing came since"
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
    found = asked(club)["backup"]
    assert found["state"] == "warning"
    assert "1 event came since" in found["text"]


def test_checkpoints_that_cannot_be_checked_are_reported(club: Path) -> None:
    checkpoints = club.with_name("club.checkpoints")
    content = checkpoints.read_text()
    name, size, *rest = content.split("\n")
    checkpoints.write_text("\n".join([name, str(int(size) - 1), *rest]))
    found = asked(club)["checkpoint"]
    assert (found["state"], found["advice"]) == ("problem", "compare with a checkpoint kept elsewhere")
    checkpoints.write_text(content)
    club.with_name("club.key").unlink()
    found = asked(club)["checkpoint"]
    assert (found["state"], found["advice"]) == ("problem", "put the key file back")


def test_a_change_with_all_hashes_recomputed_is_reported(club: Path) -> None:
    with tampering(club) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE position = 9')
        rehash(db)
    found = asked(club)["events"]
    assert found["state"] == "problem"
    assert "proofs.checkpoint" in found["text"]


def test_removed_checkpoints_are_reported(club: Path) -> None:
    club.with_name("club.checkpoints").unlink()
    found = asked(club)["checkpoint"]
    assert found["state"] == "problem"
    assert "though a backup was checked against one" in found["text"]


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> str:
        if name == "plotly":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(machine, "version", without)
    found = next(machine.program())
    assert (found.state, found.text.partition(", ")[2]) == ("problem", "without plotly")


@pytest.mark.parametrize(("has_bug", "state"), [(True, "warning"), (False, "ok")])
def test_the_wal_bug_of_the_sqlite_in_use_is_reported(
    monkeypatch: pytest.MonkeyPatch, has_bug: bool, state: str
) -> None:
    monkeypatch.setattr(machine, "linked_sqlite_has_wal_bug", lambda: has_bug)
    assert [found.state for found in machine.sqlite()] == [state]


@pytest.mark.parametrize(
    ("free", "needed", "state"),
    [
        ((50 << 20) - 1, 0, "problem"),
        (50 << 20, 0, "warning"),
        ((1 << 30) - 1, 0, "warning"),
        (1 << 30, 0, "ok"),
        (5 << 30, 3 << 30, "warning"),
        (6 << 30, 3 << 30, "ok"),
    ],
)
def test_a_disk_that_fills_up_is_reported_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, needed: int, state: str
) -> None:
    """The warning comes while there is still room for twice the ledger, as a backup and a rebuild need."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    assert [found.state for found in machine.disk(tmp_path, needed)] == [state]


@pytest.mark.parametrize("content", [None, b"", b"a letter", bytes(4096), b"SQLite format 3\x00" + bytes(4080)])
def test_a_file_that_is_not_a_ledger_is_reported(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "letter.db"
    if content is not None:
        path.write_bytes(content)
    before = files(path)
    assert asked(path)["file"]["state"] == "problem"
    assert files(path) == before


# --- read models against a fold


def altered(views: Path, statement: str) -> None:
    with closing(sqlite3.connect(views)) as db:
        assert db.execute(statement).rowcount > 0
        db.commit()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players SET total = total + 1",
        "UPDATE matches SET winners = '[0]' WHERE position = (SELECT max(position) FROM matches)",
        "DELETE FROM seats WHERE hand = 1",
        "DELETE FROM matches",
        "UPDATE hands SET dealer = 9 WHERE match = (SELECT match FROM matches ORDER BY position LIMIT 1)",
        f"INSERT INTO matches SELECT 'ffffffff-0000-4000-8000-000000000000', 999, {', '.join([*MATCHES.columns][2:])} FROM matches LIMIT 1",
    ],
)
def test_read_models_that_do_not_follow_from_the_events_are_reported(club: Path, statement: str) -> None:
    assert asked(club)["fold"]["state"] == "ok"
    altered(club.with_name("club.views.db"), statement)
    before = files(club)
    found = asked(club)["fold"]
    assert (found["state"], found["advice"].startswith("run cardledger rebuild")) == ("problem", True)
    assert files(club) == before
    run("rebuild", "--db", str(club))
    assert asked(club)["fold"]["state"] == "ok"


def test_late_or_missing_read_models_are_not_a_problem(club: Path) -> None:
    views = club.with_name("club.views.db")
    kept = views.read_bytes()
    with Ledger(club) as ledger:
        (match, *_) = ledger.matches()
        ledger.record(match, [ev.Note(text="later")], ledger.stream(match).seq)
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
        ledger.views.catch_up()
    views.write_bytes(kept)
    found = asked(club)
    assert "events behind" in found["read models"]["text"]
    assert found["fold"]["state"] == "ok"
    views.unlink()
    assert "fold" not in asked(club)


def test_among_many_matches_the_first_the_last_and_some_between_are_folded() -> None:
    matches = [f"{number:05}" for number in range(12_345)]
    chosen = sampled(matches)
    assert (chosen[0], chosen[-1], len({*chosen})) == (matches[0], matches[-1], SAMPLE)
    assert sampled(matches[:SAMPLE]) == matches[:SAMPLE]
