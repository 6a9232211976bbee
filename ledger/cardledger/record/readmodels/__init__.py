"""Read models.

Tables folded from the log into a separate SQLite file, brought up to date from a checkpoint, safe to drop.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol

from cardledger.crew import Crew
from cardledger.errors import BehindError, LostError, StoreError, UnusableError
from cardledger.record.people.people import STREAM, Sat
from cardledger.record.readmodels.background import Background
from cardledger.record.readmodels.catalogue import (
    EMPTY,
    EVENING_MODELS,
    KIND,
    LESSON_MODELS,
    MODELS,
    SCHEMA,
    STREAM_MODELS,
    SUMMARIES,
    TABLES,
    UPKEEP,
    VERSION,
    VIEWS,
)
from cardledger.record.readmodels.filling import fillings, fillings_by
from cardledger.record.readmodels.follower import Follower
from cardledger.record.readmodels.model import Folded
from cardledger.record.readmodels.rows import differing, hide, insert, update
from cardledger.record.readmodels.tables import boards, kept_sheets, people, ratings
from cardledger.record.readmodels.tables.boards import Current, left_out, secret_now
from cardledger.record.readmodels.tables.people import PEOPLE
from cardledger.record.store import EventStore, lost_tail
from cardledger.record.store.address import Where
from cardledger.record.store.opening import family
from cardledger.record.store.readers import Reader
from cardledger.record.store.register import Register
from cardledger.record.store.sqlite_errors import UNREADABLE, refused
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.record.store.write_lock import PATIENCE

__all__ = [
    "EVENING_MODELS",
    "LESSON_MODELS",
    "MODELS",
    "SUMMARIES",
    "TABLES",
    "VERSION",
    "VIEWS",
    "ReadModels",
    "Source",
    "differing",
]

_CONCERNED = """SELECT match, seat, player, recorded_as FROM players
    WHERE player IN (SELECT value FROM json_each(:ids)) OR recorded_as IN (SELECT value FROM json_each(:ids))
    OR match IN (SELECT value FROM json_each(:matches))"""
_BATCH = 5_000
READING = 5.0
"""Seconds that a reader waits to bring the tables up to date; then it reads older rows, or is refused.""" ""

_LOG = logging.getLogger("cardledger.readmodels")


class Source(Protocol):
    """The source of read models: the event store, and folded matches."""

    at: Where
    store: EventStore
    register: Register

    def folded_each(self, matches: Collection[str]) -> Iterator[Folded]:
        """Yield the current matches, clubs, sessions and leagues, without those that do not fold.

        `verify` names them.
        """
        ...


class ReadModels:
    """The tables of `STREAM_MODELS` in a file, and the position in the ledger up to which they are folded."""

    def __init__(self, path: Path, source: Source, patience: float = PATIENCE) -> None:
        """Open the file; one of another version or ledger is dropped: its content follows from the log.

        Raises StoreError `store.open` for a file of another kind, which stays untouched, `store.damaged` for a
        damaged one.
        """
        self.source = source
        self.rebuilds = self.failures = 0  # the number of rebuilds and of failed updates since the start
        self._path = path
        self.look_for_lost_tail()
        self.file = _opened(path, patience, keep=source.store.refusal is not None)
        try:
            follows = self._follows()
        except UNREADABLE as error:
            self.file.close()
            raise refused(path, error) from None
        except BaseException:
            self.file.close()
            raise
        if not follows:
            with closing(self.file), self.file.writing():
                pass  # a program that writes to it now must not lose it
            _drop(path)
            self.file = _opened(path, patience, keep=False)
            self.rebuilds += 1
        self._seen = 0  # the checkpoint when last read; it only grows
        self._follower = Follower(self.catch_up_or_log)
        self._wipe()
        self.background = Background()

    def look_for_lost_tail(self) -> None:
        """Let nothing be recorded while files beside the ledger go further than its events."""
        store = self.source.store
        lost_tail.look(store, family(self.source.at, store).checkpoints, self._path)

    def _follows(self) -> bool:
        """Tell whether the file belongs to this ledger: it has its first match.

        If it goes further than the ledger, it may be the only trace of lost events.
        """
        if self.source.store.refusal is not None:
            return True
        if not 0 <= self.position <= self.source.store.last_given():
            return False
        row = self.file.reader.execute("SELECT match, seq, hash FROM matches ORDER BY position LIMIT 1").fetchone()
        if row is None:
            return True
        match, seq, hash = row
        return [event.hash.hex() for event in self.source.store.read(match, seq - 1)[:1]] == [hash]

    @property
    def reader(self) -> Reader:
        """The up-to-date tables for reading.

        While more than a batch is waiting, as in an import, they may be behind, so that readers need not wait.
        """
        # Existing rows can be read even if the file cannot be written or the ledger cannot be reached.
        with suppress(sqlite3.Error, LostError, UnusableError):
            if self.source.store.last_position() > self._seen:
                self._step(READING)
        return self.file.reader

    @property
    def current(self) -> Current:
        """The tables with every event that the log holds now, for questions on what may be seen.

        Ask again for each of them, after the events in question were read. Raises BehindError if the tables cannot be
        brought up to date, LostError if the log cannot be reached.
        """
        wanted, end = self.source.store.last_position(), time.monotonic() + READING
        while (self.position if self.file.reader.held else self._seen) < wanted:
            try:
                more = self._step(max(0.0, end - time.monotonic()))
            except (sqlite3.Error, UnusableError) as error:
                raise BehindError from error
            self._seen = max(self._seen, self.position)
            if self._seen < wanted and (not more or time.monotonic() > end):
                raise BehindError
        return Current(self.file.reader)

    @property
    def position(self) -> int:
        """Position in the ledger up to which the tables are folded; -1 if the file has lost it."""
        position = self.file.reader.execute("SELECT max(position) FROM checkpoint").fetchone()[0]
        return position if isinstance(position, int) else -1

    def stuck(self) -> object:
        """Return the holder of the file's write lock if it has held it too long, else None."""
        return self.file.stuck()

    def follow(self) -> None:
        """Catch up in a moment, including events recorded until then; returns at once."""
        self._follower.soon()

    def catch_up_or_log(self) -> None:
        """Catch up in the background: a failure is counted and logged, since nobody waits for it."""
        try:
            self.catch_up()
        except (
            sqlite3.Error,
            LostError,
            UnusableError,
        ) as error:  # on a full disk, for example: they catch up the next time
            self.failures += 1
            _LOG.error("read models did not catch up: %s", error)

    def catch_up(self, to: int | None = None) -> None:
        """Fold the events after the checkpoint, all of them or up to a position."""
        while self._step(to=to):
            pass

    def _step(self, patience: float | None = None, to: int | None = None) -> bool:
        """Fold a batch of the events after the checkpoint, up to a position if given.

        Tell whether there may be more.
        """
        if self.source.store.refusal is not None:
            return False
        if self.file.reader.held is not None:
            return False  # this thread reads a snapshot: whatever others fold, it would find the same position for ever
        while True:
            after = self._seen = self.position
            last = self.source.store.last_position()
            if to is not None:
                last = min(last, to)
            upto = last if last - after < 2 * _BATCH else after + _BATCH
            if upto <= after:
                # A process can have ended between the transactions below, or another thread can be between them.
                self._show(patience)
                self._wipe()
                return False
            self.file.expect_free()  # or folding would be in vain
            # Fold before taking the write lock: a recorder holds the ledger and waits for it.
            touched = self.source.store.between(after, upto)
            named = STREAM in touched
            matches = sorted(touched - {STREAM})
            folded = list(self.source.folded_each(matches))  # a match that does not fold must not hide the others
            again = list(self.source.folded_each(self._erased_in(after))) if named else []
            with self.file.writing(patience) as db:
                if db.execute("SELECT position FROM checkpoint").fetchone()[0] != after:
                    continue  # another process was faster, but perhaps without the latest events
                secret = left_out(db)
                corrected = [match.id for match in folded if update(db, match, secret=match.id in secret)]
                if named:
                    kept_sheets.drop(db)
                    self._reseat(db, after)
                for match in again:
                    update(db, match, rebuild=True, secret=match.id in secret)
                hidden = boards.look_again(db) - secret if boards.concern(db, matches) else set()
                hide(db, hidden)
                if named or corrected or hidden:
                    people.fill(db, self.source.register.people())
                else:
                    people.add(db, self.source.register.people(), matches)
                if again:
                    ratings.drop(db)
                db.execute("UPDATE checkpoint SET position = ?", (upto,))
                if named and self.source.register.erased_since(
                    after
                ):  # also somebody who never played: `people` has names
                    db.execute("UPDATE checkpoint SET due = position")
            self._seen = upto
            self._show(patience)
            self._wipe()
            return upto < last

    def _show(self, patience: float | None = None) -> None:
        """Fold the matches that are no longer secret into the tables that left them out."""
        secret = left_out(self.file.reader)
        over = secret - secret_now(self.file.reader) if secret else secret
        # Before taking the write lock, as in `_step`.
        folded = list(self.source.folded_each(over)) if over else []
        if not over:
            return
        with self.file.writing(patience) as db:
            over &= left_out(db) - secret_now(db)
            for match in folded:
                if match.id in over:
                    update(db, match, rebuild=True)
            people.add(db, self.source.register.people(), over)
            db.executemany("DELETE FROM secret_matches WHERE match = ?", [(match,) for match in over])
            ratings.expect(db, over)

    def _reseat(self, db: sqlite3.Connection, after: int) -> None:
        """Update the players in every row that events about people after a position may concern."""
        persons, since = self.source.register.since(after)
        concerned = {
            "ids": json.dumps(sorted(persons.linked_ids(since))),
            "matches": json.dumps([event.match for event in since if isinstance(event, Sat)]),
        }
        for match, seat, player, recorded in db.execute(_CONCERNED, concerned).fetchall():
            person = persons.at(match, seat, recorded)
            if person != player:
                for model in MODELS:
                    if {"player", "seat"} <= model.columns.keys():
                        db.execute(
                            f"UPDATE {model.name} SET player = ? WHERE match = ? AND seat = ?", (person, match, seat)
                        )

    def _erased_in(self, after: int) -> set[str]:
        """Return the matches of players who were erased after a position."""
        register, store = self.source.register, self.source.store
        erased = register.erased_since(after)
        matches = {row.match for row in store.holding(erased)} if erased else set()
        return (matches | register.blanked_since(after) | register.people().sat(erased)) - {STREAM}

    def _wipe(self) -> None:
        """Overwrite erased names in the file too; later, if a reader still uses old pages."""
        with suppress(sqlite3.Error, UnusableError):
            (due,) = self.file.reader.execute("SELECT due FROM checkpoint").fetchone()
            if due and self.file.emptied(rebuild=True):
                with self.file.writing() as db:  # another thread may have folded another erasure meanwhile
                    db.execute("UPDATE checkpoint SET due = 0 WHERE due = ?", (due,))

    def rebuild(self, crew: Crew | None = None) -> Iterator[int]:
        """Drop the tables and fold the whole log again in one transaction, yielding how many events are done.

        Workers for `filling` help with it; the tables are the same with any number of them. Raises the store's
        `refusal`: the tables may be the only trace of lost events.
        """
        if self.source.store.refusal is not None:
            raise self.source.store.refusal
        with self.file.writing() as db:
            upto = self.source.store.last_position()
            position, due = db.execute("SELECT position, due FROM checkpoint").fetchone()
            due = upto if self.source.register.erased_since(position) else due
            tables = (*(model.name for model in STREAM_MODELS), *(summary.name for summary in SUMMARIES))
            for view in VIEWS:
                db.execute(f"DROP VIEW {view.name}")
            for table in ("checkpoint", *ratings.TABLES, *boards.TABLES, kept_sheets.TABLE, PEOPLE.name, *tables):
                db.execute(f"DROP TABLE {table}")
            for statement in EMPTY:
                db.execute(statement)
            self.rebuilds += 1
            events, store = 0, self.source.store
            for filled in (
                fillings_by(crew, self.source.at, store, upto)
                if crew
                else fillings(store, self.source.register.people())
            ):
                insert(db, filled.rows)
                events += filled.events
                yield events
            # Sums and indexes made of full tables take half as long as those kept up with each row.
            for statement in (*(summary.fill for summary in SUMMARIES), *UPKEEP):
                db.execute(statement)
            hide(db, boards.look_again(db))
            people.fill(db, self.source.register.people())
            db.execute("UPDATE checkpoint SET position = ?, due = ?", (upto, due))
        self._wipe()
        yield events

    def differing(self, folded: Folded) -> str | None:
        """Return the first table whose rows for a match differ from a fold of its events, or None."""
        return differing(self.file.reader, folded)

    def differing_summary(self) -> str | None:
        """Return the first summary that differs from the sum of its rows, or `people`, or `ratings`, or None."""
        reader = self.file.reader
        for summary in SUMMARIES:
            if reader.execute(summary.differing).fetchone()[0]:
                return summary.name
        if people.differing(reader, self.source.register.people()):
            return PEOPLE.name
        return "ratings" if ratings.differing(self) else None

    def close(self) -> None:
        """Catch up with pending events, and release the file; calling it twice does no harm."""
        self.background.close()
        self._follower.stop()
        self.file.close()


def _opened(path: Path, patience: float, *, keep: bool) -> SqliteFile:
    """Open the file, a new one if its version differs, unless it is to be kept."""
    try:
        return SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL", patience=patience)
    except StoreError as error:
        if error.code != "store.version" or keep:
            raise
        _drop(path)
        return SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL", patience=patience)


def _drop(path: Path) -> None:
    try:
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError as error:
        raise UnusableError("store.open", f"{path} must be rebuilt but cannot be deleted: {error.strerror}") from None
