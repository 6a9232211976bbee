"""Group commit: one thread does the work of all waiting threads, so that many jobs cost little more than one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Job = TypeVar("Job")


class _Waiting(Generic[Job]):
    """A job and the gate of its thread: it opens when the job is done, or when the thread leads."""

    __slots__ = ("done", "gate", "job", "leads")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.done = self.leads = False
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
        self._waiting: list[_Waiting[Job]] = []
        self._led = False

    def __len__(self) -> int:
        """Return the number of jobs that wait for a leader."""
        with self._lock:
            return len(self._waiting)

    def do(self, job: Job) -> None:
        """Return when the job is done, by this thread or another; raises any error of this thread's work."""
        mine = _Waiting(job)
        group: list[_Waiting[Job]] = []
        # A signal may come at any moment: later threads must not wait for a leader that does not come.
        try:
            with self._lock:
                self._waiting.append(mine)
                if not self._led:
                    self._hand_on()
            mine.gate.acquire()
            if mine.done:
                return
            with self._lock:
                group, self._waiting = self._waiting, []
            self._work([each.job for each in group])
        finally:
            self._end(mine, group)

    def _end(self, mine: _Waiting[Job], group: Sequence[_Waiting[Job]]) -> None:
        """Hand the lead on if it is this thread's, and wake those whose jobs are done."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            if mine.leads:
                self._hand_on()
        for each in group:
            each.done = True
            each.gate.release()

    def _hand_on(self) -> None:
        """Give the lead to the thread that has waited longest."""
        self._led = bool(self._waiting)
        if self._waiting:
            self._waiting[0].leads = True
            self._waiting[0].gate.release()
