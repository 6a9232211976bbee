"""Notifications: wakes listeners when events may have come, and notifies other servers of events written here."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any

import psycopg
from psycopg import sql

from cardledger.errors import StoreError
from cardledger.record.store.postgres_server import Connection, Server

POLL = 0.5
"""Seconds between looks without a message: a message may be lost with a connection."""
_MOMENT = 0.05
"""Seconds between messages, as each takes a lock of the whole server; events written meanwhile go with the next."""


class Notifier:
    """A thread with its own connection, started with the first listener; safe to share between threads."""

    def __init__(self, server: Server, channel: str, latest: Callable[[Connection], Any]) -> None:
        """`latest` returns a value that changes with new events."""
        self._server = server
        self._channel = channel
        self._latest = latest
        self._listeners: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._clapper: socket.socket | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def tell(self, call: Callable[[], object]) -> None:
        """Call `call` from now on, in this thread, whenever events may have come."""
        with self._lock:
            self._listeners.append(call)
            if self._thread is None and not self._stopping.is_set():
                bell, self._clapper = socket.socketpair()
                self._clapper.setblocking(False)
                self._thread = threading.Thread(target=self._run, args=(bell,), name="notifier", daemon=True)
                self._thread.start()

    def ring(self) -> None:
        """Notify others of events written here; returns at once."""
        if self._clapper is not None:
            with suppress(OSError):  # already notified, or closed
                self._clapper.send(b"!")

    def stop(self) -> None:
        """End; calling it twice does no harm."""
        self._stopping.set()
        with self._lock:
            thread, clapper = self._thread, self._clapper
        if thread is not None and clapper is not None:
            self.ring()
            thread.join()
            clapper.close()

    def _run(self, bell: socket.socket) -> None:
        with bell:
            while not self._stopping.is_set():
                try:
                    with self._server.connect() as db:
                        self._listen(db, bell)
                except (psycopg.Error, StoreError):
                    self._stopping.wait(POLL)  # events in between are found by the first look of the next connection

    def _listen(self, db: Connection, bell: socket.socket) -> None:
        heard = threading.Event()
        db.add_notify_handler(lambda _: heard.set())
        db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
        seen = None
        with DefaultSelector() as selector:
            selector.register(bell, EVENT_READ)
            selector.register(db.fileno(), EVENT_READ)
            while not self._stopping.is_set():
                rung = any(key.fileobj is bell for key, _ in selector.select(POLL if seen is not None else 0))
                if rung:
                    bell.recv(4096)
                    db.execute("SELECT pg_notify(%s, '')", (self._channel,))
                # After any wake-up, the query also receives messages, and fails if the connection is gone.
                latest = self._latest(db)
                if heard.is_set() or latest != seen:
                    heard.clear()
                    seen = latest
                    for call in self._listeners:
                        call()
                if rung:
                    time.sleep(_MOMENT)
