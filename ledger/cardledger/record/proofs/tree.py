"""The tree file beside the ledger: tiles of hashes, and the event of each leaf. It can be rebuilt from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import StoreError, UnusableError
from cardledger.record.proofs import EventPlace, ProofError, tiles
from cardledger.record.proofs.rows import event_at, followed, readable
from cardledger.record.proofs.tiles import Tiles
from cardledger.record.store.chain import START
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.sentence import advising

if TYPE_CHECKING:
    from cardledger.record.proofs.leaves import Leaves
    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.store import EventStore, Stored
    from cardledger.record.store.readers import Readable

KIND = 0x70726F66
"""Marks a SQLite file as a tree file (the ASCII letters "prof")."""
VERSION = 2
_UNSEALED = "INSERT INTO sealed VALUES (0, 0)"
_BEGIN = "INSERT INTO state VALUES (0, 0, '')"
SCHEMA = (
    # The number of leaves, the position of the last one in the ledger, and the fingerprint of the secret of the salts.
    "CREATE TABLE state (size INTEGER NOT NULL, position INTEGER NOT NULL, salts TEXT NOT NULL)",
    _BEGIN,
    # How many checkpoints were signed, and the size of the last: the file of checkpoints may be cut off.
    "CREATE TABLE sealed (notes INTEGER NOT NULL, size INTEGER NOT NULL)",
    _UNSEALED,
    tiles.SCHEMA,
    # The events of the leaves, as runs of consecutive events of one match.
    "CREATE TABLE runs (start INTEGER PRIMARY KEY, match TEXT NOT NULL, seq INTEGER NOT NULL, count INTEGER NOT NULL)",
    "CREATE INDEX runs_match ON runs (match, seq)",
)
BATCH = 5_000
DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of reading a damaged file; SQLite's message about it need not be valid text."""


