"""A drill proves that the last copy can be restored, finds what is wrong with it, and leaves nothing behind."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import BusyError
from cardledger.record.backup.drills import KEPT, Drill, add, drills, restore_proof
from cardledger.record.backup.making import BackupSource
from cardledger.record.doctor.drill import drill
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.opening import opened
from cardledger.record.store.paths import Family
from cardledger.rules.engine import events as ev
from tests.backup.club import made
from tests.proofs.club import tampering
from tests.waiting import LIMIT

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)


@pytest.fixture
def copy(club: Path, tmp_path: Path) -> Path:
    """The last copy of the ledger."""
    (tmp_path / "safe").mkdir()
    (tmp_path / "room").mkdir()
    assert run("backup", str(tmp_path / "safe" / "copy.db"), "--db", str(club))[0] == 0
    return tmp_path / "safe" / "copy.db"


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, words)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


def drilled(club: Path, **given: Any) -> Drill:
    """Drill with the room beside the ledger; nothing is left in it."""
    room = club.parent / "room"
    with closing(opened(club, create=False)) as store:
        found = drill(BackupSource.of(club, store), NOW, folder=room, **given)
    assert [*room.iterdir()] == []
    assert drills(Family(club))[-1] == found
    assert found.said is None or found.said["template"] != "{text}", f"no other language can say it: {found.error}"
    assert found.words == (found.error or "")
    return found


def test_a_good_copy_is_proven_and_only_the_list_is_written(club: Path, copy: Path) -> None:
    before = {path: path.read_bytes() for path in (club, *copy.parent.iterdir())}
    ticks = iter([10.0, 51.25]).__next__
    found = drilled(club, clock=ticks)
    assert (found.code, found.copy, found.seconds, found.at) == (None, str(copy), 41.25, "2026-11-28T03:00:00Z")
    manifest = json.loads(copy.with_name("copy.backup.json").read_text())
    assert (found.events, found.sealed, found.digest) == (manifest["events"], manifest["sealed"], manifest["digest"])
    assert found.matches == 4
    assert {path: path.read_bytes() for path in before} == before


def test_a_copy_stays_good_while_the_ledger_goes_on(club: Path, copy: Path) -> None:
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
    assert drilled(club).code is None


@pytest.mark.parametrize("beside", ["nothing", "of before"])
def test_an_older_copy_in_the_place_of_the_last_one_is_found(
    club: Path, copy: Path, tmp_path: Path, beside: str
) -> None:
    before = {path.name: path.read_bytes() for path in copy.parent.iterdir()}
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
    for words in (["checkpoint"], ["backup", str(copy)]):
        assert run(*words, "--db", str(club))[0] == 0
    assert drilled(club).code is None
    for path in [*copy.parent.iterdir()]:
        path.unlink()
    for name, content in before.items():
        if name == copy.name or beside == "of before":
            (copy.parent / name).write_bytes(content)
    assert drilled(club).code in ("store.manifest", "proofs.missing")


def test_a_copy_without_a_checkpoint_that_lost_events_is_found(club: Path, copy: Path) -> None:
    before = copy.read_bytes()
    with Ledger(club) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
    assert run("backup", str(copy), "--db", str(club))[0] == 0
    for path in [*copy.parent.iterdir()]:
        if path.name not in ("copy.checkpoints",):
            path.unlink()
    copy.write_bytes(before)
    found = drilled(club)
    assert found.code == "store.manifest"
    assert "when it was made" in str(found.error)


def test_the_command_says_what_was_proven_and_where(club: Path, copy: Path, tmp_path: Path) -> None:
    status, said = run("drill", "--json", "--in", str(tmp_path / "room"), "--db", str(club))
    assert (status, json.loads(said)["code"], json.loads(said)["copy"]) == (0, None, str(copy))
    copy.unlink()
    status, said = run("drill", "--db", str(club))
    assert status == 1
    assert f"store.missing: there is no copy at {copy} now" in said
    assert [one.code for one in drills(Family(club))] == [None, "store.missing"]


def test_without_a_copy_there_is_nothing_to_prove(club: Path) -> None:
    status, said = run("drill", "--db", str(club))
    assert status != 0
    assert "store.missing: no copy of this ledger was noted here" in said
    assert not Family(club).drills.exists()
    assert restore_proof(Family(club), NOW).state == "no copy"


@pytest.mark.parametrize("bit", [1, 32])
def test_a_flipped_bit_is_found(club: Path, copy: Path, bit: int) -> None:
    content = bytearray(copy.read_bytes())
    content[content.index(b'"play"') + 2] ^= bit
    copy.write_bytes(content)
    assert drilled(club).code in {"store.hash", "store.damaged"}


def test_a_copy_of_another_ledger_is_found(club: Path, copy: Path, tmp_path: Path) -> None:
    made(tmp_path / "other" / "club.db", 2, seed=5)
    other = tmp_path / "safe" / "other.db"
    run("backup", str(other), "--db", str(tmp_path / "other" / "club.db"))
    assert drilled(club, copy=other).code == "store.differs"
    for ending in ("checkpoints", "key"):  # a stranger's seal says nothing about this ledger
        shutil.copy(club.with_name(f"club.{ending}"), other.with_name(f"other.{ending}"))
    assert drilled(club, copy=other).code in {"proofs.checkpoint", "proofs.missing"}


def test_a_ledger_that_lost_events_does_not_continue_its_copy(club: Path, copy: Path) -> None:
    with tampering(club) as db:
        db.execute("DELETE FROM events WHERE position > 9")
    assert drilled(club).code == "store.differs"


@pytest.mark.parametrize(("manifest", "code"), [(True, "store.manifest"), (False, "proofs.missing")])
def test_a_copy_that_ends_before_a_checkpoint_it_claims_is_found(
    club: Path, copy: Path, manifest: bool, code: str
) -> None:
    with tampering(copy) as db:
        db.execute("DELETE FROM events WHERE position > 9")
    if not manifest:
        copy.with_name("copy.backup.json").unlink()
    assert drilled(club).code == code


@pytest.mark.parametrize(("lost", "words"), [("copy", "is not beside it"), ("ledger", "of the ledger were lost")])
def test_a_claimed_checkpoint_that_is_gone_is_missed(club: Path, copy: Path, lost: str, words: str) -> None:
    (copy.with_name("copy.checkpoints") if lost == "copy" else club.with_name("club.checkpoints")).unlink()
    found = drilled(club)
    assert found.code == "proofs.missing"
    assert words in (found.error or "")


def test_checkpoints_without_a_key_prove_nothing(club: Path, copy: Path) -> None:
    club.with_name("club.key").unlink()
    assert drilled(club).code == "proofs.key"


def test_names_that_the_copy_lost_are_missed(club: Path, copy: Path) -> None:
    with tampering(copy) as db:
        db.execute("DELETE FROM names")
    assert drilled(club).code == "store.name"


def test_read_models_that_do_not_follow_from_the_events_are_found(club: Path, copy: Path) -> None:
    @contextmanager
    def spoiling(ledger: Ledger) -> Iterator[None]:
        views = ledger.views.file.path
        yield
        with closing(sqlite3.connect(views, isolation_level=None)) as db:
            db.execute("UPDATE matches SET hands = hands + 1")

    assert drilled(club, crews=spoiling).code == "store.views"


def test_a_disk_without_room_is_not_filled(club: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(club)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=copy.stat().st_size + (64 << 20)))
    found = drilled(club)
    assert found.code == "store.write"
    assert "no room" in (found.error or "")


def test_only_one_drill_at_a_time(club: Path, copy: Path) -> None:
    refused = []

    @contextmanager
    def twice(_: Ledger) -> Iterator[None]:
        with closing(opened(club, create=False)) as store, pytest.raises(BusyError) as busy:
            drill(BackupSource.of(club, store), NOW)
        refused.append(busy.value.code)
        yield

    assert drilled(club, crews=twice).code is None
    assert refused == ["store.busy"]
    assert len(drills(Family(club))) == 1


KILLED = """
import sys
from pathlib import Path
from datetime import UTC, datetime
from cardledger.record.doctor.drill import drill
from cardledger.record.backup.making import BackupSource
from cardledger.record.store.opening import opened

