"""Connections for reading a SQLite file: each is borrowed for a query or a snapshot and given back; a few are kept.

So the number of open files follows from how many threads read at this moment, not from how many have ever read.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from cardledger.record.store.sqlite_errors import PASSING, kind_of, unreadable

KEPT = 8
"""The number of connections to a file that are kept for the next query, at most."""
_BUSY_MS = 5_000
"""How long readers wait while another process repairs the log after a crash."""

Values = Sequence[Any] | Mapping[str, Any]
"""The values of a query's parameters."""
Row = tuple[Any, ...]


class Rows:
    """All rows of a query, read with the methods of sqlite3's cursors; its connection is no longer used."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self.description = cursor.description
        """The columns, each with its name first."""
        self.found: list[Row] = cursor.fetchall()
        self._rows = iter(self.found)

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        return [*self._rows]


class Watch(Protocol):
    """Hears of every query of this process on a file, with all that it found."""

    def told(self, file: str, query: str, given: Values, found: Sequence[Row]) -> None:
        """Take note of a query."""
        ...

    def lost(self) -> None:
        """Take note that something is read which it will not be told."""
        ...


_watches: list[Watch] = []


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Tell `watch` of all queries of this process, in whatever thread."""
    _watches.append(watch)
    try:
        yield
    finally:
        _watches.remove(watch)


def _found(db: sqlite3.Connection, query: str, given: Values) -> Rows:
    rows = Rows(db.execute(query, given))
    for watch in _watches:
        watch.told(db.execute("PRAGMA database_list").fetchone()[2], query, given, rows.found)
    return rows


class FoundRows(Protocol):
    """What a query has found: the rows of a `Reader`, or the cursor of a connection that writes."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""
        ...

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        ...


class Readable(Protocol):
    """What questions are put to: a `Reader`, or a connection that writes."""

    def execute(self, query: str, given: Values = (), /) -> FoundRows:
        """Return what a query finds."""
        ...


def read_only(path: Path, *, still: bool = False) -> sqlite3.Connection:
    """Return a connection that can neither write nor checkpoint.

    With `still` not even locks are taken, for a file without writers. Raises sqlite3.Error.
    """
    way = "mode=ro&immutable=1" if still else "mode=ro"
    # Used by one thread at a time, but not always by the same.
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None, check_same_thread=False)
    try:
        for pragma in (f"busy_timeout = {_BUSY_MS}", "query_only = 1", "wal_autocheckpoint = 0"):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def resting(path: Path) -> bool:
    """Tell whether a database is not open anywhere, judging by its log; then it can be read without a trace."""
    return not Path(f"{path}-wal").exists()


class Reader:
    """Queries on a file, each as of now, or as of the snapshot that this thread holds.

    Safe to share between threads.
    """

    def __init__(self, still: Callable[[], bool], connect: Callable[[bool], sqlite3.Connection]) -> None:
        """`connect` opens a connection.

        `still` tells whether the file has no writer, so that no locks need be taken.
        """
        self._still = still
        self._connect = connect
        # Taking from a list and adding to it are atomic: no lock, which a generator's end could ask for twice.
        self._idle: list[tuple[bool, sqlite3.Connection]] = []
        self._closed = False
        self._threads = threading.local()

    def execute(self, query: str, given: Values = (), /) -> Rows:
        """Return all rows of a query.

        Raises UnusableError when something around the file is at fault (a disk, a lock, the number of open files),
        sqlite3.Error or UnicodeDecodeError only for damage in it.
        """
        db: sqlite3.Connection | None = getattr(self._threads, "held", None)
        if db is None:
            return self.now(query, given)
        try:
            return _found(db, query, given)
        except sqlite3.Error as error:
            raise _meant(error) from None

    def query(self, query: str, given: Values = ()) -> list[dict[str, Any]]:
        """Return all rows of a query as dictionaries."""
        rows = self.execute(query, given)
        columns = [column[0] for column in rows.description]
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def now(self, query: str, given: Values = ()) -> Rows:
        """Return all rows of a query as of now, even within a snapshot."""
        # As with `_lent`, in half the time: most queries come here.
        still, db = self._borrowed()
        try:
            rows = _found(db, query, given)
        except sqlite3.Error as error:
            db.close()
            raise _meant(error) from None
        self._give_back(still, db)
        return rows

    def lazily(self, query: str, given: Values = ()) -> Generator[Any]:
        """Yield the rows of a query as of the first, or of this thread's snapshot, without holding them all in memory."""
        if self.held is not None or _watches:
            yield from self.execute(query, given)
            return
        with self._lent() as db:
            yield from db.execute(query, given)

    @contextmanager
    def apart(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection with a snapshot of its own, for rows that are read one by one."""
        for watch in _watches:
            watch.lost()
        with self._lent(keep=False) as db:
            db.execute("BEGIN")
            yield db

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Let all queries of this thread see the file as of the first of them; yields this reader."""
        if self.held is not None:
            yield self
            return
        with self._lent() as db:
            db.execute("BEGIN")
            self._threads.held = db
            try:
                yield self
            finally:
                self._threads.held = None
            db.execute("COMMIT")

    @property
    def held(self) -> sqlite3.Connection | None:
        """The connection of the snapshot that this thread holds, None without one."""
        held: sqlite3.Connection | None = getattr(self._threads, "held", None)
        return held

    def close(self) -> None:
        """Close all connections; those in use as soon as they are given back."""
        self._closed = True
        while self._idle:
            self._idle.pop()[1].close()

    @contextmanager
    def _lent(self, *, keep: bool = True) -> Iterator[sqlite3.Connection]:
        """Lend a connection; raises as `execute` does."""
        still, db = self._borrowed()
        whole = False
        try:
            yield db
            whole = keep
        except sqlite3.Error as error:
            raise _meant(error) from None
        finally:
            if whole:
                self._give_back(still, db)
            else:
                db.close()  # with rows left to read it would see the past for ever

    def _borrowed(self) -> tuple[bool, sqlite3.Connection]:
        """Take a connection, an idle one if it reads as the file must be read now."""
        if self._closed:
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
        still = self._still()
        while True:
            try:
                of_still, db = self._idle.pop()
            except IndexError:
                return still, self._connect(still)
            if of_still == still:
                return still, db
            db.close()

    def _give_back(self, still: bool, db: sqlite3.Connection) -> None:
        if len(self._idle) < KEPT:
            self._idle.append((still, db))
        else:
            db.close()
        if self._closed:
            self.close()


def _meant(error: sqlite3.Error) -> Exception:
    """Return the error to raise: what comes from around a file must not look like damage in it."""
    return unreadable(error) if kind_of(error) in PASSING else error
