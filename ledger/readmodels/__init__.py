"""Read models: tables folded from the log into a SQLite file of their own, caught up by checkpoint, safe to drop."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from sqlite_utils import Database

from ledger.corrections import Stream
from ledger.errors import LedgerError, StoreError
from ledger.readmodels.hands import HANDS
from ledger.readmodels.matches import MATCHES
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.readmodels.seats import SEATS
from ledger.readmodels.tricks import TRICKS
from ledger.readmodels.violations import VIOLATIONS
from ledger.store import EventStore, Stored
from ledger.store.codec import decode, decode_one
from ledger.store.file import SqliteFile

MODELS: tuple[ReadModel, ...] = (MATCHES, HANDS, SEATS, TRICKS, VIOLATIONS)
KIND = 0x76696577
"""Marks a SQLite file as read models (the ASCII letters "view")."""
VERSION = 1
"""Raised whenever a table or its fold changes: a file of another version is dropped and folded anew."""
SCHEMA = (
    "CREATE TABLE checkpoint (position INTEGER NOT NULL)",
    "INSERT INTO checkpoint VALUES (0)",
    *(model.schema for model in MODELS),
    "CREATE UNIQUE INDEX matches_position ON matches (position)",
    "CREATE INDEX matches_game ON matches (game, position)",
    "CREATE INDEX seats_player ON seats (player, match)",
    "CREATE INDEX violations_rule ON violations (rule)",
)
_BATCH = 5_000


class Source(Protocol):
    """Where read models read: the event store, and folded streams."""

    store: EventStore

    def stream(self, match: str) -> Stream:
        """Return a match's stream as of now."""
        ...


class ReadModels:
    """The tables of `MODELS` in a file, and the position in the ledger up to which they are folded."""

    def __init__(self, path: Path, source: Source) -> None:
        """Open the file; one of another version is dropped: its content follows from the log.

        Raises StoreError `store.open` for a file that is something else, which stays untouched.
        """
        self.source = source
        try:
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")
        except StoreError as error:
            if error.code != "store.version":
                raise
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")

    @property
    def database(self) -> Database:
        """The tables for reading, as sqlite-utils offers them; for this thread."""
        return Database(self.file.reader)

    @property
    def position(self) -> int:
        """Position in the ledger up to which the tables are folded."""
        position: int = self.file.reader.execute("SELECT position FROM checkpoint").fetchone()[0]
        return position

    def catch_up(self) -> None:
        """Fold the events after the checkpoint."""
        while self.position < (last := self.source.store.last_position()):
            with self.file.writing() as db:
                self._fold_batch(db, last)

    def _fold_batch(self, db: sqlite3.Connection, last: int) -> None:
        after = db.execute("SELECT position FROM checkpoint").fetchone()[0]
        upto = min(last, after + _BATCH)
        for match in self.source.store.touched(after, upto):
            ends = self.source.store.ends(match)
            assert ends is not None
            try:
                folded = _folded(*ends, self.source.stream(match))
            except LedgerError:
                continue  # a match that does not fold must not hide the others; `verify` names it
            done = db.execute("SELECT seq, hands_complete FROM matches WHERE match = ?", (match,)).fetchone()
            since = 1 if done is None or folded.stream.corrected > done[0] else done[1] + 1
            for model in MODELS:
                if done is not None:
                    db.execute(model.delete, (match, since))
                db.executemany(model.insert, model.rows(folded, since))
        db.execute("UPDATE checkpoint SET position = ?", (upto,))

    def rebuild(self) -> Iterator[int]:
        """Drop the tables and fold the whole log again in one transaction, yielding how many events are done."""
        with self.file.writing() as db:
            upto = self.source.store.last_position()
            for table in ("checkpoint", *(model.name for model in MODELS)):
                db.execute(f"DROP TABLE {table}")
            self.file.create(db)
            events, waiting = 0, 0
            rows: list[list[Row]] = [[] for _ in MODELS]
            for folded in self.folded():
                for model, some in zip(MODELS, rows, strict=True):
                    some.extend(model.rows(folded, 1))
                waiting += folded.stream.seq
                if waiting >= _BATCH:
                    _insert(db, rows)
                    events, waiting = events + waiting, 0
                    yield events
            _insert(db, rows)
            db.execute("UPDATE checkpoint SET position = ?", (upto,))
        yield events + waiting

    def folded(self) -> Iterator[Folded]:
        """Yield every match of the log, folded afresh."""
        for match, position, lines, hash in self.source.store.recordings():
            try:
                events = decode(lines)
                yield Folded(match, position, events[0], events[-1], hash, Stream.of(events))
            except LedgerError:
                continue  # as in _fold_batch

    def differing(self, stored: Sequence[Stored], stream: Stream) -> str | None:
        """Return the first table whose rows for a match are not those that follow from its events, or None."""
        folded = _folded(stored[0], stored[-1], stream)
        for model in MODELS:
            key = ", ".join(model.key)
            rows = self.file.reader.execute(f"SELECT * FROM {model.name} WHERE match = ? ORDER BY {key}", (folded.id,))
            if rows.fetchall() != list(model.rows(folded, 1)):
                return model.name
        return None

    def close(self) -> None:
        """Release the file."""
        self.file.close()


def _insert(db: sqlite3.Connection, rows: list[list[Row]]) -> None:
    for model, some in zip(MODELS, rows, strict=True):
        db.executemany(model.insert, some)
        some.clear()


def _folded(first: Stored, last: Stored, stream: Stream) -> Folded:
    return Folded(first.match, first.position, decode_one(first.line), decode_one(last.line), last.hash, stream)
