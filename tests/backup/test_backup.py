"""A backup is the ledger at one moment, even while others write; no other file is overwritten, nothing unproven restored."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from shutil import copyfile

import msgspec
import pytest
from click.testing import CliRunner, Result

from cardledger.cli.main import main
from cardledger.record.backup.following import follow
from cardledger.record.backup.making import BackupSource, back_up
from cardledger.record.backup.manifest import utc_now
from cardledger.record.people.recorders import Recorder
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.moment import position_of
from cardledger.record.store.chain import START, chain
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.engine import events as ev
from tests.backup.club import record_some, said
from tests.clock import Clock
from tests.proofs.club import rehash, tampering
from tests.thorough import many
from tests.waiting import ended, together, wait_until


def run(*words: object, status: int = 0) -> Result:
    found = CliRunner().invoke(main, [str(word) for word in words])
    assert found.exit_code == status, found.output
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def events(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        return db.execute("SELECT * FROM events ORDER BY position").fetchall()


def recorded(path: Path) -> None:
    with Ledger(path) as ledger:
        record_some(ledger, 1, seed=len(ledger.matches()) + 100)


# --- backup


def test_a_backup_is_the_ledger_and_can_be_used_as_one(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "safe" / "copy.db"
    target.parent.mkdir()
    told = run("backup", target, "--db", club).output
    assert "held to a checkpoint" in told
    assert events(target) == events(club)
    names = {path.name for path in target.parent.iterdir()}
    assert names == {"copy.db", "copy.checkpoints", "copy.backup.json"}, "no key, no logs, no drafts"
    with Ledger(club) as one, Ledger(target) as other:
        assert said(one) == said(other)


def test_the_key_is_copied_on_demand_only_and_for_its_owner_only(club: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--db", club, "--with-key")
    key = tmp_path / "copy.key"
    assert key.read_bytes() == (tmp_path / "club.key").read_bytes()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_tokens_are_copied(club: Path, tmp_path: Path) -> None:
    run("token", "create", "ana", "--role", "scorer", "--db", club)
    run("backup", tmp_path / "copy.db", "--db", club)
    assert "ana" in run("token", "list", "--db", tmp_path / "copy.db").output


def test_a_newer_backup_takes_the_place_of_an_older_one_only(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    run("backup", target, "--db", club)
    recorded(club)
    run("backup", target, "--db", club)
    assert events(target) == events(club)
    recorded(target)  # somebody used it as a ledger
    before = target.read_bytes()
    assert "store.differs" in run("backup", target, "--db", club, status=2).stderr
    assert target.read_bytes() == before


@pytest.mark.parametrize("content", [b"a letter to my aunt", b"", b"SQLite format 3\x00" + bytes(200)])
def test_a_foreign_file_is_never_overwritten(club: Path, tmp_path: Path, content: bytes) -> None:
    target = tmp_path / "letter.db"
    target.write_bytes(content)
    run("backup", target, "--db", club, status=2)
    assert target.read_bytes() == content


def test_neither_the_ledger_nor_files_beside_another_are_overwritten(club: Path, tmp_path: Path) -> None:
    assert "store.same" in run("backup", club, "--db", club, status=2).stderr
    copyfile(club, tmp_path / "club.bak")
    assert "store.same" in run("backup", tmp_path / "club.bak", "--db", club, status=2).stderr, (
        "its tokens are club.access.db"
    )
    (tmp_path / "copy.key").write_text("secret")
    assert "store.exists" in run("backup", tmp_path / "copy.db", "--db", club, status=2).stderr
    assert "store.write" in run("backup", tmp_path / "nowhere" / "copy.db", "--db", club, status=2).stderr


@pytest.mark.parametrize("what", ["checkpoints", "tokens", "keys"])
def test_a_backup_with_more_checkpoints_tokens_or_keys_is_not_replaced(club: Path, tmp_path: Path, what: str) -> None:
    target = tmp_path / "copy.db"
    run("token", "create", "ana", "--role", "scorer", "--db", club)
    run("backup", target, "--db", club, "--with-key")
    recorded(club)
    match what:
        case "checkpoints":
            club.with_name("club.checkpoints").write_text("")
        case "tokens":
            with closing(sqlite3.connect(club.with_name("club.access.db"))) as db:
                db.execute("DELETE FROM tokens")
                db.commit()
        case _:
            for ending in ("key", "checkpoints"):
                club.with_name(f"club.{ending}").unlink()
            with Ledger(club) as ledger, Log(ledger) as log:
                log.seal()
            copyfile(club.with_name("club.checkpoints"), tmp_path / "copy.checkpoints")
    before = {path.name: path.read_bytes() for path in tmp_path.glob("copy.*")}
    said = run("backup", target, "--db", club, "--with-key", status=2).stderr
    assert f"store.differs: {tmp_path}/copy." in said.replace("cardledger: ", "")
    assert f"has {what} that the ledger does not have: nothing was replaced" in said
    assert {path.name: path.read_bytes() for path in tmp_path.glob("copy.*")} == before


def test_a_ledger_that_differs_from_its_seal_does_not_replace_a_good_backup(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    run("backup", target, "--db", club)
    before = events(target)
    with tampering(club) as db:
        db.execute('UPDATE events SET line = replace(line, \'"type":"play"\', \'"type":"plaY"\') WHERE position = 40')
    run("backup", target, "--db", club, status=2)
    (tmp_path / "other.db").unlink(missing_ok=True)
    said = run("backup", tmp_path / "other.db", "--db", club, status=2).stderr
    assert "store.hash: event " in said
    assert events(target) == before
    assert not (tmp_path / "other.db").exists()
    assert not list(tmp_path.glob(".*")), "no draft is left behind"


def test_a_ledger_that_was_cut_short_is_found_by_its_checkpoint(club: Path, tmp_path: Path) -> None:
    with tampering(club) as db:
        db.execute("DELETE FROM events WHERE position > 20")
    assert "proofs.missing" in run("backup", tmp_path / "copy.db", "--db", club, status=2).stderr


_WRITE = """
import sys
from pathlib import Path
from cardledger.rules.engine import events as ev
from cardledger.record.recording.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
match, seq, *_ = ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
print("begun", flush=True)
while True:
    _, seq, *_ = ledger.record(match, [ev.Note(text="x" * 500)], seq)
    print(seq, flush=True)
