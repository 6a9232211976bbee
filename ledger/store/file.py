"""A SQLite file with one writer at a time and any number of readers; the event store and the read models use it."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sqlite_utils import Database

from ledger.errors import StoreError, UnusableError
from ledger.store.migration import Steps, migrate

if sys.platform == "win32":
    import portalocker

    def _lock(file: IO[bytes]) -> None:
        portalocker.lock(file, portalocker.LOCK_EX)

    def _unlock(file: IO[bytes]) -> None:
        portalocker.unlock(file)

else:
    # Where the system locks files itself: with every event, checking what is asked for took longer than the lock.
    from fcntl import LOCK_EX, LOCK_UN, flock

    def _lock(file: IO[bytes]) -> None:
        flock(file, LOCK_EX)

    def _unlock(file: IO[bytes]) -> None:
        flock(file, LOCK_UN)


_BUSY_MS = 30_000
_PATIENCE_MS = 1_000
"""How long emptying the log waits for readers."""
_WAL_BUG = ((3, 7, 0), (3, 51, 2))
"""First and last version of SQLite with the WAL-reset bug."""


_PASSING = {
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
}  # fmt: skip
"""What SQLite says where not the file is at fault but what is around it: once that is mended, all is well."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What is raised where a file is damaged; the second where SQLite's own words quote what is no text."""


def linked_sqlite_has_wal_bug() -> bool:
    """Tell whether the linked SQLite can lose data when two connections write or checkpoint a WAL at once."""
    return _WAL_BUG[0] <= sqlite3.sqlite_version_info <= _WAL_BUG[1]


def read_only(path: Path, *, still: bool = False) -> sqlite3.Connection:
    """Return a connection that can neither write nor checkpoint; with `still` not even locks are taken.

    That is for a file nobody writes to. Raises sqlite3.Error.
    """
    way = "mode=ro&immutable=1" if still else "mode=ro"
    # Used by one thread only, but closed by whoever closes the file.
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None, check_same_thread=False)
    try:
        for pragma in (f"busy_timeout = {_BUSY_MS}", "query_only = 1", "wal_autocheckpoint = 0"):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def resting(path: Path) -> bool:
    """Tell whether nobody has a database open, as far as its log tells; it can be read without a trace then."""
    return not Path(f"{path}-wal").exists()


def refused(path: Path, error: Exception) -> StoreError:
    """Return what to say of a file that cannot be opened, or no longer be read."""
    if isinstance(error, UnicodeDecodeError) or _kind(error) == sqlite3.SQLITE_CORRUPT:
        return StoreError("store.damaged", f"{path} is damaged: {error}; cardledger doctor says what to do")
    return UnusableError("store.open", f"{path} cannot be opened: {error}")


def unreadable(error: Exception) -> StoreError:
    """Return what to say where reading failed, of whichever database."""
    if _kind(error) in _PASSING:
        return UnusableError("store.open", f"a database cannot be read now: {error}")
    told = f"a database cannot be read ({error}); cardledger doctor says which and what to do"
    return StoreError("store.damaged", told)


