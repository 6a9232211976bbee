"""The event store on SQLite: one table of events, every acknowledged one synced to disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from cardledger.errors import ConflictError, ErasedError, StoreError, UnusableError
from cardledger.record.people.names import ERASED, Named, Names, erased_by, quoted, unite
from cardledger.record.people.old_lines import OldLines
from cardledger.record.people.people import STREAM
from cardledger.record.store import Append, EventStore, Recording, Stored, meanings, soundness
from cardledger.record.store.meanings import in_schema
from cardledger.record.store.migration import Steps
from cardledger.record.store.needs import Needs
from cardledger.record.store.paths import KIND, WAKE, Family
from cardledger.record.store.quota import Quota, expect_room, unlimited
from cardledger.record.store.readers import Readable, read_only, resting
from cardledger.record.store.soundness import expect_opened_sound
from cardledger.record.store.sqlite_errors import UNREADABLE, refused
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.record.store.write_lock import PATIENCE

VERSION = 3
# Erasing empties and refills the whole table, so that nothing stays in its pages. There is no trigger, as it would
# keep SQLite from overwriting all of them. `due` means that the log may still hold erased text.
_NAMES = (
    in_schema(
        """CREATE TABLE names (
    pseudonym TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    salt BLOB NOT NULL,
    due INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID""",
        meanings.NAMES,
    ),
    "CREATE INDEX names_text ON names (kind, text)",
    "CREATE INDEX names_due ON names (due) WHERE due",
)
_NEEDS = (
    in_schema(
        """CREATE TABLE needs (
    writes INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    program TEXT NOT NULL
)""",
        meanings.NEEDS,
    ),
    "INSERT INTO needs VALUES (0, 0, '')",
)
STEPS: Steps = {1: _NAMES, 2: _NEEDS}
"""The steps from earlier versions; events are never touched. VERSION 1 had names in clear, in the lines."""
# What tables and columns mean stands in the schema; ledgers of earlier versions do not have these comments.
EVENTS = in_schema(
    """CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    match TEXT NOT NULL,
    seq INTEGER NOT NULL,
    line TEXT NOT NULL,
    hash BLOB NOT NULL
)""",
    meanings.EVENTS,
)
# Lines are canonical JSON; for people with other tools, a view shows their keys as columns.
SCHEMA = (
    EVENTS,
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
    *_NAMES,
    *_NEEDS,
)
# Every statement gives way to other threads, so the check and the insert are one statement.
_FIRST = """INSERT INTO events (match, seq, line, hash) SELECT ?1, ?2, ?3, ?4
    WHERE ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE match = ?1), 0)"""
_SELECT = "SELECT position, match, seq, line, hash FROM events"
_SELECT_NAMES = "SELECT pseudonym, kind, text, salt FROM names"
_AMONG = "pseudonym IN (SELECT value FROM json_each(?))"
_LINES = "SELECT line FROM events WHERE match = ? AND seq <= ? ORDER BY seq"
_HASH = "SELECT hash FROM events WHERE match = ? AND seq = ?"


class SqliteStore:
    """Events in a SQLite file, one writer at a time, committed with full sync."""

    remote = False
    refusal: StoreError | None = None
    quota: Callable[[], Quota | None] = staticmethod(unlimited)

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """Open or create the ledger at `path`.

        Raises StoreError `store.open`, `store.damaged`, `store.version`, `store.busy`.

        `patience` is the number of seconds a writer waits for others.
        """
        self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "FULL", STEPS, patience)
        self.name = str(path)
        self.writable, self.created = self.file.writable, self.file.created
        self.names = Names(self._find, self._spoken, lambda: old_lines(self.file.now))
        self._due = False
        try:
            expect_opened_sound(path, self.file.reader)
            needs = needs_in(self.file.reader)
            needs.expect_readable(path)
            self.refusal = needs.refusal(path)
            self._due = bool(self._names("due LIMIT 1"))
            self._wipe()
        except BaseException:
            self.close()
            raise

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events, all or nothing, durable on return; return where each append begins; raises ConflictError."""
        appends = list(appends)
        if not appends:
            return []
        firsts = []
        erased = [group for match, _, lines, *_ in appends for group in erased_by(match, (line for line, _ in lines))]
        expect_room(self, appends, erasing=bool(erased), size=Family(self.file.path).size)
        try:
            with self.file.writing() as db:
                self._state_needs(db)
                _learn(db, [*unite(each.names for each in appends)])
                _expect_none_erased(db, {named.pseudonym for each in appends if each.fresh for named in each.names})
                for match, expected, lines, *_ in appends:
                    first, *later = [
                        (match, seq, line, digest) for seq, (line, digest) in enumerate(lines, expected + 1)
                    ]
                    added = db.execute(_FIRST, first)
                    if not added.rowcount:
                        row = db.execute("SELECT max(seq) FROM events WHERE match = ?", (match,)).fetchone()
                        raise ConflictError(match, expected, row[0] or 0)
                    firsts.append(added.lastrowid or 0)
                    if later:
                        db.executemany("INSERT INTO events (match, seq, line, hash) VALUES (?, ?, ?, ?)", later)
                _erase(db, erased)
        except sqlite3.Error as error:
            raise UnusableError("store.write", f"{self.name} cannot be written: {error}") from None
        if erased:
            self._due = True
            self.names.forget()
        self._wipe()
        return firsts

    def _state_needs(self, db: sqlite3.Connection) -> None:
        """Write down what the ledger needs from now on.

        Raises StoreError `store.version` if a later program has recorded in it meanwhile.
        """
        needs = Needs(*db.execute("SELECT writes, reads, program FROM needs").fetchone())
        if refusal := needs.refusal(self.name):
            raise refusal
        if more := needs.raised():
            db.execute("UPDATE needs SET writes = ?, reads = ?, program = ?", more)

    def learn(self, names: Collection[Named]) -> None:
        """Store the texts of pseudonyms, except known and erased ones; raises StoreError `store.write`."""
        if not names:
            return
        try:
            with self.file.writing() as db:
                _learn(db, names)
        except sqlite3.Error as error:
            raise StoreError("store.write", f"names were not stored: {error}") from None

    def named(self, kind: str) -> Iterator[Named]:
        """Yield all names of a kind, in the order of their pseudonyms."""
        return (Named(*row) for row in self.file.reader.lazily(f"{_SELECT_NAMES} WHERE kind = ? ORDER BY 1", (kind,)))

    def _find(self, pseudonyms: Collection[str]) -> list[Named]:
        return self._names(_AMONG, json.dumps([*pseudonyms]))

    def _spoken(self, kind: str, text: str) -> list[Named]:
        return self._names("kind = ? AND text = ?", kind, text)

    def _names(self, where: str, *given: str) -> list[Named]:
        # Names in memory must be current, even when a match is read as it stood before an erasure.
        return [Named(*row) for row in self.file.now(f"{_SELECT_NAMES} WHERE {where}", given)]

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events whose stored lines hold one of some texts."""
        rows = self.file.reader.lazily(
            f"{_SELECT} WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE instr(line, value)) ORDER BY position",
            (json.dumps([*texts]),),
        )
        return (Stored(*row) for row in rows)

    def _wipe(self) -> None:
        """Overwrite erased names in the files too; later, if a reader still uses the old pages."""
        if self._due and self.file.emptied():
            with suppress(sqlite3.Error, UnusableError):  # a full disk, say: retry next time
                with self.file.writing() as db:
                    db.execute("UPDATE names SET due = 0 WHERE due")
                self._due = False

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events of a match after a seq, in order, up to `limit`."""
        some = f"{_SELECT} WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?"
        rows = self.file.reader.execute(some, (match, after, -1 if limit is None else limit))
        return [Stored(*row) for row in rows]

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        rows = self.file.reader.lazily(f"{_SELECT} WHERE position > ? ORDER BY position", (after,))
        return (Stored(*row) for row in rows)

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield the matches from `first` to `last` with their events up to a position, in the order of the match ids.

        Raises StoreError `store.damaged` if rows and index do not fit together.
        """
        # A query for each match is a third faster than one for all rows, without unneeded ids and hashes. All of them
        # see the ledger as of the first.
        whole = """SELECT match, min(position), max(seq) FROM events
            WHERE match BETWEEN ? AND ? AND position <= ? GROUP BY match ORDER BY match"""
        with self.file.reader.apart() as db:
            for match, position, seq in db.execute(whole, (first, last, upto)):
                lines = [line for (line,) in db.execute(_LINES, (match, seq))]
                (hash,) = db.execute(_HASH, (match, seq)).fetchone() or (None,)
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
        """Return the number of events of each match that exists."""
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

    def stuck(self) -> object:
        """Return the holder of the write lock if it has held it too long, else None.

        Raises UnusableError `store.replaced`, `store.write` as long as the system refuses to write.
        """
        self.file.expect_same()
        return self.file.stuck()

    def tell(self, call: Callable[[], object]) -> bool:
        """Return False: there are no notifications, so readers must look."""
        return False

    def same(self, other: EventStore) -> bool:
        """Tell whether another store is this file, under any path."""
        return isinstance(other, SqliteStore) and self.file.path.samefile(other.file.path)

    def withdraw(self, *derived: Path) -> bool:
        """Delete the file that was made here, and derived ones, if it still holds nothing; tell whether they are gone.

        Others who have opened it meanwhile are refused before they record anything (`store.replaced`).
        """
        if not self.created or Family(self.file.path).key.exists():  # with a key, a server has begun to use it
            return False
        with suppress(UnusableError), self.file.writing(0.0):  # busy: somebody records in it
            if self.last_position():
                return False
            for path in (self.file.path, *derived):
                for each in (path, *(path.with_name(path.name + ending) for ending in WAKE)):
                    with suppress(OSError):
                        each.unlink()
        return not self.file.path.exists()

    def close(self) -> None:
        """Release the file."""
        self.file.close()


@contextmanager
def names_in(path: Path) -> Iterator[Names]:
    """Yield the names in a read-only file; an earlier version has none. Raises StoreError `store.open`."""
    try:
        with closing(read_only(path, still=resting(path))) as db:
            has_names = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()

            def find(pseudonyms: Collection[str]) -> list[Named]:
                rows = db.execute(f"{_SELECT_NAMES} WHERE {_AMONG}", (json.dumps([*pseudonyms]),)) if has_names else ()
                return [Named(*row) for row in rows]

            yield Names(find, old=lambda: old_lines(db.execute))
    except UNREADABLE as error:
        raise refused(path, error) from None


def old_lines(rows: Callable[[str, tuple[object, ...]], Iterable[tuple[Any, ...]]]) -> OldLines:
    """Return the old lines of a ledger, whose rows a query finds as of now."""

    def line_at(stream: str, seq: int) -> str | None:
        return next(
            (line for (line,) in rows("SELECT line FROM events WHERE match = ? AND seq = ?", (stream, seq))), None
        )

    people = rows("SELECT line FROM events WHERE match = ? ORDER BY seq", (STREAM,))
    return OldLines([line for (line,) in people if isinstance(line, str)], line_at)


def needs_in(db: Readable) -> Needs:
    """Return what a ledger needs of a program; nothing before that was written down."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'needs'").fetchone():
        return Needs(0, 0, "")
    row = db.execute("SELECT writes, reads, program FROM needs").fetchone()
    return Needs(*row)


