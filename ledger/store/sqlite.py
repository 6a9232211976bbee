"""The event store on SQLite: one table of events, every acknowledged one synced to disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ledger.errors import ConflictError, ErasedError, StoreError, UnusableError
from ledger.store import Append, EventStore, Recording, Stored
from ledger.store.file import UNREADABLE, SqliteFile, read_only, refused, resting
from ledger.store.migration import Steps
from ledger.store.naming import ERASED, PLAYER, Named, Names, erased_by, quoted, unite

KIND = 0x63617264
"""Marks a SQLite file as a ledger (the ASCII letters "card")."""
VERSION = 2
# Erasing empties the whole table and fills it again, so that nothing stays behind in its pages: no trigger, it would keep
# SQLite from overwriting all of them. `due` says that the log may still hold what was erased.
_NAMES = (
    """CREATE TABLE names (
    pseudonym TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    salt BLOB NOT NULL,
    due INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID""",
    "CREATE INDEX names_text ON names (kind, text)",
    "CREATE INDEX names_due ON names (due) WHERE due",
)
STEPS: Steps = {1: _NAMES}
"""What leads here from earlier versions; events are never touched. VERSION 1 had names in clear, in the lines."""
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
    *_NAMES,
)
# Every statement lets other threads go first and waits to be let go on itself: looking and adding are one.
_FIRST = """INSERT INTO events (match, seq, line, hash) SELECT ?1, ?2, ?3, ?4
    WHERE ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE match = ?1), 0)"""
_AT_ONCE = 64 << 20
"""Bytes of a file that is looked through when it is opened: that takes a tenth of a second."""
_SELECT = "SELECT position, match, seq, line, hash FROM events"
_SELECT_NAMES = "SELECT pseudonym, kind, text, salt FROM names"
_AMONG = "pseudonym IN (SELECT value FROM json_each(?))"
_LINES = "SELECT line FROM events WHERE match = ? AND seq <= ? ORDER BY seq"
_HASH = "SELECT hash FROM events WHERE match = ? AND seq = ?"


class SqliteStore:
    """Events in a SQLite file, one writer at a time, committed with full sync."""

    remote = False

    def __init__(self, path: Path) -> None:
        """Open or create the ledger at `path`; raises StoreError `store.open`, `store.damaged`, `store.version`."""
        self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "FULL", STEPS)
        self.name = str(path)
        self.names = Names(self._find, self._spoken)
        self._due = False
        try:
            if path.stat().st_size <= _AT_ONCE:
                self.expect_sound()
            self._due = bool(self._names("due LIMIT 1"))
            self._wipe()
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
        appends = list(appends)
        firsts = []
        erased = [group for match, _, lines, *_ in appends for group in erased_by(match, (line for line, _ in lines))]
        try:
            with self.file.writing() as db:
                _learn(db, [*unite(each.names for each in appends)])
                _expect_none_erased(db, {named.pseudonym for each in appends if each.anew for named in each.names})
                for match, expected, lines, *_ in appends:
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
                _erase(db, erased)
        except (sqlite3.Error, UnusableError) as error:
            told = error.message if isinstance(error, UnusableError) else error
            raise UnusableError("store.write", f"nothing was stored: {told}") from None
        if erased:
            self._due = True
            self.names.forget()
        self._wipe()
        return firsts

    def learn(self, names: Collection[Named]) -> None:
        """Keep what pseudonyms stand for, but for those that are known or were erased; raises StoreError `store.write`."""
        if not names:
            return
        try:
            with self.file.writing() as db:
                _learn(db, names)
        except sqlite3.Error as error:
            raise StoreError("store.write", f"names were not stored: {error}") from None

    def named(self, kind: str) -> Iterator[Named]:
        """Yield all names of a kind, in the order of their pseudonyms."""
        return (Named(*row) for row in self.file.reader.execute(f"{_SELECT_NAMES} WHERE kind = ? ORDER BY 1", (kind,)))

    def _find(self, pseudonyms: Collection[str]) -> list[Named]:
        return self._names(_AMONG, json.dumps([*pseudonyms]))

    def _spoken(self, text: str) -> list[Named]:
        return self._names(f"kind = '{PLAYER}' AND text = ?", text)

    def _names(self, where: str, *given: str) -> list[Named]:
        # What is kept at hand is to be true now, also where a match is read as of before an erasure.
        return [Named(*row) for row in self.file.now(f"{_SELECT_NAMES} WHERE {where}", given)]

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events with one of some texts in their lines as stored."""
        rows = self.file.reader.execute(
            f"{_SELECT} WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE instr(line, value)) ORDER BY position",
            (json.dumps([*texts]),),
        )
        return (Stored(*row) for row in rows)

    def _wipe(self) -> None:
        """Have what was erased overwritten in the files too; while somebody reads what was before, later."""
        if self._due and self.file.emptied():
            with suppress(sqlite3.Error, UnusableError):  # a full disk, say: the next time
                with self.file.writing() as db:
                    db.execute("UPDATE names SET due = 0 WHERE due")
                self._due = False

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


@contextmanager
def names_in(path: Path) -> Iterator[Names]:
    """Yield the names in a file that is only read; one of an earlier version has none. Raises StoreError `store.open`."""
    try:
        with closing(read_only(path, still=resting(path))) as db:
            known = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()

            def find(pseudonyms: Collection[str]) -> list[Named]:
                rows = db.execute(f"{_SELECT_NAMES} WHERE {_AMONG}", (json.dumps([*pseudonyms]),)) if known else ()
                return [Named(*row) for row in rows]

            yield Names(find)
    except UNREADABLE as error:
        raise refused(path, error) from None


def _learn(db: sqlite3.Connection, names: Collection[Named]) -> None:
    if names:
        db.executemany("INSERT OR IGNORE INTO names (pseudonym, kind, text, salt) VALUES (?, ?, ?, ?)", names)


def _expect_none_erased(db: sqlite3.Connection, pseudonyms: Collection[str]) -> None:
    if pseudonyms:
        gone = f"SELECT 1 FROM names WHERE kind = '{ERASED}' AND {_AMONG}"
        if db.execute(gone, (json.dumps([*pseudonyms]),)).fetchone():
            raise ErasedError()


def _erase(db: sqlite3.Connection, groups: Sequence[Sequence[str]]) -> None:
    """Put in the place of names what stands for them from now on: of a group of pseudonyms the first."""
    if not groups:
        return
    kept = {row[0]: row for row in db.execute("SELECT pseudonym, kind, text, salt, due FROM names")}
    for group in groups:
        kept |= {word: (word, ERASED, quoted(group[0]), b"", 1) for word in group}
    db.execute("DELETE FROM names")
    db.executemany("INSERT INTO names VALUES (?, ?, ?, ?, ?)", kept.values())


def expect_sound(store: EventStore) -> None:
    """Refuse a ledger whose file is not whole, of whatever size; raises StoreError `store.damaged`."""
    if isinstance(store, SqliteStore):
        store.expect_sound()