def waits(ledger):
    print("half way", flush=True)
    sys.stdin.read()

club, room = map(Path, sys.argv[1:])
drill(BackupSource.of(club, opened(club)), datetime.now(UTC), folder=room, crews=waits)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_drill_that_was_killed_leaves_nothing_at_the_next(club: Path, copy: Path, how: int) -> None:
    room = club.parent / "room"
    command = [sys.executable, "-c", KILLED, str(club), str(room)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True) as child:
        assert child.stdout
        assert child.stdout.readline() == "half way\n"
        assert [*room.glob("cardledger-*/drill.db")]
        child.send_signal(how)
        child.wait(LIMIT)
    assert bool([*room.iterdir()]) == (how == signal.SIGKILL)
    assert drills(Family(club)) == []
    assert drilled(club).code is None


def test_the_list_has_an_end_and_keeps_the_last_proof(club: Path) -> None:
    family, one = Family(club), Drill(at="2026-11-01T03:00:00Z", copy="copy.db")
    add(family, one)
    for night in range(KEPT + 9):
        add(family, Drill(at=f"2026-11-02T03:00:{night:02}Z", copy="copy.db", code="store.hash", error="event 3"))
    assert len(drills(family)) == KEPT + 1
    assert drills(family)[0] == one
    found = restore_proof(family, NOW)
    assert (found.state, found.proven) == ("failed", one)


def test_the_standing_is_old_after_a_number_of_days(club: Path, copy: Path) -> None:
    family = Family(club)
    assert restore_proof(family, NOW).state == "never"
    drilled(club)
    assert restore_proof(family, NOW + timedelta(days=7)).state == "proven"
    assert restore_proof(family, NOW + timedelta(days=7, seconds=1)).state == "old"
    assert restore_proof(family, NOW + timedelta(days=8), days=9).state == "proven"


@pytest.mark.parametrize(
    "content", ["", "{", "[{}]", '[{"at": "today", "copy": "x"}]', '[{"at": "2026-11-28", "copy": "x"}]']
)
def test_a_list_that_cannot_be_read_proves_nothing(club: Path, copy: Path, content: str) -> None:
    Family(club).drills.write_text(content)
    assert restore_proof(Family(club), NOW).state == "never"


def test_the_doctor_says_when_a_restore_was_last_proven(club: Path, copy: Path) -> None:
    def asked(*words: str) -> dict[str, Any]:
        findings = json.loads(run("doctor", "--json", "--db", str(club), *words)[1])["findings"]
        return next(one for one in findings if one["name"] == "restore")

    assert asked()["state"] == "warning"
    run("drill", "--in", str(club.parent / "room"), "--db", str(club))
    assert (asked()["state"], asked()["text"][:21]) == ("ok", "last proven restore: ")
    assert asked("--drill-days", "0")["state"] == "warning"
    copy.unlink()
    run("drill", "--db", str(club))
    assert asked()["state"] == "problem"
    assert "store.missing" in asked()["text"]
    assert "last proven restore: " in asked()["text"]
