"""The file of the tree beside the ledger: tiles of hashes, and which event is which leaf; it follows from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import StoreError, UnusableError
from ledger.proofs import Place, ProofError, tiles
from ledger.proofs.rows import event_at, followed, readable
from ledger.proofs.tiles import Tiles
from ledger.store.chain import START
from ledger.store.file import SqliteFile

if TYPE_CHECKING:
    from ledger.proofs.leaves import Leaves
    from ledger.store import EventStore, Stored

KIND = 0x70726F66
"""Marks a SQLite file as this one (the ASCII letters "prof")."""
VERSION = 1
_BEGIN = "INSERT INTO state VALUES (0, 0, '')"
SCHEMA = (
    # How many leaves there are, where in the ledger the last one stands, and of which secret the salts are.
    "CREATE TABLE state (size INTEGER NOT NULL, position INTEGER NOT NULL, salts TEXT NOT NULL)",
    _BEGIN,
    tiles.SCHEMA,
    # Which event is which leaf, as runs of events of one match that follow one another in the ledger too.
    "CREATE TABLE runs (start INTEGER PRIMARY KEY, match TEXT NOT NULL, seq INTEGER NOT NULL, count INTEGER NOT NULL)",
    "CREATE INDEX runs_match ON runs (match, seq)",
)
_BATCH = 5_000
DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; what SQLite says of it need not be text."""


class Tree:
    """The tree over a ledger, as far as it was grown; safe to share between threads and processes."""

    def __init__(self, path: Path, store: EventStore, leaves: Leaves) -> None:
        """Open the file, or create it; one of another version, or with other salts, is made anew.

        Raises StoreError `store.open` for a file of something else.
        """
        self._store = store
        self._leaves = leaves
        self._path = path
        self.file = self._opened()
        try:
            (salts,) = self.file.reader.execute("SELECT salts FROM state").fetchone()
        except (*DAMAGE, TypeError):
            salts = None
        if salts not in ("", leaves.fingerprint):
            self.drop()

    def _opened(self) -> SqliteFile:
        try:
            return SqliteFile(self._path, KIND, VERSION, SCHEMA, "NORMAL")
        except StoreError as error:
            if error.code not in ("store.version", "store.damaged"):
                raise
        except UnicodeDecodeError:
            pass  # what SQLite says of a damaged schema
        self._remove()
        return SqliteFile(self._path, KIND, VERSION, SCHEMA, "NORMAL")

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Release the file."""
        self.file.close()

    @property
    def tiles(self) -> Tiles:
        """The tree as it is now, for this thread."""
        return Tiles(self.file.reader, self._state(self.file.reader)[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the pen of the file; raises ProofError `proofs.write` where it cannot be written: a full disk, say."""
        try:
            with self.file.writing() as db:
                yield db
        except (sqlite3.OperationalError, UnusableError) as error:
            raise ProofError("proofs.write", f"the file of the tree cannot be written: {error}") from None

    @contextmanager
    def held(self) -> Iterator[Tiles]:
        """Keep everybody else from growing the tree; yield it as it is now."""
        with self._writing() as db:
            yield Tiles(db, self._state(db)[0])

    def grow(self) -> None:
        """Take in the events recorded since the last time, batch by batch.

        Each must follow from the one before it in its match. Raises ProofError with the first that does not:
        `store.gap`, `store.hash`, `store.line`, `proofs.missing`; and `proofs.write`.
        """
        while self._grow() == _BATCH:
            pass

    def _grow(self) -> int:
        """Take in a batch; return how many events there were."""
        with self._writing() as db:
            size, position = self._state(db)
            if self._store.last_position() <= position:
                return 0
            rows = [*islice(readable(self._store.read_all(position)), _BATCH)]
            before: dict[str, tuple[int, bytes]] = {}
            for row in rows:
                if row.match not in before:
                    before[row.match] = self._latest(db, row.match)
                before[row.match] = followed(before[row.match], row)
            tiles = Tiles(db, size)
            tiles.add([self._leaves.hash(Place(row.match, row.seq), row.hash) for row in rows])
            _note_runs(db, size, rows)
            if rows:
                state = (tiles.size, rows[-1].position, self._leaves.fingerprint)
                db.execute("UPDATE state SET size = ?, position = ?, salts = ?", state)
            return len(rows)

    def _latest(self, db: sqlite3.Connection, match: str) -> tuple[int, bytes]:
        """Return number and hash of the last event of a match that is in the tree."""
        asked = "SELECT seq + count - 1 FROM runs WHERE match = ? ORDER BY seq DESC LIMIT 1"
        row = db.execute(asked, (match,)).fetchone()
        if row is None:
            return 0, START
        place = Place(match, row[0])
        found = event_at(self._store, place)
        if found is None:
            raise ProofError("proofs.missing", f"{place} is gone", place)
        return found.seq, found.hash

    def place(self, index: int) -> Place | None:
        """Return which event a leaf is, None for one beyond the tree."""
        asked = "SELECT start, match, seq, count FROM runs WHERE start <= ? ORDER BY start DESC LIMIT 1"
        row = self.file.reader.execute(asked, (index,)).fetchone()
        if row is None or index >= row[0] + row[3]:
            return None
        start, match, seq, _ = row
        return Place(match, seq + index - start)

    def index(self, place: Place) -> int | None:
        """Return which leaf an event is, None for one that is not in the tree."""
        asked = "SELECT start, seq, count FROM runs WHERE match = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        row = self.file.reader.execute(asked, place).fetchone()
        if row is None or place.seq >= row[1] + row[2]:
            return None
        start, seq, _ = row
        return int(start) + place.seq - int(seq)

    def leaves(self) -> Generator[tuple[bytes, Place]]:
        """Yield the hashes of all leaves in order, each with its event."""
        hashes = tiles.stored_leaves(self.file.reader)
        for match, first, count in self.file.reader.execute("SELECT match, seq, count FROM runs ORDER BY start"):
            for seq, hash in zip(range(first, first + count), hashes, strict=False):
                yield hash, Place(match, seq)

    def drop(self) -> None:
        """Forget all of it, even if the file is damaged: `grow` makes the same again."""
        try:
            with self._writing() as db:
                for table in ("state", "tiles", "runs"):
                    db.execute(f"DELETE FROM {table}")
                db.execute(_BEGIN)
        except DAMAGE:
            self.file.close()
            self._remove()
            self.file = self._opened()

    @staticmethod
    def _state(db: sqlite3.Connection) -> tuple[int, int]:
        size, position = db.execute("SELECT size, position FROM state").fetchone()
        return size, position


def _note_runs(db: sqlite3.Connection, start: int, rows: Iterable[Stored]) -> None:
    """Note which leaves events are, from index `start` on; where a run goes on, however it was begun, it grows."""
    last = db.execute("SELECT start, match, seq, count FROM runs ORDER BY start DESC LIMIT 1").fetchone()
    grown = [] if last is None else [list(last)]
    for index, row in enumerate(rows, start):
        if grown and grown[-1][1] == row.match and row.seq == grown[-1][2] + grown[-1][3]:
            grown[-1][3] += 1
        else:
            grown.append([index, row.match, row.seq, 1])
    db.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", grown)
