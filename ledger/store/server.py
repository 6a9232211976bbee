"""A PostgreSQL server: connections to it for any number of threads, and patience when one is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import uniform
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from ledger.errors import LostError, StoreError
from ledger.store.where import PATIENCE, Address

Result = TypeVar("Result")
Connection = psycopg.Connection[tuple[Any, ...]]
_CONNECTIONS = 8
_PAUSE = 0.02
_LONGEST_PAUSE = 1.0
_WAYS = {
    "application_name": "cardledger",
    "client_encoding": "utf8",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""What is said to libpq unless the address says otherwise."""
# Acknowledged is on disk, whatever the server's default; every statement sees all that is committed; and queries are
# so short that compiling them takes longer.
_SETTINGS = """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
    SET default_transaction_isolation = 'read committed';
    SET jit = off;
"""
_AGAIN = ("08", "40", "53300", "57P", "HV00N")
"""Beginnings of the states of errors that may be over the next time: connections, transactions in each other's way."""


class Server:
    """A server at an address; safe to share between threads, each of which has a connection while it uses one."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        """Connect nowhere yet; `patience` is for how many seconds what failed is tried again.

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
        # What is said of such an address may hold a part of the password.
        if not address.clear:
            raise _unreadable()
        self._idle: list[Connection] = []
        self._free = threading.BoundedSemaphore(_CONNECTIONS)
        self._lock = threading.Lock()
        self._closed = False
        self._gone = 0.0  # when patience was last at its end; 0 as long as the server answers

    def connect(self) -> Connection:
        """Return a new connection, without the transactions of its own that psycopg would begin; raises psycopg.Error."""
        ways = {name: value for name, value in _WAYS.items() if name not in self.parts}
        db = psycopg.connect(self.address.url, autocommit=True, **ways)  # type: ignore[arg-type]
        try:
            db.execute(_SETTINGS)
            if self.prepare is not None:
                self.prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection; raises psycopg.Error when there is none to be had."""
        with self._free:
            with self._lock:
                db = self._idle.pop() if self._idle else None
            db = db or self.connect()
            try:
                yield db
            except psycopg.Error:
                if db.broken:
                    self._drop()  # those of the same server will be broken too
                raise
            finally:
                # One in the middle of something was interrupted there.
                usable = db.info.transaction_status == TransactionStatus.IDLE
                with self._lock:
                    usable = usable and not self._closed
                    if usable:
                        self._idle.append(db)
                if not usable:
                    db.close()

    def patiently(self, work: Callable[[Connection], Result], code: str = "store.open") -> Result:
        """Return what work gives, done again while connections are lost or transactions are in each other's way.

        Raises LostError, and StoreError with a code for whatever else the server says.
        """
        # Who comes while the server has been away for long is told so soon, and does not stand in line.
        until = time.monotonic() + (0.0 if self._gone else self.patience)
        if self._gone and time.monotonic() - self._gone < _LONGEST_PAUSE:
            raise LostError(f"{self.address} has not answered for a while")
        pause = _PAUSE
        while True:
            try:
                with self.connection() as db:
                    result = work(db)
            except psycopg.Error as error:
                if not passing(error) or self._closed:
                    raise StoreError(code, f"{self.address} refuses: {told(error)}") from None
                if time.monotonic() > until:
                    self._gone = time.monotonic()
                    raise LostError(f"{self.address} cannot be reached: {told(error)}") from None
                time.sleep(uniform(pause / 2, pause))
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                self._gone = 0.0
                return result

    def close(self) -> None:
        """Close all connections; those in use as soon as they are given back. Again is no harm."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()


def told(error: psycopg.Error) -> str:
    """Return what the server or libpq says of an error, on one line."""
    return " ".join((error.diag.message_primary or str(error)).split())


def _unreadable() -> StoreError:
    return StoreError(
        "store.open",
        "the address of the database cannot be read; it is postgresql://USER:PASSWORD@HOST:PORT/DATABASE,"
        " with %40 for a @ in the password, %2F for a /, %3F for a ?",
    )


def passing(error: psycopg.Error) -> bool:
    """Tell whether an error may be over the next time: what libpq says itself is that there is no connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_AGAIN)
