"""The write lock: no two connections ever write or checkpoint at once; the WAL-reset bug needs exactly that."""

from __future__ import annotations

import ast
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.readers import read_only
from tests.backup.club import made
from tests.thorough import many
from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent.parent
CONNECTING = {
    "ledger/cardledger/record/store/sqlite_file.py": 1,  # the writer, which holds the write lock
    "ledger/cardledger/record/store/readers.py": 1,
    "ledger/cardledger/record/backup/snapshot.py": 1,  # a draft that nobody else knows
    "ledger/cardledger/study/analyse/share_results.py": 1,  # in memory
}
"""Where SQLite is connected to, and how often."""


@pytest.mark.long
def test_only_few_places_open_sqlite_and_only_the_lock_holder_checkpoints() -> None:
    found = dict[str, int]()
    for package in ("ledger", "api", "web"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text()
            assert text.count("PRAGMA wal_checkpoint") == (path.name == "sqlite_file.py" and package == "ledger"), path
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {
                    "sqlite3.connect",
                    "connect",
                    "sqlite3.Connection",
                }:
                    name = str(path.relative_to(ROOT))
                    found[name] = found.get(name, 0) + 1
    assert found == CONNECTING


def test_a_read_only_connection_can_neither_write_nor_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        with ledger.store.file.reader.apart() as reader:  # type: ignore[attr-defined]
            assert reader.execute("PRAGMA query_only").fetchone() == (1,)
            assert reader.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
            reader.execute("PRAGMA query_only = 0")
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader.execute("DELETE FROM events")
        reader.close()


def test_a_reader_that_is_the_last_to_close_leaves_the_log_as_it_is(tmp_path: Path) -> None:
    """As after a kill: the log is there, and no writer."""
    path, copy = tmp_path / "club.db", tmp_path / "copy.db"
    made(path, 1)
    with Ledger(path) as ledger:
        with ledger.store.file.writing() as db:  # type: ignore[attr-defined]
            db.execute("CREATE TABLE mark (x)")
        for ending in ("", "-wal"):
            Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    before = copy.read_bytes(), Path(f"{copy}-wal").read_bytes()
    with closing(read_only(copy)) as reader:
        assert reader.execute("SELECT count(*) FROM mark").fetchone() == (0,), "what is in the log is read"
    assert (copy.read_bytes(), Path(f"{copy}-wal").read_bytes()) == before


_WATCHED = """
import os, sqlite3, sys, threading, time
from contextlib import contextmanager
from pathlib import Path
from cardledger.record.store.write_lock import WriteLock

WRITING = {"INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "COMMIT", "VACUUM"}
held, real, hold = set(), sqlite3.connect, WriteLock.held
statements = 0

def expect_pen(db, what):
    global statements
    statements += 1
    if db.draft:
        return
    pen = (f"{db.file}.lock", threading.get_ident())
    if db.reads or pen not in held:
        print(f"WRONG: {what!r} on {db.file}, which {'may only read' if db.reads else 'is not held'}", flush=True)
        os._exit(3)

class Watched(sqlite3.Connection):
    def execute(self, sql, *given):
        word = sql.split()[0].upper()
        if word in WRITING or sql.startswith("BEGIN IMMEDIATE") or "checkpoint" in sql and "auto" not in sql and word == "PRAGMA":
            expect_pen(self, sql)
        return super().execute(sql, *given)
    def executemany(self, sql, given):
        expect_pen(self, sql)
        return super().executemany(sql, given)
    def close(self):
        if not self.reads:  # the last one to close checkpoints
            expect_pen(self, "close")
        return super().close()

def connect(path, **given):
    if str(Path(sys.argv[1]).parent) not in str(path):
        return real(path, **given)  # no file of the ledger: what measures coverage keeps such
    db = real(path, factory=Watched, **given)
    db.reads = "mode=ro" in str(path)
    db.file = str(path).removeprefix("file://").partition("?")[0]
    db.draft = Path(db.file).name.startswith(".") and not db.reads
    return db

@contextmanager
def holding(pen, patience=None):
    with hold(pen, patience) as left:
        held.add((f"{pen.path}.lock", threading.get_ident()))
        try:
            yield left
        finally:
            held.discard((f"{pen.path}.lock", threading.get_ident()))

sqlite3.connect, WriteLock.held = connect, holding

from cardledger.rules.engine import events as ev
from cardledger.record.backup.following import follow
from cardledger.record.backup.making import BackupSource, back_up
from cardledger.record.backup.manifest import utc_now
from cardledger.record.recording.ledger import Ledger
from cardledger.record.proofs.log import Log

path, role = Path(sys.argv[1]), sys.argv[2]
done = 0
with Ledger(path) as ledger:
    source = BackupSource.of(path, ledger.store)
    passes = follow(source, path.with_name("second.db"), 0.05, with_key=False)
    match, seq = None, 0
    until = time.monotonic() + float(sys.argv[3])
    while not done or time.monotonic() < until:
        if role.startswith("write"):
            event = ev.Note(text="x" * 300) if match else ev.Open(game="diversity", players=("a", "b", "c", "d"))
            match, seq, *_ = ledger.record(match, [event], seq)
        elif role == "read":
            for one in ledger.matches():
                ledger.stream(one)
            ledger.views.reader.execute("SELECT count(*) FROM seats").fetchone()
        elif role == "rebuild":
            for _ in ledger.rebuild():
                pass
        elif role == "seal":
            with Log(ledger) as log:
                log.seal()
        elif role == "back up":
            back_up(source, path.with_name("backup.db"), utc_now(), with_key=False)
        elif role == "follow":
            found = next(passes)
            assert found.error is None, found.error
        elif role == "reopen":
            Ledger(path).close()
        done += 1
    passes.close()
print(done, statements, match, seq)
"""
ROLES = ("write 1", "write 2", "read", "rebuild", "seal", "back up", "follow", "reopen")


def stress(tmp_path: Path, seconds: float, roles: tuple[str, ...]) -> None:
    """Let processes do everything at once for a while; nothing may be lost, and nobody may have written without the lock."""
    path = tmp_path / "club.db"
    made(path, 2)
    before = len(path.read_bytes())
    command = [sys.executable, "-c", _WATCHED, path]
    workers = {
        role: subprocess.Popen(
            [*command, role, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for role in roles
    }
    said = {role: worker.communicate(timeout=seconds + 2 * LIMIT) for role, worker in workers.items()}
    assert {role: worker.returncode for role, worker in workers.items()} == dict.fromkeys(roles, 0), said
    with Ledger(path) as ledger:
        assert [error for _, error in ledger.verify() if error] == []
        for role, (out, _) in said.items():
            done, statements, match, seq = out.split()
            assert int(done) > 0, role
            assert int(statements) > 0, "everybody who opens a ledger writes something, under watch"
            if role.startswith("write"):
                assert ledger.stream(match).seq == int(seq), "an acknowledged event is lost"
    assert len(path.read_bytes()) > before
    for name in ("club.db", "backup.db", "second.db"):
        with closing(sqlite3.connect(tmp_path / name)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nobody_writes_without_the_lock_under_full_load(tmp_path: Path) -> None:
    stress(tmp_path, 4, ("write 1", "write 2", "rebuild", "back up", "follow"))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nobody_writes_without_the_lock_for_a_minute(tmp_path: Path) -> None:
    stress(tmp_path, many(15, 40), ROLES)
