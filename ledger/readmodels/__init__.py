"""Read models: tables folded from the log into a SQLite file of their own, caught up by checkpoint, safe to drop."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlite_utils import Database

from ledger.corrections import Stream
from ledger.errors import LedgerError, StoreError
from ledger.readmodels.hands import HANDS
from ledger.readmodels.matches import MATCHES
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.readmodels.players import PLAYERS
from ledger.readmodels.seats import SEATS
from ledger.readmodels.tricks import TRICKS
from ledger.readmodels.violations import VIOLATIONS
from ledger.store import EventStore
from ledger.store.codec import decode
from ledger.store.file import SqliteFile

MODELS: tuple[ReadModel, ...] = (MATCHES, PLAYERS, HANDS, SEATS, TRICKS, VIOLATIONS)
KIND = 0x76696577
"""Marks a SQLite file as read models (the ASCII letters "view")."""
VERSION = 2
"""Raised whenever a table or its fold changes: a file of another version is dropped and folded anew."""
SCHEMA = (
    "CREATE TABLE checkpoint (position INTEGER NOT NULL)",
    "INSERT INTO checkpoint VALUES (0)",
    *(model.schema for model in MODELS),
    "CREATE UNIQUE INDEX matches_position ON matches (position)",
    "CREATE INDEX matches_game ON matches (game, position)",
    "CREATE INDEX players_player ON players (player, match)",
    "CREATE INDEX seats_player ON seats (player, match)",
    "CREATE INDEX violations_rule ON violations (rule)",
)
_BATCH = 5_000


class Source(Protocol):
    """Where read models read: the event store, and folded matches."""

    store: EventStore

    def folded(self, match: str) -> Folded:
        """Return a match as of now; raises LedgerError for one that does not fold."""
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
        return self.file.database

    @property
    def position(self) -> int:
        """Position in the ledger up to which the tables are folded."""
        position: int = self.file.reader.execute("SELECT position FROM checkpoint").fetchone()[0]
        return position

    def catch_up(self) -> None:
        """Fold the events after the checkpoint."""
        full = True
        while full:
            after = self.position
            news = self.source.store.news(after, _BATCH)
            if not news:
                return
            full = len(news) == _BATCH
            # Folded before the pen is taken: who records holds the ledger and waits for the pen.
            folded = list(self._fold(dict.fromkeys(match for _, match in news)))
            with self.file.writing() as db:
                if db.execute("SELECT position FROM checkpoint").fetchone()[0] != after:
                    full = True  # someone else was faster: look again
                    continue
                for match in folded:
                    _update(db, match)
                db.execute("UPDATE checkpoint SET position = ?", (news[-1][0],))

    def _fold(self, matches: Iterable[str]) -> Iterator[Folded]:
        """Yield matches as of now; one that does not fold must not hide the others: `verify` names it."""
        for match in matches:
            with suppress(LedgerError):
                yield self.source.folded(match)

    def rebuild(self) -> Iterator[int]:
        """Drop the tables and fold the whole log again in one transaction, yielding how many events are done."""
        with self.file.writing() as db:
            upto = self.source.store.last_position()
            for table in ("checkpoint", *(model.name for model in MODELS)):
                db.execute(f"DROP TABLE {table}")
            self.file.create(db)
            events, waiting = 0, 0
            rows: list[list[Row]] = [[] for _ in MODELS]
            for folded in self._fold_all():
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

    def _fold_all(self) -> Iterator[Folded]:
        """Yield every match of the log, folded afresh."""
        for match, position, lines, hash in self.source.store.recordings():
            with suppress(LedgerError):  # as in _fold
                events = decode(lines)
                yield Folded(match, position, events[0], events[-1], hash, Stream.of(events))

    def differing(self, folded: Folded) -> str | None:
        """Return the first table whose rows for a match are not those that follow from its events, or None."""
        for model in MODELS:
            key = ", ".join(model.key)
            rows = self.file.reader.execute(f"SELECT * FROM {model.name} WHERE match = ? ORDER BY {key}", (folded.id,))
            if rows.fetchall() != list(model.rows(folded, 1)):
                return model.name
        return None

    def close(self) -> None:
        """Release the file."""
        self.file.close()


def _update(db: sqlite3.Connection, folded: Folded) -> None:
    """Bring the rows of a match up to date."""
    done = db.execute("SELECT seq, hands_complete FROM matches WHERE match = ?", (folded.id,)).fetchone()
    seq, since = (done[0], done[1] + 1) if done else (0, 1)
    if folded.stream.corrected > seq:
        # Rows may have gone; otherwise they only come, or change in the hand under way.
        for model in MODELS:
            db.execute(model.delete, (folded.id,))
        since = 1
    for model in MODELS:
        db.executemany(model.insert, model.rows(folded, since))


def _insert(db: sqlite3.Connection, rows: list[list[Row]]) -> None:
    for model, some in zip(MODELS, rows, strict=True):
        db.executemany(model.insert, some)
        some.clear()