"""


@pytest.fixture
def writer(club: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that records until it is stopped."""
    with subprocess.Popen([sys.executable, "-c", _WRITE, club], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield process
        process.kill()


def test_backups_are_made_while_another_process_writes_and_hold_all_that_was_acknowledged_before(
    club: Path, tmp_path: Path, writer: subprocess.Popen[str]
) -> None:
    assert writer.stdout is not None
    store = SqliteStore(club)
    source = BackupSource.of(club, store)
    for number in range(5):
        seq = int(writer.stdout.readline())
        manifest = back_up(source, tmp_path / f"{number}.db", utc_now(), with_key=False)
        assert manifest.seq >= seq
        copied = events(tmp_path / f"{number}.db")
        assert len(copied) == manifest.events
        assert copied == events(club)[: len(copied)]
    store.close()


def test_tokens_in_use_are_not_replaced(club: Path, tmp_path: Path) -> None:
    run("token", "create", "ana", "--role", "scorer", "--db", club)
    run("backup", tmp_path / "copy.db", "--db", club)
    with closing(sqlite3.connect(tmp_path / "copy.access.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("SELECT * FROM tokens").fetchall()
        assert "store.open" in run("backup", tmp_path / "copy.db", "--db", club, status=2).stderr
    run("backup", tmp_path / "copy.db", "--db", club)


@pytest.mark.long
def test_a_backup_that_is_killed_leaves_the_older_one(club: Path, tmp_path: Path) -> None:
    target, rng, whole = tmp_path / "copy.db", Random(1), 0
    run("backup", target, "--db", club)
    with Ledger(club) as ledger:
        record_some(ledger, 40, seed=300)
    command = [sys.executable, "-m", "cardledger", "backup", target, "--db", club, "--with-key"]
    begun = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    took = time.monotonic() - begun
    often, tried = many(10, 25), 0
    while tried < often or (whole in (0, tried) and tried < 100):
        tried += 1
        with Ledger(club) as ledger:
            record_some(ledger, 1, seed=rng.randrange(1 << 30))
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(took * rng.uniform(0.2, 1.6))
            process.kill()
        # The machine may have more to do now, or less, than at the start.
        took *= 1.2 if process.returncode else 1 / 1.2
        found = events(target)
        whole += found == events(club)
        assert found == events(club)[: len(found)]
        fresh = tmp_path / f"{rng.randrange(1 << 30)}.db"
        run("restore", target, fresh)
        assert events(fresh) == found
    assert 0 < whole < tried, "some were killed before and some after: otherwise this shows nothing"


# --- the second place


def test_the_second_place_is_never_further_behind_than_the_window(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apart from what a pass itself takes: what is recorded is there after the next one, and that is soon."""
    target, every, clock = tmp_path / "second.db", 0.3, Clock()
    monkeypatch.setattr("cardledger.record.backup.following.time", clock)
    store = SqliteStore(club)
    passes = follow(BackupSource.of(club, store), target, every, with_key=False)
    next(passes)
    for _ in range(3):
        recorded(club)
        before = clock.slept
        assert next(passes).new > 0
        assert clock.slept - before <= every
        assert events(target) == events(club)
    passes.close()  # type: ignore[attr-defined]
    store.close()


@pytest.mark.long
def test_the_second_place_comes_along_while_somebody_records(club: Path, tmp_path: Path) -> None:
    target, every = tmp_path / "second.db", 0.3
    command = [sys.executable, "-m", "cardledger", "backup", target, "--db", club, "--every", str(every)]
    with Ledger(club) as ledger, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as follower:
        assert follower.stdout is not None
        follower.stdout.readline()
        match, seq, *_ = ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
        second = SqliteStore(target)
        for _ in range(6):
            _, seq, *_ = ledger.record(match, [ev.Note(text="x")], seq)
            wait_until(lambda seq=seq: len(second.read(match)) >= seq, f"event {seq} in the second place")
        second.close()
        follower.terminate()
        assert "the backup is complete" in ended(follower)[1]
    assert events(target) == events(club)
    run("backup", target, "--db", club)  # it is a backup like any other


def test_following_resumes_and_damaged_events_are_never_copied(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "second.db"
    store = SqliteStore(club)
    passes = follow(BackupSource.of(club, store), target, 0.01, with_key=False)
    assert next(passes).error is None
    recorded(club)
    assert next(passes).new > 0
    good = events(target)
    recorded(club)
    with tampering(club) as db:
        db.execute(
            "UPDATE events SET line = replace(line, '20', '30') WHERE position = (SELECT max(position) - 3 FROM events)"
        )
    failed = next(passes)
    assert failed.error is not None and failed.error.code == "store.hash"
    assert next(passes).error is not None
    passes.close()  # type: ignore[attr-defined]
    store.close()
    assert events(target) == good


def test_a_checkpoint_made_during_a_copy_also_binds_the_second_place(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "second.db"
    store = SqliteStore(club)
    passes = follow(BackupSource.of(club, store), target, 0.01, with_key=False)
    next(passes)
    recorded(club)
    with Ledger(club) as ledger, Log(ledger) as log:
        made = log.seal()
    assert next(passes).error is None
    assert (tmp_path / "second.checkpoints").read_bytes() == (tmp_path / "club.checkpoints").read_bytes()
    assert f'"sealed": {made.size}' in (tmp_path / "second.backup.json").read_text()
    passes.close()  # type: ignore[attr-defined]
    store.close()


# --- restore


def test_every_position_can_be_restored(club: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--db", club)
    whole = events(club)
    for position in (0, 1, 17, len(whole) - 1, len(whole)):
        target = tmp_path / f"at{position}.db"
        run("restore", tmp_path / "copy.db", target, "--to-position", position)
        assert events(target) == whole[:position]
        run("verify", "--db", target) if position == 17 else None
    assert "store.position" in run("restore", club, tmp_path / "x.db", "--to-position", len(whole) + 1, status=2).stderr
    assert not (tmp_path / "x.db").exists()


def test_every_time_can_be_restored(tmp_path: Path) -> None:
    club = tmp_path / "club.db"
    with Ledger(club) as ledger:
        opening = ev.Open(game="diversity", players=("a", "b", "c", "d"), at="2026-03-01T20:00:00Z")
        match, seq, *_ = ledger.record(None, [opening, ev.Note(text="x", at="2026-03-01T20:30:00Z")], 0)
        ledger.record(match, [ev.Note(text="y", at="2026-03-01T21:00:00.500Z")], seq)
    for number, (time_, count) in enumerate(
        {"2026-03-01": 0, "2026-03-01T20:00:00": 1, "2026-03-01T21:30:00+01:00": 2, "2026-03-01T21:00:00Z": 2, "2026-03-02": 3}.items()
    ):  # fmt: skip
        run("restore", club, tmp_path / f"{number}.db", "--to-time", time_)
        assert len(events(tmp_path / f"{number}.db")) == count, time_
    run("restore", club, tmp_path / "x.db", "--to-time", "yesterday", status=2)


def with_times(club: Path, *times: str) -> None:
    """Record a note for each time, which it says it was recorded at; what is later than now is put into the file by hand."""
    with Ledger(club) as ledger:
        match, seq, *_ = ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"), at=MONDAY)], 0)
        for time_ in times[1:]:
            ledger.record(match, [ev.Note(text=time_, at="2026-03-01T00:00:00Z")], seq)
            seq += 1
        lines = [
            ev.encode(msgspec.structs.replace(event, at=time_)).decode()
            for event, time_ in zip(ledger.events(match), times, strict=True)
        ]
        linked = chain(START, lines)
    with closing(sqlite3.connect(club)) as db:
        db.execute("DROP TRIGGER events_are_final")
        db.executemany(
            "UPDATE events SET line = ?, hash = ? WHERE seq = ?", [(*pair, seq) for seq, pair in enumerate(linked, 1)]
        )
        db.commit()


MONDAY, TUESDAY, LONG_AGO, FAR_AHEAD = (
    f"{day}T20:00:00Z" for day in ("2026-03-02", "2026-03-03", "1999-01-01", "2099-01-01")
)


@pytest.mark.parametrize(
    ("times", "kept"),
    [
        ([MONDAY, FAR_AHEAD, MONDAY, MONDAY, TUESDAY, TUESDAY], 4),
        ([MONDAY, FAR_AHEAD, FAR_AHEAD, MONDAY, MONDAY, MONDAY, TUESDAY], 6),
        ([FAR_AHEAD, MONDAY, MONDAY, TUESDAY], 3),
        ([MONDAY, MONDAY, TUESDAY, LONG_AGO, TUESDAY, TUESDAY], 2),
        ([MONDAY, FAR_AHEAD], 1),
        ([TUESDAY, TUESDAY], 0),
    ],
)
def test_one_wrong_time_cuts_off_nothing_that_came_after(times: list[str], kept: int, tmp_path: Path) -> None:
    club = tmp_path / "club.db"
    with_times(club, *times)
    run("restore", club, tmp_path / "monday.db", "--to-time", "2026-03-02T23:00:00Z")
    assert events(tmp_path / "monday.db") == events(club)[:kept]
    with Ledger(club, create=False) as ledger:
        assert position_of(ledger.store, "2026-03-02T23:00:00Z") == kept, "rankings are as of the same place"


def test_imported_matches_belong_to_the_time_of_import(tmp_path: Path) -> None:
    club = tmp_path / "club.db"
    admin = Recorder("adm", "noted")
    with Ledger(club) as ledger:
        match, *_ = ledger.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"), at=MONDAY)], 0)
        old = [ev.Note(text=str(number), by="ana", at=LONG_AGO) for number in range(9)]
        ledger.record(match, old, 1, admin)
        assert {event.imported_by for event in ledger.events(match)[1:]} == {"adm"}
    run("restore", club, tmp_path / "monday.db", "--to-time", "2026-03-02T23:00:00Z")
    assert len(events(tmp_path / "monday.db")) == 1


def test_a_restored_ledger_must_match_the_checkpoints_it_covers(club: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--db", club, "--with-key")
    told = run("restore", tmp_path / "copy.db", tmp_path / "new.db").output
    assert "match their checkpoints" in told
    run("verify", "--db", tmp_path / "new.db")
    told = run("restore", tmp_path / "copy.db", tmp_path / "short.db", "--to-position", 10).output
    assert "sealed events are left out" in told
    assert not (tmp_path / "short.checkpoints").exists()
    assert not (tmp_path / "short.key").exists(), "one key never signs two pasts"


def test_a_backup_that_was_made_up_is_refused_by_manifest_and_by_checkpoint(club: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--db", club)
    with tampering(tmp_path / "copy.db") as db:
        db.execute("UPDATE events SET line = replace(line, '~', '-') WHERE position = 1")
        rehash(db)
    copy = tmp_path / "copy.db"
    assert "store.manifest" in run("restore", copy, tmp_path / "new.db", status=2).stderr
    (tmp_path / "copy.backup.json").unlink()
    key = tmp_path / "club.key"
    assert "proofs.checkpoint" in run("restore", copy, tmp_path / "new.db", "--key", key, status=2).stderr
    assert not (tmp_path / "new.db").exists()


def test_a_backup_that_lost_its_end_is_refused(club: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", copy, "--db", club)
    with tampering(copy) as db:
        db.execute("DELETE FROM events WHERE position > 30")
    assert "store.manifest" in run("restore", copy, tmp_path / "new.db", status=2).stderr
    run("restore", copy, tmp_path / "new.db", "--to-position", 30)


def test_the_first_bad_event_is_named_and_the_events_before_it_can_be_saved(club: Path, tmp_path: Path) -> None:
    _, match, seq, *_ = events(club)[39]
    with tampering(club) as db:
        db.execute("UPDATE events SET hash = x'00' WHERE position >= 40")
    said = run("restore", club, tmp_path / "new.db", status=2).stderr
    assert f"event {seq} of {match}" in said
    run("restore", club, tmp_path / "new.db", "--to-position", 39)
    assert len(events(tmp_path / "new.db")) == 39


def test_a_ledger_is_never_restored_over_another(club: Path, tmp_path: Path) -> None:
    for path in (club, tmp_path / "fresh.db"):
        (tmp_path / "fresh.views.db").write_text("")
        before = club.read_bytes()
        assert "store.exists" in run("restore", club, path, status=2).stderr
        assert club.read_bytes() == before
    assert "store.missing" in run("restore", tmp_path / "nothing.db", tmp_path / "new.db", status=2).stderr


def test_restoring_does_not_change_its_source(club: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--db", club, "--with-key")
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("copy.*")}
    run("restore", tmp_path / "copy.db", tmp_path / "new.db")
    assert {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("copy.*")} == before


def test_many_threads_back_up_and_write_at_once(club: Path, tmp_path: Path) -> None:
    def back(number: int) -> None:
        back_up(source, tmp_path / f"{number}.db", datetime.now(UTC), with_key=False)

    with Ledger(club) as ledger:
        source = BackupSource.of(club, ledger.store)
        together(partial(record_some, ledger, 3, seed=50), *(partial(back, number) for number in range(4)))
