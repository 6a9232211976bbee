"""A SQLite file with one writer at a time and any number of readers; the event store and the read models use it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from cardledger.errors import BusyError, NoLedgerError, OtherProgramError, ReadOnlyError, StoreError, UnusableError
from cardledger.record.store import sums
from cardledger.record.store.lock_holders import SQLITE_WRITER, holder_of
from cardledger.record.store.migration import Steps, migrate
from cardledger.record.store.paths import expect_file
from cardledger.record.store.readers import Reader, read_only, resting
from cardledger.record.store.same_file import SameFile
from cardledger.record.store.sqlite_errors import PASSING, UNREADABLE, kind_of, refused
from cardledger.record.store.statements import expect_tables
from cardledger.record.store.still import Copy, copied, may_write
from cardledger.record.store.write_lock import PATIENCE, WriteLock, lock_of
from cardledger.sentence import advising

_MOMENT_MS = 50
"""How long a writer waits for SQLite's lock after another has waited in vain."""
_UNKNOWN = "another program"
LOG_KEPT = 1 << 20
"""Bytes that the file of the log keeps when the log begins again."""
_PATIENCE_MS = 1_000
"""How long emptying the log waits for readers."""
_OPENING = 2.0
"""Seconds that opening waits for the write lock, if the file can be read without it."""