def _kind(error: Exception) -> int:
    """Return what SQLite calls the kind of an error, 0 for what is none of its own: of a text that is none, say."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


class SqliteFile:
    """A database file in WAL mode.

    Writers take turns: within a process by a lock, across processes by a lock file beside the database, held through
    the commit and the checkpoint it may bring; readers never write and never checkpoint. So the WAL-reset bug of
    SQLite 3.7.0 to 3.51.2, which needs two connections that write or checkpoint at once, cannot occur.
    """

    def __init__(
        self, path: Path, kind: int, version: int, schema: tuple[str, ...], synchronous: str, steps: Steps | None = None
    ) -> None:
        """Open the file, or create it with `schema`.

        `kind` is its application id; `steps` lead to `version` from those before it. Raises StoreError `store.open` for
        a file that is something else or cannot be used, `store.damaged` for one that is not whole, `store.version` for
        one of another version.
        """
        self.path = path
        self.kind = kind
        self.version = version
        self.schema = schema
        self.synchronous = synchronous
        self.steps = steps or {}
        self._threads = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._turn = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._pen = Path(f"{path}.lock").open("ab")  # noqa: SIM115 - held as long as the file is open
        except OSError as error:
            raise StoreError("store.open", f"{path} cannot be opened: {error}") from None
        try:
            with self._holding_pen():
                self._writer = self._open_writer()
        except BaseException as error:
            self._pen.close()
            if isinstance(error, OSError | sqlite3.Error | UnicodeDecodeError):
                raise refused(path, error) from None
            raise

    def _open_writer(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
            kind, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                if kind != self.kind:
                    raise StoreError("store.open", f"{self.path} is a database of something else")
                if version != self.version:
                    migrate(db, self.path, version, self.version, self.steps)
                self._expect_tables(db)
            elif kind or version:
                raise StoreError("store.damaged", f"{self.path} is damaged: what was in it is gone")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {self.synchronous}")
            db.execute("PRAGMA secure_delete = ON")  # pages that are given up are overwritten
            # With a sync at every commit a short WAL pays, written over in place: syncing one that grows takes twice
            # as long. Without, a long one pays: pages that change with every event are copied back more rarely.
            db.execute(f"PRAGMA wal_autocheckpoint = {100 if self.synchronous == 'FULL' else 4000}")
            if not kind:
                db.execute("BEGIN IMMEDIATE")
                self.create(db)
                db.execute(f"PRAGMA application_id = {self.kind}")
                db.execute(f"PRAGMA user_version = {self.version}")
                db.execute("COMMIT")
            elif os.access(self.path, os.W_OK):
                self._expect_writable(db)
        except BaseException:
            db.close()
            raise
        return db

    def _expect_writable(self, db: sqlite3.Connection) -> None:
        """Refuse a connection that can only read: where opening to write fails for a moment SQLite does that, untold."""
        db.execute("PRAGMA busy_timeout = 0")
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA application_id = {self.kind}")
        except sqlite3.OperationalError as error:
            if _kind(error) != sqlite3.SQLITE_BUSY:  # another program writes at this moment, so can we after it
                raise
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
            db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")

    def _expect_tables(self, db: sqlite3.Connection) -> None:
        """Refuse a file whose tables and indexes are not as they were made: nothing in it could be believed."""
        found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master")}
        for statement in self.schema:
            if statement.startswith(("CREATE TABLE", "CREATE INDEX", "CREATE UNIQUE INDEX")) and statement not in found:
                named = statement.partition("(")[0].removeprefix("CREATE ").strip()
                raise StoreError("store.damaged", f"{self.path} is damaged: its {named} is not as it was made")

    def create(self, db: sqlite3.Connection) -> None:
        """Create the tables, within the transaction under way."""
        for statement in self.schema:
            db.execute(statement)

    @property
    def database(self) -> Database:
        """The read-only database of this thread, as sqlite-utils offers it; raises StoreError `store.open`."""
        database: Database | None = getattr(self._threads, "database", None)
        if database is None:
            try:
                reader = read_only(self.path)
            except sqlite3.Error as error:
                raise refused(self.path, error) from None
            self._readers.append(reader)
            database = self._threads.database = Database(reader)
        return database

    @property
    def reader(self) -> sqlite3.Connection:
        """The read-only connection of this thread."""
        return self.database.conn

    def now(self, query: str, given: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query as of now: the reader of this thread may be in the midst of something, and so in the past.

        Raises StoreError `store.open`, `store.damaged`.
        """
        reader: sqlite3.Connection | None = getattr(self._threads, "now", None)
        try:
            if reader is None:
                reader = self._threads.now = read_only(self.path)
                self._readers.append(reader)
            return reader.execute(query, given).fetchall()
        except UNREADABLE as error:
            raise refused(self.path, error) from None

    @contextmanager
    def _holding_pen(self) -> Iterator[None]:
        with self._turn:
            _lock(self._pen)
            try:
                yield
            finally:
                _unlock(self._pen)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the pen: a transaction that is committed at the end, or rolled back when anything is raised.

        Raises StoreError `store.write` where nothing can be written: the disk is full, say.
        """
        with self._holding_pen():
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                if _kind(error) not in _PASSING:
                    raise
                raise UnusableError("store.write", f"{self.path} cannot be written: {error}") from None

    def emptied(self, *, anew: bool = False) -> bool:
        """Copy the whole log back and cut it to nothing; tell whether nobody who reads was in the way of that.

        With `anew` the file is first made anew: what no row says any more is in none of its pages then.
        """
        with self._holding_pen():
            self._writer.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
            try:
                if anew:
                    self._writer.execute("VACUUM")
                (busy, *_) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error:
                return False  # locked, or a full disk: what is there is whole
            finally:
                self._writer.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        return not busy

    def close(self) -> None:
        """Close all connections; again is no harm."""
        if self._pen.closed:
            return
        for reader in self._readers:
            reader.close()
        with self._holding_pen():
            self._writer.close()
        self._pen.close()