def _learn(db: sqlite3.Connection, names: Collection[Named]) -> None:
    if names:
        db.executemany("INSERT OR IGNORE INTO names (pseudonym, kind, text, salt) VALUES (?, ?, ?, ?)", names)


def _expect_none_erased(db: sqlite3.Connection, pseudonyms: Collection[str]) -> None:
    if pseudonyms:
        gone = f"SELECT 1 FROM names WHERE kind = '{ERASED}' AND {_AMONG}"
        if db.execute(gone, (json.dumps([*pseudonyms]),)).fetchone():
            raise ErasedError()


def _erase(db: sqlite3.Connection, groups: Sequence[Sequence[str]]) -> None:
    """Replace names by the first pseudonym of their group."""
    if not groups:
        return
    rows = {row[0]: row for row in db.execute("SELECT pseudonym, kind, text, salt, due FROM names")}
    for group in groups:
        rows |= {word: (word, ERASED, quoted(group[0]), b"", 1) for word in group}
    db.execute("DELETE FROM names")
    db.executemany("INSERT INTO names VALUES (?, ?, ?, ?, ?)", rows.values())


def expect_sound(store: EventStore) -> None:
    """Refuse a ledger whose file is damaged, whatever its size; raises StoreError `store.damaged`."""
    if isinstance(store, SqliteStore):
        soundness.expect_sound(store.file.path, store.file.reader)
