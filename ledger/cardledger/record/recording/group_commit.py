"""Group commit: one thread does the work of all waiting threads, so that many jobs cost little more than one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Job = TypeVar("Job")


class _Waiting(Generic[Job]):
    """A job and the gate of its thread: it opens when the job is done, or when the thread should lead."""

    __slots__ = ("done", "gate", "job")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.done = False
        self.gate = threading.Lock()
        self.gate.acquire()


class GroupCommit(Generic[Job]):
    """Collects jobs from threads; one leading thread at a time does all that have been collected.

    The lead is handed on, and each thread is woken separately. A common lock would wake the threads one after the
    other only to find their work done, and the next group could not begin before the last had looked.
    """

    def __init__(self, work: Callable[[list[Job]], object]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self.waiting: list[_Waiting[Job]] = []
        self._taken = False

    def do(self, job: Job) -> None:
        """Return when the job is done, by this thread or another; raises any error of this thread's work."""
        mine = _Waiting(job)
        with self._lock:
            self.waiting.append(mine)
            wait, self._taken = self._taken, True
        if wait:
            self._wait(mine)
            if mine.done:
                return
        with self._lock:
            group, self.waiting = self.waiting, []
        try:
            self._work([each.job for each in group])
        finally:
            self._hand_on()
            for each in group:
                each.done = True
                each.gate.release()

    def _wait(self, mine: _Waiting[Job]) -> None:
        try:
            mine.gate.acquire()
        except BaseException:
            # A signal: later threads must not wait for a leader that does not come.
            with self._lock:
                if mine in self.waiting:
                    self.waiting.remove(mine)
                turn = mine.gate.acquire(blocking=False) and not mine.done
            if turn:
                self._hand_on()
            raise

    def _hand_on(self) -> None:
        """Give the lead to the thread that has waited longest."""
        with self._lock:
            self._taken = bool(self.waiting)
            if self.waiting:
                self.waiting[0].gate.release()
