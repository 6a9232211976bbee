"""The follower: does work in the background a moment after it is asked for, once for all who asked meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable

MOMENT = 1.0
"""Seconds between the asking and the work."""


class Follower:
    """A thread of its own for one piece of work, started when it is first asked for; safe to share between threads."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def soon(self) -> None:
        """Ask for the work; returns at once."""
        if self._wanted.is_set():
            return
        self._wanted.set()
        with self._starting:
            if self._thread is None and not self._stopping.is_set():
                # A program that ends without closing is not to hang: what is left undone can be done at any time.
                self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Do what was asked for, and no more; again is no harm."""
        self._stopping.set()
        self._wanted.set()
        with self._starting:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            self._wanted.wait()
            self._stopping.wait(MOMENT)
            self._wanted.clear()
            stopping = self._stopping.is_set()  # asked after the clearing, which may have been of the call to stop
            self._work()
