"""The event store on SQLite: one table of events, every acknowledged one synced to disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from ledger.errors import ConflictError, StoreError, UnusableError
from ledger.store import Append, EventStore, Recording, Stored
from ledger.store.file import UNREADABLE, SqliteFile, refused
from ledger.store.migration import Steps

KIND = 0x63617264
"""Marks a SQLite file as a ledger (the ASCII letters "card")."""
VERSION = 1
STEPS: Steps = {}
"""What leads here from earlier versions; events are never touched, and VERSION 1 was the first."""
# Lines are canonical JSON; for people who look with other tools, a view shows what they say as columns.
SCHEMA = (
    """CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    match TEXT NOT NULL,
    seq INTEGER NOT NULL,
    line TEXT NOT NULL,
    hash BLOB NOT NULL
)""",
    """CREATE VIEW log AS SELECT
    position, match, seq,
    json_extract(line, '$.type') AS type, json_extract(line, '$.at') AS at, json_extract(line, '$.by') AS by,
    json_extract(line, '$.seat') AS seat, json_extract(line, '$.card') AS card, line, lower(hex(hash)) AS hash
    FROM events""",
    "CREATE UNIQUE INDEX events_match_seq ON events (match, seq)",
    """CREATE TRIGGER events_are_kept BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
    """CREATE TRIGGER events_are_final BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
)
# Every statement lets other threads go first and waits to be let go on itself: looking and adding are one.
_FIRST = """INSERT INTO events (match, seq, line, hash) SELECT ?1, ?2, ?3, ?4
    WHERE ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE match = ?1), 0)"""
_AT_ONCE = 64 << 20
"""Bytes of a file that is looked through when it is opened: that takes a tenth of a second."""
_SELECT = "SELECT position, match, seq, line, hash FROM events"
_LINES = "SELECT line FROM events WHERE match = ? AND seq <= ? ORDER BY seq"
_HASH = "SELECT hash FROM events WHERE match = ? AND seq = ?"


class SqliteStore:
    """Events in a SQLite file, one writer at a time, committed with full sync."""

    remote = False

    def __init__(self, path: Path) -> None:
        """Open or create the ledger at `path`; raises StoreError `store.open`, `store.damaged`, `store.version`."""
        self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "FULL", STEPS)
        self.name = str(path)
        try:
            if path.stat().st_size <= _AT_ONCE:
                self.expect_sound()
        except BaseException:
            self.close()
            raise

    def expect_sound(self) -> None:
        """Refuse a file in which pages, rows and index do not belong together; raises StoreError `store.damaged`.

        What rows say is not looked at: their hashes do that.
        """
        try:
            said = self.file.reader.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except UNREADABLE as error:
            raise refused(self.file.path, error) from None
        if said != "ok":
            told = " ".join(said.split())
            raise StoreError("store.damaged", f"{self.name} is damaged ({told}); cardledger doctor says what to do")

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events, all or nothing, durable on return; return where each append begins; raises ConflictError."""
        firsts = []
        try:
            with self.file.writing() as db:
                for match, expected, lines in appends:
                    first, *rest = [
                        (match, seq, line, digest) for seq, (line, digest) in enumerate(lines, expected + 1)
                    ]
                    added = db.execute(_FIRST, first)
                    if not added.rowcount:
                        row = db.execute("SELECT max(seq) FROM events WHERE match = ?", (match,)).fetchone()
                        raise ConflictError(match, expected, row[0] or 0)
                    firsts.append(added.lastrowid or 0)
                    if rest:
                        db.executemany("INSERT INTO events (match, seq, line, hash) VALUES (?, ?, ?, ?)", rest)
        except (sqlite3.Error, UnusableError) as error:
            told = error.message if isinstance(error, UnusableError) else error
            raise UnusableError("store.write", f"nothing was stored: {told}") from None
        return firsts

    def read(self, match: str, after: int = 0) -> list[Stored]:
        """Return the events of a match after a seq, in order."""
        rows = self.file.reader.execute(f"{_SELECT} WHERE match = ? AND seq > ? ORDER BY seq", (match, after))
        return [Stored(*row) for row in rows]

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        rows = self.file.reader.execute(f"{_SELECT} WHERE position > ? ORDER BY position", (after,))
        return (Stored(*row) for row in rows)

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield the matches from `first` to `last` with their events up to a position, in the order of the match ids.

        Raises StoreError `store.damaged` where rows and index do not belong together.
        """
        # A query for each match is read a third faster than all rows in one: no ids and hashes come along that nobody
        # needs. All of them see the ledger as it was at the first.
        read = self.file.reader.execute
        whole = """SELECT match, min(position), max(seq) FROM events
            WHERE match BETWEEN ? AND ? AND position <= ? GROUP BY match ORDER BY match"""
        for match, position, seq in read(whole, (first, last, upto)):
            lines = [line for (line,) in read(_LINES, (match, seq))]
            (hash,) = read(_HASH, (match, seq)).fetchone() or (None,)
            if hash is None or not lines:
                raise StoreError("store.damaged", f"match {match} is not where the index of {self.name} says")
            yield Recording(match, position, lines, hash)

    def news(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return position and match of the next events after a position, up to `limit` of them."""
        rows = "SELECT position, match FROM events WHERE position > ? ORDER BY position LIMIT ?"
        return self.file.reader.execute(rows, (after, limit)).fetchall()

    def between(self, after: int, upto: int) -> set[str]:
        """Return the matches with events after one position and up to another."""
        rows = "SELECT DISTINCT match FROM events WHERE position > ? AND position <= ?"
        return {match for (match,) in self.file.reader.execute(rows, (after, upto))}

    def lengths(self, matches: Collection[str]) -> dict[str, int]:
        """Return how many events each of some matches has, for those that are there."""
        rows = "SELECT match, max(seq) FROM events WHERE match IN (SELECT value FROM json_each(?)) GROUP BY match"
        return dict(self.file.reader.execute(rows, (json.dumps([*matches]),)))

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of their openings."""
        rows = self.file.reader.execute("SELECT match FROM events GROUP BY match ORDER BY min(position)")
        return [match for (match,) in rows]

    def ids(self, prefix: str, limit: int, after: str = "") -> list[str]:
        """Return up to `limit` match ids that begin with a prefix and come after one, in their order."""
        rows = self.file.reader.execute(
            "SELECT match FROM events WHERE match >= ? AND match < ? AND seq = 1 ORDER BY match LIMIT ?",
            (max(prefix, f"{after}\x01"), f"{prefix}\x7f", limit),
        )
        return [match for (match,) in rows]

    def last_position(self) -> int:
        """Return the position of the last event of the ledger, 0 for an empty one."""
        position: int | None = self.file.reader.execute("SELECT max(position) FROM events").fetchone()[0]
        return position or 0

    last_given = last_position

    def tell(self, call: Callable[[], object]) -> bool:
        """Return that nobody calls: whoever wants to know looks."""
        return False

    def same(self, other: EventStore) -> bool:
        """Tell whether another store is this file, by whatever path."""
        return isinstance(other, SqliteStore) and self.file.path.samefile(other.file.path)

    def close(self) -> None:
        """Release the file."""
        self.file.close()


def expect_sound(store: EventStore) -> None:
    """Refuse a ledger whose file is not whole, of whatever size; raises StoreError `store.damaged`."""
    if isinstance(store, SqliteStore):
        store.expect_sound()
