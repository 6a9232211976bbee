"""The follower: does work in the background shortly after a request, once for all requests until then."""

from __future__ import annotations

import threading
from collections.abc import Callable

MOMENT = 1.0
"""Seconds between the request and the work."""


class Follower:
    """A thread for one piece of work, started at the first request; safe to share between threads."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self.wanted = threading.Event()
        self.stopping = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def soon(self) -> None:
        """Request the work; returns at once."""
        if self.wanted.is_set():
            return
        self.wanted.set()
        with self._starting:
            if self._thread is None and not self.stopping.is_set():
                # A program that exits without closing must not hang: the work can be done at any later time.
                self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Finish the requested work and stop; calling it twice does no harm."""
        self.stopping.set()
        self.wanted.set()
        with self._starting:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            self.wanted.wait()
            self.stopping.wait(MOMENT)
            self.wanted.clear()
            stopping = self.stopping.is_set()  # checked after clearing, because the event may have been set by `stop`
            self._work()
