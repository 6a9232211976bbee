"""Who does the work: this process, or several of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from ledger.errors import LedgerError

_LOSSES = 3
"""How often workers may be lost while one piece of work is waited for, before it is given up."""
Work = Callable[..., Any]


class Crew(Protocol):
    """Workers who all know one function."""

    @property
    def ahead(self) -> int:
        """How many pieces of work should be under way, so that nobody has to wait."""
        ...

    def give(self, *task: Any) -> Any:
        """Have a piece of work done; return what to wait for."""
        ...

    def wait(self, given: Any) -> Any:
        """Return what came of a piece of work; raises LedgerError `workers.lost`."""
        ...

    def close(self) -> None:
        """Dismiss the workers."""
        ...


def done(crew: Crew, tasks: Iterator[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every task with what came of it, in the order of the tasks, whoever was faster."""
    under_way: deque[tuple[tuple[Any, ...], Any]] = deque()
    while True:
        while len(under_way) < crew.ahead and (task := next(tasks, None)) is not None:
            under_way.append((task, crew.give(*task)))
        if not under_way:
            return
        task, given = under_way.popleft()
        yield task, crew.wait(given)


class Alone:
    """Nobody but this process."""

    ahead = 1

    def __init__(self, work: Work) -> None:
        self._work = work

    def give(self, *task: Any) -> Any:
        """Do a piece of work."""
        return self._work(*task)

    def wait(self, given: Any) -> Any:
        """Return what came of it."""
        return given

    def close(self) -> None:
        """Nobody is to be dismissed."""


class Processes:
    """Processes of this machine; when one of them is killed, all begin anew what was not done yet."""

    def __init__(self, work: Work, workers: int) -> None:
        self._work = work
        self._workers = workers
        self._under_way: dict[int, tuple[tuple[Any, ...], Future[Any]]] = {}
        self._next = 0
        self._pool = self._hire()

    @property
    def ahead(self) -> int:
        """Enough for everybody to find another piece at once."""
        return 2 * self._workers + 2

    def give(self, *task: Any) -> int:
        """Have a piece of work done."""
        self._next += 1
        self._under_way[self._next] = task, self._submit(task)
        return self._next

    def wait(self, given: int) -> Any:
        """Return what came of a piece of work; raises LedgerError `workers.lost`."""
        for _ in range(_LOSSES):
            try:
                result = self._under_way[given][1].result()
            except BrokenProcessPool:
                self._begin_anew()
            else:
                del self._under_way[given]
                return result
        raise LedgerError("workers.lost", f"workers were killed {_LOSSES} times over the same work: is memory short?")

    def close(self) -> None:
        """Dismiss the workers, whatever they are at."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _hire(self) -> ProcessPoolExecutor:
        # Not by fork: libraries have threads, and a child of theirs may hang.
        return ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), _begin)

    def _submit(self, task: tuple[Any, ...]) -> Future[Any]:
        try:
            return self._pool.submit(self._work, *task)
        except BrokenProcessPool:
            self._begin_anew()
            return self._pool.submit(self._work, *task)

    def _begin_anew(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._hire()
        for given, (task, future) in self._under_way.items():
            if future.cancelled() or not future.done() or isinstance(future.exception(), BrokenProcessPool):
                self._under_way[given] = task, self._pool.submit(self._work, *task)


def _begin() -> None:
    """Prepare a process for work: it leaves interrupts to the one that hired it, and ends with it however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000, 20, 20)
    hirer = multiprocessing.parent_process()
    assert hirer is not None

    def watch() -> None:
        hirer.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