class Tree:
    """The tree over a ledger, up to the last `grow`; safe to share between threads and processes."""

    def __init__(self, path: Path, store: EventStore, leaves: Leaves) -> None:
        """Open the file, or create it; a file of another version, or with other salts, is rebuilt.

        Raises StoreError `store.open` for a file of another kind.
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
            pass  # SQLite's error for a damaged schema
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
        """Hold the write lock of the file.

        Raises ProofError `proofs.write` if it cannot be written, as on a full disk.
        """
        try:
            with self.file.writing() as db:
                yield db
        except (sqlite3.OperationalError, UnusableError) as error:
            raise ProofError("proofs.write", f"the file of the tree cannot be written: {error}") from None

    @contextmanager
    def held(self) -> Iterator[Tiles]:
        """Keep everybody else from growing the tree; yield it in its current state."""
        with self._writing() as db:
            yield Tiles(db, self._state(db)[0])

    @property
    def sealed(self) -> SignedSoFar:
        """What is known of the checkpoints signed so far."""
        return SignedSoFar(*self.file.reader.execute("SELECT notes, size FROM sealed").fetchone())

    def grow(self) -> None:
        """Add the events recorded since the last time, batch by batch.

        Each must follow from the one before it in its match. Raises ProofError for the first that does not:
        `store.gap`, `store.hash`, `store.line`, `proofs.missing`; and `proofs.write`.
        """
        while self._grow() == BATCH:
            pass

    def _grow(self) -> int:
        """Add a batch; return its number of events."""
        with self._writing() as db:
            size, position = self._state(db)
            if self._store.last_position() <= position:
                return 0
            rows = [*islice(readable(self._store.read_all(position)), BATCH)]
            before: dict[str, tuple[int, bytes]] = {}
            for row in rows:
                if row.match not in before:
                    before[row.match] = self._latest(db, row.match)
                before[row.match] = followed(before[row.match], row)
            tiles = Tiles(db, size)
            tiles.add([self._leaves.hash(EventPlace(row.match, row.seq), row.hash) for row in rows])
            _note_runs(db, size, rows)
            if rows:
                state = (tiles.size, rows[-1].position, self._leaves.fingerprint)
                db.execute("UPDATE state SET size = ?, position = ?, salts = ?", state)
            return len(rows)

    def _latest(self, db: sqlite3.Connection, match: str) -> tuple[int, bytes]:
        """Return number and hash of the last event of a match that is in the tree."""
        last = last_of(db, match)
        if not last:
            return 0, START
        place = EventPlace(match, last)
        row = event_at(self._store, place)
        if row is None:
            raise ProofError("proofs.missing", f"{place} is gone", place)
        return row.seq, row.hash

    def place(self, index: int) -> EventPlace | None:
        """Return the event of a leaf, None beyond the end of the tree."""
        run = next(_runs(self.file.reader, "WHERE start <= ? ORDER BY start DESC LIMIT 1", (index,)), None)
        if run is None or index >= run.start + run.length:
            return None
        return EventPlace(run.match, run.seq + index - run.start)

    def index(self, place: EventPlace) -> int | None:
        """Return which leaf an event is, None for one that is not in the tree."""
        return index_of(self.file.reader, place)

    def indices(self, match: str, count: int) -> Iterator[int]:
        """Yield the leaf numbers of the first `count` events of a match, as far as they are in the tree."""
        for run in _runs(self.file.reader, "WHERE match = ? AND seq <= ? ORDER BY seq", (match, count)):
            yield from range(run.start, run.start + min(run.length, count - run.seq + 1))

    def leaves(self) -> Generator[tuple[bytes, EventPlace]]:
        """Yield the hashes of all leaves in order, each with its event."""
        with self.file.reader.apart() as db:
            hashes = tiles.stored_leaves(db)
            for run in _runs(db, "ORDER BY start"):
                for seq, hash in zip(range(run.seq, run.seq + run.length), hashes, strict=False):
                    yield hash, EventPlace(run.match, seq)

    def intact(self) -> bool:
        """Tell whether SQLite finds no damage in the file, not even in its indexes."""
        try:
            return bool(self.file.reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
        except DAMAGE:
            return False

    def drop(self) -> None:
        """Delete everything, even if the file is damaged: `grow` rebuilds the same."""
        try:
            with self._writing() as db:
                for table in ("state", "sealed", "tiles", "runs"):
                    db.execute(f"DELETE FROM {table}")
                for statement in (_BEGIN, _UNSEALED):
                    db.execute(statement)
        except DAMAGE:
            self.file.close()
            self._remove()
            self.file = self._opened()

    @staticmethod
    def _state(db: Readable) -> tuple[int, int]:
        state = next(tiles.typed_rows(db, (int, int), "SELECT size, position FROM state"), None)
        if state is None:
            raise sqlite3.DatabaseError("the tree has no state")
        return state[0], state[1]


class SignedSoFar(NamedTuple):
    """How many checkpoints were signed, and over how many events the last was."""

    notes: int
    size: int

    def expect(self, stored: Sequence[Checkpoint]) -> None:
        """Raise ProofError `proofs.checkpoint` if checkpoints are missing among those stored."""
        size = stored[-1].size if stored else 0
        if len(stored) < self.notes or size < self.size:
            raise ProofError(
                "proofs.checkpoint",
                advising(
                    f"checkpoints are missing: {self.notes:,} were signed, the last over {self.size:,} events; the file has"
                    f" {len(stored):,}, up to {size:,} events: put it back from a backup"
                ),
            )


class _LeafRun(NamedTuple):
    """Consecutive events of one match that are consecutive leaves, from leaf `start` and event `seq` on."""

    start: int
    match: str
    seq: int
    length: int


def _runs(db: Readable, clause: str, values: Sequence[object] = ()) -> Generator[_LeafRun]:
    """Yield runs of the tree; raises sqlite3.DatabaseError for one that cannot be."""
    asked = f"SELECT start, match, seq, count FROM runs {clause}"
    for row in tiles.typed_rows(db, (int, str, int, int), asked, values):
        run = _LeafRun._make(row)
        if run.start < 0 or run.seq < 1 or run.length < 1:
            raise sqlite3.DatabaseError(f"a run of the tree cannot be: {run}")
        yield run


def last_of(db: Readable, match: str) -> int:
    """Return the number of the last event of a match that is in the tree, 0 for none."""
    run = next(_runs(db, "WHERE match = ? ORDER BY seq DESC LIMIT 1", (match,)), None)
    return run.seq + run.length - 1 if run else 0


def index_of(db: Readable, place: EventPlace) -> int | None:
    """Return which leaf an event is, None for one that is not in the tree."""
    run = next(_runs(db, "WHERE match = ? AND seq <= ? ORDER BY seq DESC LIMIT 1", place), None)
    if run is None or place.seq >= run.seq + run.length:
        return None
    return run.start + place.seq - run.seq


def _note_runs(db: sqlite3.Connection, start: int, rows: Iterable[Stored]) -> None:
    """Record the leaf numbers of events, from `start` on; a run that continues is extended."""
    grown = [*_runs(db, "ORDER BY start DESC LIMIT 1")]
    for index, row in enumerate(rows, start):
        if grown and grown[-1].match == row.match and row.seq == grown[-1].seq + grown[-1].length:
            grown[-1] = grown[-1]._replace(length=grown[-1].length + 1)
        else:
            grown.append(_LeafRun(index, row.match, row.seq, 1))
    db.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", grown)
