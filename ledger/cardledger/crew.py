"""Workers: this process, or several processes of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from cardledger.errors import LedgerError

_LOSSES = 3
"""The number of lost workers after which a piece of work is given up."""
Work = Callable[..., Any]


class Crew(Protocol):
    """Workers for one function."""

    @property
    def ahead(self) -> int:
        """The number of pieces of work that keep all workers busy."""
        ...

    def give(self, *task: Any) -> Any:
        """Start a piece of work; return a handle to wait for."""
        ...

    def wait(self, given: Any) -> Any:
        """Return the result of a piece of work; raises LedgerError `workers.lost`."""
        ...

    def close(self) -> None:
        """Dismiss the workers."""
        ...


def cores() -> int:
    """Return the number of cores that this process may use."""
    # Not all systems tell; a container or `taskset` may leave fewer than the machine has.
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def done(crew: Crew, tasks: Iterator[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every task with its result, in the order of the tasks."""
    under_way: deque[tuple[tuple[Any, ...], Any]] = deque()
    while True:
        while len(under_way) < crew.ahead and (task := next(tasks, None)) is not None:
            under_way.append((task, crew.give(*task)))
        if not under_way:
            return
        task, given = under_way.popleft()
        yield task, crew.wait(given)


class Alone:
    """The present process alone."""

    ahead = 1

    def __init__(self, work: Work) -> None:
        self._work = work

    def give(self, *task: Any) -> Any:
        """Do a piece of work."""
        return self._work(*task)

    def wait(self, given: Any) -> Any:
        """Return its result."""
        return given

    def close(self) -> None:
        """Do nothing: there are no workers to dismiss."""


class Processes:
    """Processes of this machine; when one of them is killed, all unfinished work is started again."""

    def __init__(self, work: Work, workers: int) -> None:
        self._work = work
        self._workers = workers
        self._under_way: dict[int, tuple[tuple[Any, ...], Future[Any]]] = {}
        self._next = 0
        self.pool = self._hire()

    @property
    def ahead(self) -> int:
        """Enough for each worker to have its next piece ready."""
        return 2 * self._workers + 2

    def give(self, *task: Any) -> int:
        """Start a piece of work."""
        self._next += 1
        self._under_way[self._next] = task, self._submit(task)
        return self._next

    def wait(self, given: int) -> Any:
        """Return the result of a piece of work; raises LedgerError `workers.lost`."""
        for _ in range(_LOSSES):
            try:
                result = self._under_way[given][1].result()
            except BrokenProcessPool:
                self._restart()
            else:
                del self._under_way[given]
                return result
        raise LedgerError("workers.lost", f"workers were killed {_LOSSES} times over the same work: is memory short?")

    def close(self) -> None:
        """Dismiss the workers at once."""
        self.pool.shutdown(wait=True, cancel_futures=True)

    def _hire(self) -> ProcessPoolExecutor:
        # Not by fork: libraries have threads, and a child of theirs may hang.
        return ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), _begin)

    def _submit(self, task: tuple[Any, ...]) -> Future[Any]:
        try:
            return self.pool.submit(self._work, *task)
        except BrokenProcessPool:
            self._restart()
            return self.pool.submit(self._work, *task)

    def _restart(self) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.pool = self._hire()
        for given, (task, future) in self._under_way.items():
            if future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool):
                self._under_way[given] = task, self.pool.submit(self._work, *task)


def _begin() -> None:
    """Prepare a process for work: it leaves interrupts to the main process, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000, 20, 20)
    hirer = multiprocessing.parent_process()
    assert hirer is not None

    def watch() -> None:
        hirer.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
