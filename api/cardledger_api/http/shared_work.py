"""Shared work: of those who ask for the same at a time, one works for it and the others wait for what comes of it."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from cardledger.errors import UnreadyError
from cardledger_api.http.turns import aside, turns_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from flask import Flask

PATIENCE = 10.0
"""Seconds that somebody waits for what another one asked for before."""
_KEY = "cardledger.shared-work"


class SharedWork:
    """A lock for each thing that somebody works for; safe to share between threads."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._locks: WeakValueDictionary[Hashable, threading.Lock] = WeakValueDictionary()

    @contextmanager
    def at(self, app: Flask, what: Hashable) -> Iterator[None]:
        """Wait until nobody else works for the same; who waits lends the turn. Raises UnreadyError after a while."""
        with self._lock:
            lock = self._locks.setdefault(what, threading.Lock())
        if not lock.acquire(blocking=False):
            with aside(turns_of(app).short):
                got = lock.acquire(timeout=self._patience)
            if not got:
                raise UnreadyError("this is being computed for others: ask again in a few seconds")
        try:
            yield
        finally:
            lock.release()


def shared_work(app: Flask) -> SharedWork:
    """Return that of an application."""
    found: SharedWork = app.extensions.setdefault(_KEY, SharedWork())
    return found
