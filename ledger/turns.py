"""Turns: whoever has the turn works for all who wait, so that many pieces of work cost little more than one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Job = TypeVar("Job")


class _Waiting(Generic[Job]):
    """A job, and the gate at which its thread waits: it opens when the job is done, or the turn is the thread's."""

    __slots__ = ("done", "gate", "job")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.done = False
        self.gate = threading.Lock()
        self.gate.acquire()


class Turns(Generic[Job]):
    """Lets threads bring jobs, and one at a time do all that have been brought.

    The turn is handed on, and each thread is woken by itself. A lock that all wait for would wake them one after the
    other only to see that their work is done, and nobody could begin the next before the last of them had looked.
    """

    def __init__(self, work: Callable[[list[Job]], object]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._waiting: list[_Waiting[Job]] = []
        self._taken = False

    def do(self, job: Job) -> None:
        """Return when the job is done, by this thread's work or another's; raises what this thread's work raises."""
        mine = _Waiting(job)
        with self._lock:
            self._waiting.append(mine)
            wait, self._taken = self._taken, True
        if wait:
            self._wait(mine)
            if mine.done:
                return
        with self._lock:
            group, self._waiting = self._waiting, []
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
            # A signal: whoever comes after is not to wait for a turn that nobody takes.
            with self._lock:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                turn = mine.gate.acquire(blocking=False) and not mine.done
            if turn:
                self._hand_on()
            raise

    def _hand_on(self) -> None:
        """Give the turn to whoever has waited longest."""
        with self._lock:
            self._taken = bool(self._waiting)
            if self._waiting:
                self._waiting[0].gate.release()
