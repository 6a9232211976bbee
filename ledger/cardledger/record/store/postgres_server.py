"""A PostgreSQL server: connections to it for any number of threads, and retries when one is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from random import choices, uniform
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from cardledger.errors import BusyError, LostError, StoreError, UnusableError
from cardledger.record.store.address import Address
from cardledger.record.store.write_lock import PATIENCE
from cardledger.sentence import advising

Result = TypeVar("Result")
Connection = psycopg.Connection[tuple[Any, ...]]
_CONNECTIONS = 8
_PAUSE = 0.02
LONGEST_PAUSE = 1.0
_WAYS = {
    "application_name": "cardledger",
    "client_encoding": "utf8",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""Defaults for libpq, unless the address sets them."""
# Acknowledged is on disk, whatever the server's default; every statement sees all that is committed; queries are so
# short that compiling them takes longer; and a stopped program (Ctrl-Z) in a transaction does not block others for
# long.
_SETTINGS = """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
    SET default_transaction_isolation = 'read committed';
    SET jit = off;
    SET idle_in_transaction_session_timeout = '30s';
    SET lock_timeout = {patience};
"""
_AGAIN = ("08", "40", "53300", "57P", "HV00N")
"""Prefixes of SQLSTATE codes of temporary errors: lost connections, conflicting transactions."""
_LOCK_TIMEOUT = "55P03"
_THERE = (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
"""Names of errors that mean another process was faster."""
_LOOKS = 32
_HOLDER = """SELECT pid, application_name, state FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND pid IN (
        SELECT pid FROM pg_locks JOIN pg_class ON relation = pg_class.oid
        WHERE granted AND relnamespace = current_schema()::regnamespace)
    ORDER BY xact_start LIMIT 1"""
"""The oldest of the transactions that something in the ledger's schema is locked for."""


class Server:
    """A server at an address; safe to share between threads, each of which has a connection while it uses one."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        """Does not connect yet; `patience` is the number of seconds for retries.

        Raises StoreError `store.open` for an address that cannot be read.
        """
        self.address = address
        self.patience = patience
        self.prepare: Callable[[Connection], object] | None = (
            None  # done with every new connection before its first use
        )
        try:
            self.parts = conninfo_to_dict(address.url)
        except psycopg.Error:
            raise _unreadable() from None
        # A message about such an address may hold a part of the password.
        if not address.clear:
            raise _unreadable()
        self._idle: list[Connection] = []
        self._free = threading.BoundedSemaphore(_CONNECTIONS)
        self._lock = threading.Lock()
        self._closed = False
        self.refused = False
        """Whether the server refused the last write: its disk is full, or it became a read-only standby."""
        self._gone = 0.0  # when the waiting time last ran out; 0 as long as the server answers

    def connect(self) -> Connection:
        """Return a new connection, without psycopg's automatic transactions.

        Raises psycopg.Error, and StoreError `store.pooler`.
        """
        db = self._dialled()
        try:
            if db.info.backend_pid != _backend(db):
                self._expect_sessions(db)
            db.execute(_SETTINGS.format(patience=max(1, round(self.patience * 1000))))  # 0 would be no limit
            if self.prepare is not None:
                self.prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _dialled(self) -> Connection:
        ways = {name: value for name, value in _WAYS.items() if name not in self.parts}
        return psycopg.connect(self.address.url, autocommit=True, **ways)  # type: ignore[arg-type]

    def _expect_sessions(self, db: Connection) -> None:
        """Raise StoreError `store.pooler` where a pooler answers that keeps no sessions.

        The connection and a second one ask repeatedly which backend serves them: with sessions it is always the same
        backend for each. The order is left to chance, since a pooler that deals its backends out in turn could fit
        any other.
        """
        with closing(self._dialled()) as second:
            asking = db, second
            served = {(each, _backend(asking[each])) for each in (0, 1, *choices((0, 1), k=_LOOKS))}
        if len(served) > 2 or len({backend for _, backend in served}) < 2:
            raise StoreError(
                "store.pooler",
                advising(
                    f"{self.address} is a connection pooler (PgBouncer, say) that keeps no sessions, which a ledger needs:"
                    " set pool_mode = session for this database there, or give the address of PostgreSQL itself"
                ),
            )

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection; raises psycopg.Error when there is none."""
        with self._free:
            with self._lock:
                db = self._idle.pop() if self._idle else None
            db = db or self.connect()
            try:
                yield db
            except psycopg.Error:
                if db.broken:
                    self.disconnect()  # those of the same server will be broken too
                raise
            finally:
                # A connection in the middle of a command was interrupted.
                usable = db.info.transaction_status == TransactionStatus.IDLE
                with self._lock:
                    usable = usable and not self._closed
                    if usable:
                        self._idle.append(db)
                if not usable:
                    db.close()

    def patiently(self, work: Callable[[Connection], Result], code: str = "store.open") -> Result:
        """Return the result of work, repeated after lost connections and conflicting transactions.

        Raises LostError, BusyError, and UnusableError with a code for other errors of the server; work with the code
        `store.write` writes.
        """
        # While the server has been away for long, new requests fail soon instead of queueing.
        until = time.monotonic() + (0.0 if self._gone else self.patience)
        if self._gone and time.monotonic() - self._gone < LONGEST_PAUSE:
            raise LostError(f"{self.address} has not answered for a while: try again later, or check the server")
        pause = _PAUSE
        while True:
            try:
                with self.connection() as db:
                    result = work(db)
            except psycopg.Error as error:
                if error.sqlstate == _LOCK_TIMEOUT:
                    raise self.held_up() from None
                if not passing(error) or self._closed:
                    self.refused = self.refused or code == "store.write"
                    raise UnusableError(code, f"{self.address} refuses: {message_of(error)}") from None
                if time.monotonic() > until:
                    self._gone = time.monotonic()
                    raise LostError(f"{self.address} cannot be reached: {message_of(error)}") from None
                time.sleep(uniform(pause / 2, pause))
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                self._gone = 0.0
                if code == "store.write":
                    self.refused = False
                return result

    def held_up(self) -> BusyError:
        """Return the error after others have not released a lock in time."""
        row = None
        with suppress(psycopg.Error), closing(self._dialled()) as db:  # preparing it would wait for the same lock
            row = db.execute(_HOLDER).fetchone()
        if row is None:
            return BusyError(f"{self.address} is held up by another transaction: try again later")
        pid, program, state = row
        holder = f"process {pid} of PostgreSQL ({', '.join(filter(None, (program, state)))})"
        return BusyError(
            f"{self.address} is held up by {holder}: have it end its transaction, or end it"
            f" (SELECT pg_terminate_backend({pid})), and try again",
            holder,
        )

    def close(self) -> None:
        """Close all connections; those in use as soon as they are given back. Calling it twice does no harm."""
        self._closed = True
        self.disconnect()

    def disconnect(self) -> None:
        """Close the connections that nobody uses now."""
        with self._lock:
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()


def if_there(work: Callable[[Connection], Result], otherwise: Result) -> Callable[[Connection], Result]:
    """Return work that gives a default value as long as its table does not exist."""

    def tried(db: Connection) -> Result:
        try:
            return work(db)
        except psycopg.errors.UndefinedTable:
            return otherwise

    return tried


def create_missing(db: Connection, table: str, *statements: str) -> None:
    """Run the statements that create a table, and what belongs to it, unless the table exists.

    Another server may be faster.
    """
    if not db.execute("SELECT to_regclass(%s)", (table,)).fetchone()[0]:  # type: ignore[index] # there is one row
        with suppress(*_THERE), db.transaction():
            for statement in statements:
                db.execute(statement)


def message_of(error: psycopg.Error) -> str:
    """Return the message of the server or libpq on one line."""
    return " ".join((error.diag.message_primary or str(error)).split())


def _backend(db: Connection) -> int:
    """Return the number of the process that serves a connection.

    Behind a pooler it may differ from the one named when connecting.
    """
    # Never prepared: another backend would not have the statement.
    row = db.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    assert row is not None
    return int(row[0])


def _unreadable() -> StoreError:
    return StoreError(
        "store.open",
        "the address of the database cannot be read; it is postgresql://USER:PASSWORD@HOST:PORT/DATABASE,"
        " with %40 for a @ in the password, %2F for a /, %3F for a ?",
    )


def passing(error: psycopg.Error) -> bool:
    """Tell whether an error may be temporary; libpq's own errors mean that there is no connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_AGAIN)