class SqliteFile:
    """A database file in WAL mode.

    Writers take turns: within a process by a lock, across processes by a lock file beside the database, held through
    the commit and the checkpoint it may bring; readers never write and never checkpoint. So the WAL-reset bug of
    SQLite 3.7.0 to 3.51.2, which needs two connections that write or checkpoint at once, cannot occur.
    """

    def __init__(
        self,
        path: Path,
        kind: int,
        version: int,
        schema: tuple[str, ...],
        synchronous: str,
        steps: Steps | None = None,
        patience: float = PATIENCE,
        summed: tuple[str, ...] = (),
    ) -> None:
        """Open the file, or create it with `schema`.

        `kind` is its application id; `steps` lead to `version` from those before it; `patience` is the number of
        seconds a writer waits; `summed` are tables whose sums are kept, in `sums.TABLE`. A file that cannot be written,
        now or ever, is opened for reading. Raises StoreError `store.open` for a file of another kind or one that cannot
        be used, `store.damaged` for a damaged one, `store.version` for another version, `store.busy` for one that
        another program is using and that cannot be read yet.
        """
        expect_file(path)
        self.path = path
        self.kind = kind
        self.version = version
        self.schema = schema
        self.synchronous = synchronous
        self.steps = steps or {}
        self.summed = summed
        self.writable = may_write(path)
        self.created = False
        """Whether the file was created."""
        self.reader = Reader(lambda: not self.writable and resting(self._source), self._connect)
        """Queries on the file."""
        self.writer: sqlite3.Connection | None = None
        self.same = SameFile(path)
        self._refused = False
        """Whether the system refused the last write: a full disk, a quota, a file system that became read-only."""
        self._foreign_since: float | None = None
        """Since when a program without the write lock has held SQLite's own, at every attempt."""
        self._copy: Copy | None = None
        self._borrowed: Copy | None = None
        locked_before = lock_of(path).exists()
        try:
            if self.writable:
                path.parent.mkdir(parents=True, exist_ok=True)
                self.write_lock = WriteLock(path, patience)
        except OSError as error:
            raise UnusableError("store.open", f"{path} cannot be opened: {error}") from None
        try:
            if not self.writable:
                self._begin_reading()
                return
            try:
                with self._holding_pen(min(patience, _OPENING)):
                    self.writer = self._open_writer()
            except BusyError:
                # The write lock may be held for long: the file can be read meanwhile.
                if not path.exists() or self._found(path) != version:
                    raise
        except BaseException as error:
            self._release()
            told = refused(path, error) if isinstance(error, OSError | sqlite3.Error | UnicodeDecodeError) else error
            if isinstance(told, OtherProgramError | NoLedgerError) and not locked_before:
                lock_of(path).unlink(missing_ok=True)  # no ledger, so nobody waits for its lock
            if told is error:
                raise
            raise told from None

    def _found(self, path: Path) -> int:
        """Return the version of a read-only file; raises StoreError for another kind of file, sqlite3.Error."""
        with closing(read_only(path, still=resting(path))) as db:
            kind, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            if kind != self.kind:
                raise OtherProgramError(self.path)
            if version == self.version:
                expect_tables(db, self.schema, self.path)
            return int(version)

    def _begin_reading(self) -> None:
        """Read a file that cannot be written, in place or else from a copy."""
        try:
            if self._found(self.path) == self.version:
                return
        except sqlite3.OperationalError as error:
            if kind_of(error) not in PASSING:
                raise
        # It has an earlier version, or its last events are in a log that SQLite would have to write to.
        self._copy = copied(self.path)
        migrated = SqliteFile(self._copy.path, self.kind, self.version, self.schema, self.synchronous, self.steps)
        migrated.close()

    def _open_writer(self) -> sqlite3.Connection:
        with suppress(FileExistsError):
            # For its owner alone; SQLite gives its log the same mode.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            db.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
            kind, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                if kind != self.kind:
                    raise OtherProgramError(self.path)
                if version != self.version:
                    migrate(db, self.path, version, self.version, self.steps)
                expect_tables(db, self.schema, self.path)
            elif kind or version:
                raise StoreError(
                    "store.damaged",
                    advising(f"{self.path} is damaged: its content is lost; run cardledger doctor for advice"),
                )
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {self.synchronous}")
            db.execute("PRAGMA secure_delete = ON")  # freed pages are overwritten
            # A checkpoint syncs twice more and copies back every page that changed: SQLite's usual length makes it rare
            # enough. Without syncs a longer WAL is faster still: pages that change with every event are copied less
            # often.
            db.execute(f"PRAGMA wal_autocheckpoint = {1000 if self.synchronous == 'FULL' else 4000}")
            # The log begins again when all of it is copied back; its file is cut then, or it would keep its greatest
            # size.
            db.execute(f"PRAGMA journal_size_limit = {LOG_KEPT}")
            if not kind:
                db.execute("BEGIN IMMEDIATE")
                self.create(db)
                db.execute(f"PRAGMA application_id = {self.kind}")
                db.execute(f"PRAGMA user_version = {self.version}")
                db.execute("COMMIT")
                self.created = True
            else:
                self._expect_writable(db)
                if self.summed:
                    sums.expect(db, self.path)
        except BaseException:
            db.close()
            raise
        return db

    @property
    def _busy_ms(self) -> int:
        return int(1000 * self.write_lock.patience)

    def _expect_writable(self, db: sqlite3.Connection) -> None:
        """Refuse a read-only connection, which SQLite silently opens when opening for writing fails."""
        db.execute("PRAGMA busy_timeout = 0")
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA application_id = {self.kind}")
        except sqlite3.OperationalError as error:
            if kind_of(error) != sqlite3.SQLITE_BUSY:  # another program is writing, so we can write after it
                raise
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
            db.execute(f"PRAGMA busy_timeout = {self._busy_ms}")

    def create(self, db: sqlite3.Connection) -> None:
        """Create the tables, within the current transaction."""
        for statement in self.schema:
            db.execute(statement)

    @property
    def _source(self) -> Path:
        """The file that is read."""
        return self._copy.path if self._copy else self.path

    def _connect(self, still: bool) -> sqlite3.Connection:
        self.same.expect()
        try:
            return read_only(self._source, still=still)
        except sqlite3.Error as error:
            raise refused(self.path, error) from None

    def now(self, query: str, given: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query as of now: this thread may hold an older snapshot.

        Raises StoreError `store.open`, `store.damaged`.
        """
        try:
            return self.reader.now(query, given).fetchall()
        except UNREADABLE as error:
            raise refused(self.path, error) from None

    @contextmanager
    def _holding_pen(self, patience: float | None = None) -> Iterator[None]:
        if not self.writable:
            raise ReadOnlyError(f"{self.path} is read-only: copy it to a place where it can be written")
        with self.write_lock.held(patience) as left:
            self.same.expect(left)
            try:
                yield
            finally:
                self.write_lock.leave(self.same.note())

    @contextmanager
    def writing(self, patience: float | None = None) -> Iterator[sqlite3.Connection]:
        """Hold the write lock: a transaction that is committed at the end, or rolled back on an error.

        Raises StoreError `store.write` if writing fails (the disk is full, say); `store.busy` if another program
        keeps writing for `patience` or the usual number of seconds.
        """
        with self._holding_pen(patience):
            try:
                writer = self.writer = self.writer or self._open_writer()
                self._begin(writer)
                try:
                    yield writer
                    if self.summed:
                        sums.write(writer, self.summed)
                    writer.execute("COMMIT")
                    self._refused = False
                except BaseException:
                    if writer.in_transaction:
                        writer.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                if kind_of(error) not in PASSING:
                    raise
                if kind_of(error) == sqlite3.SQLITE_FULL and self.writer is not None:
                    with suppress(sqlite3.Error):  # the log may hold what is copied back already: give its room away
                        self._cut_log(self.writer)
                self._refused = True
                raise UnusableError("store.write", f"{self.path} cannot be written: {error}") from None

    def expect_written(self) -> None:
        """Raise StoreError like `writing`, if the system refused the last write and refuses another, of nothing new."""
        if self._refused:
            with self.writing(0.0) as db:
                db.execute(f"PRAGMA user_version = {self.version}")

    def _begin(self, writer: sqlite3.Connection) -> None:
        """Begin a transaction.

        Raises BusyError if a program without the write lock holds SQLite's own, at once after the first time.
        """
        again = self._foreign_since is not None
        try:
            if again:
                writer.execute(f"PRAGMA busy_timeout = {_MOMENT_MS}")
            writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if kind_of(error) != sqlite3.SQLITE_BUSY:
                raise
            if not again:
                self._foreign_since = time.monotonic() - self.write_lock.patience
            raise self._foreign() from None
        finally:
            if again:
                writer.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
        self._foreign_since = None

    def _foreign(self) -> BusyError:
        """Return the error for a program that holds SQLite's lock without the write lock."""
        holder = holder_of(self.path.with_name(f"{self.path.name}-shm"), SQLITE_WRITER)
        advice = holder.advice if holder else "end it, and try again"
        return BusyError(f"{self.path} is being written by {holder or _UNKNOWN}: {advice}", holder or _UNKNOWN)

    def expect_same(self) -> None:
        """Raise UnusableError `store.replaced` if another file was put in the place of this one, or written over it."""
        self.same.expect()
        if self.writable and not self.write_lock.closed:
            with suppress(BusyError), self._holding_pen(0.0):
                pass

    def stuck(self) -> object:
        """Return who has held the write lock, or SQLite's own, too long, else None.

        Raises UnusableError `store.write` as long as the system refuses to write.
        """
        if not self.writable:
            return None
        with suppress(BusyError):
            self.expect_written()
        holder = self.write_lock.stuck()
        return self._stuck_in_sqlite() if holder is None else holder

    def _stuck_in_sqlite(self) -> object:
        with suppress(sqlite3.Error, UnusableError), self._holding_pen(0.0):
            if self.writer is not None:
                since, self._foreign_since = self._foreign_since, self._foreign_since or time.monotonic()
                try:
                    self._begin(self.writer)
                    self.writer.execute("ROLLBACK")
                except BusyError as busy:
                    waited = since is not None and time.monotonic() - since > self.write_lock.patience
                    return busy.holder if waited else None
        return None

    def expect_free(self) -> None:
        """Raise StoreError like `writing`, if that is known beforehand."""
        if not self.writable or self.write_lock.stalled or self._foreign_since is not None:
            with self.writing():
                pass

    def emptied(self, *, rebuild: bool = False) -> bool:
        """Copy the whole log back and cut it to nothing; tell whether no reader or writer prevented it.

        With `rebuild` the file is first rebuilt, so that no page holds deleted data.
        """
        try:
            with self._holding_pen():
                return self._emptied(self.writer or self._open_writer(), rebuild)
        except (sqlite3.Error, UnusableError):
            return False  # locked, or a full disk: the file is still intact

    def _emptied(self, writer: sqlite3.Connection, rebuild: bool) -> bool:
        self.writer = writer
        if rebuild:
            writer.execute("VACUUM")
        return self._cut_log(writer)

    def _cut_log(self, writer: sqlite3.Connection) -> bool:
        """Copy the whole log back and cut its file to nothing; tell whether no reader or writer prevented it."""
        writer.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        try:
            (busy, *_) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            writer.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
        return not busy

    def borrowed(self, other: Path) -> Path:
        """Return the path of a temporary copy of another, derived file, for as long as this one is open."""
        if self._borrowed is None:
            self._borrowed = Copy(self.path)
        there = self._borrowed.path.with_name(other.name)
        if not there.exists() and resting(other):
            with suppress(OSError):
                shutil.copyfile(other, there)
        return there

    def close(self) -> None:
        """Close all connections; calling it twice does no harm."""
        with suppress(UnusableError, OSError):
            self.expect_same()
        if not self.same.replaced:
            self.reader.close()
        self._release()
        # While others are open, closing the writer does not copy its log back, into another file.
        self.reader.close()

    def _release(self) -> None:
        """Release the write lock and the files of a copy."""
        for copy in (self._copy, self._borrowed):
            if copy is not None:
                copy.drop()
        if not self.writable or self.write_lock.closed:
            return
        if self.writer is not None:
            try:
                with self._holding_pen():
                    self.writer.close()
            except BusyError:
                # The last connection checkpoints on closing, and SQLite itself then keeps all others out.
                self.writer.close()
            except UnusableError:  # the log belongs to another file than the one that is there now
                self.same.part_from_log(self.writer)
            self.writer = None
        self.write_lock.close()
