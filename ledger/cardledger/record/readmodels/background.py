"""Work beside the answers: a few threads do jobs, each job once however often it is asked for.

All end with the ledger.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Hashable

WORKERS = 4
"""Threads for jobs, at most."""
WAITING = 256
"""Jobs that wait for a thread, at most; more are not begun, and a caller that still wants one asks again."""

_LOG = logging.getLogger("cardledger.background")
Work = Callable[[], object]


class BackgroundJob:
    """Work asked for: `done` is set when it is over, has failed, or will never begin."""

    def __init__(self, key: Hashable, work: Work) -> None:
        self.key = key
        self.work = work
        self.done = threading.Event()


class Background:
    """The work beside the answers of a ledger; safe to share between threads.

    Threads end as soon as nothing is left to do. When `closing` is set, long work should end soon.
    """

    def __init__(self) -> None:
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._known: dict[Hashable, BackgroundJob] = {}
        self._waiting: deque[BackgroundJob] = deque()
        self._workers: set[threading.Thread] = set()
        self._lasting: set[threading.Thread] = set()

    def soon(self, key: Hashable, work: Work) -> BackgroundJob:
        """Have a job done; returns at once, with the job of the same key if one waits or is under way."""
        with self._lock:
            job = self._known.get(key)
            if job is not None:
                return job
            job = BackgroundJob(key, work)
            if self.closing.is_set() or len(self._waiting) >= WAITING:
                job.done.set()
                return job
            self._known[key] = job
            self._waiting.append(job)
            if len(self._workers) < WORKERS:
                self._begin(self._workers, self._work)
            return job

    def knows(self, key: Hashable) -> bool:
        """Tell whether a job waits or is under way."""
        return key in self._known

    @property
    def busy(self) -> bool:
        """Whether any job waits or is under way."""
        return bool(self._known)

    def wait(self, job: BackgroundJob, seconds: float | None) -> None:
        """Wait until a job is done, at most some seconds (None: as long as it takes).

        A job that needs another which has not begun does that itself: all threads could wait for each other otherwise.
        """
        with self._lock:
            own = threading.current_thread() in self._workers and job in self._waiting
            if own:
                self._waiting.remove(job)
        if own:
            self._do(job)
        else:
            job.done.wait(seconds)

    def lasting(self, work: Work) -> None:
        """Start work that lasts in a thread of its own; the caller sees to it that the same is not started twice."""
        with self._lock:
            if not self.closing.is_set():
                self._begin(self._lasting, work)

    def close(self) -> None:
        """Drop what waits, and wait for what is under way; calling it twice does no harm."""
        self.closing.set()
        with self._lock:
            while self._waiting:
                self._forget(self._waiting.popleft())
            threads = [*self._workers, *self._lasting]
        for thread in threads:
            if thread.ident is not None:  # a signal can end the program just before the start
                thread.join()

    def _begin(self, threads: set[threading.Thread], work: Work) -> None:
        def run() -> None:
            try:
                work()
            finally:
                threads.discard(threading.current_thread())

        thread = threading.Thread(target=run, name="background", daemon=True)
        threads.add(thread)
        thread.start()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._do(job)

    def _next(self) -> BackgroundJob | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._workers.discard(threading.current_thread())  # while nobody can add a job
            return None

    def _do(self, job: BackgroundJob) -> None:
        try:
            job.work()
        except Exception:  # noqa: BLE001 - it is logged
            _LOG.exception("work in the background failed")
        finally:
            with self._lock:
                self._forget(job)

    def _forget(self, job: BackgroundJob) -> None:
        del self._known[job.key]
        job.done.set()
