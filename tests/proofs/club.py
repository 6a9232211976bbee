"""Small ledgers with checkpoints, and what somebody with other tools can do to their file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from shutil import copyfile

from cardledger.record.people.people import Name
from cardledger.record.proofs import EventPlace
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.same_file import SameFile
from cardledger.record.store.write_lock import WriteLock
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev

NOW = datetime(2026, 11, 21, 19, 4, 31, tzinfo=UTC)
EVENTS = 11


def record_some(ledger: Ledger) -> tuple[str, str]:
    """Record two matches in turns, and a name; return their ids. Events of the ledger are A1 B1 A2 A3 B2 and so on."""
    ids = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
    players = (("ana", "ben", "chloe", "dev"), ("eva", "fay", "gil", "hana"))
    done = [0, 0]
    streams = [
        [*simulate("diversity", 4, Random(seed), ["random"], {"hands": 1}, players=names, max_hands=1)][:6]
        for seed, names in enumerate(players)
    ]
    for which in (0, 1, 0, 0, 1, 0, 1, 0, 1, 0):
        ledger.record(ids[which], [streams[which][done[which]]], done[which])
        done[which] += 1
    ledger.record_people([Name(player="ana", name="Ana Lima")], 0, "tests")
    return ids


def over(ledger: Ledger, game: str = "diversity", seed: int = 1) -> str:
    """Record a match of one hand that is over; return its id."""
    events = [*simulate(game, 4, Random(seed), ["random"], {"hands": 1}, max_hands=1)]
    match, seq, *_ = ledger.record(None, events, 0)
    if ledger.stream(match).table.status == "open":
        ledger.record(match, [ev.End()], seq)
    return match


def rows(path: Path) -> list[tuple[int, str, int, str, bytes]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT position, match, seq, line, hash FROM events ORDER BY position").fetchall()


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the file of a ledger without its guards, as somebody would who knows of its lock."""
    with unnoticed(path), closing(sqlite3.connect(path)) as db:
        for name in ("events_are_kept", "events_are_final"):
            db.execute(f"DROP TRIGGER IF EXISTS {name}")
        yield db
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def unnoticed(path: Path) -> Iterator[None]:
    """Let a file be written to, and leave it as its programs leave it."""
    with closing(WriteLock(path)) as lock, lock.held():
        yield
        lock.leave(SameFile(path).note())


def rehash(db: sqlite3.Connection) -> None:
    """Recompute all hashes, each match in the order of its numbers, as if this had always been the record."""
    before: dict[str, bytes] = {}
    for position, match, line in db.execute("SELECT position, match, line FROM events ORDER BY match, seq").fetchall():
        said = line.encode() if isinstance(line, str) else bytes(line)
        before[match] = sha256(before.get(match, bytes(32)) + said).digest()
        db.execute("UPDATE events SET hash = ? WHERE position = ?", (before[match], position))


def copied(folder: Path, name: str) -> Path:
    """Copy a ledger with its log, open or closed, into a folder of its own; return the ledger's path."""
    target = folder / name
    target.mkdir()
    for file in ("club.db", "club.proofs.db"):
        with closing(sqlite3.connect(folder / file)) as here, closing(sqlite3.connect(target / file)) as there:
            here.backup(there)
    for file in ("club.key", "club.checkpoints"):
        copyfile(folder / file, target / file)
    return target / "club.db"


def places(path: Path) -> list[EventPlace]:
    return [EventPlace(match, seq) for _, match, seq, _, _ in rows(path)]
