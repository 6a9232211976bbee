"""Turns: of all who only read, few are worked for at once, so that scorers never wait behind a crowd.

Python runs one thread at a time. A thread that has something to do waits for each other that has something to do too:
forty of them would make every step of a scorer's answer forty times as slow. A thread that waits for a turn does
nothing.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from cardledger_api.http.fair_queue import FairQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

LOOK = 0.1
"""Seconds after which somebody who waits looks whether those in turn work at all."""
IDLE = 0.01
"""The share of its time that a thread works at least, unless it waits for something else."""


_MINE = threading.local()
KEY = "cardledger.turns"


class Turn:
    """A turn of this thread, from `with` to its end."""

    __slots__ = ("gate", "of", "party", "seen", "thread", "work")
    gate: threading.Lock
    """What it waits at, if it has to."""

    def __init__(self, of: WorkTurns, party: str = "") -> None:
        """`party` is the club that the work is for, where a server has several."""
        self.of, self.party = of, party
        self.thread = threading.get_ident()
        self.seen = self.work = 0.0

    def __enter__(self) -> Self:
        self.of.take(self)
        _MINE.turn = self
        return self

    def __exit__(self, *_: object) -> None:
        _MINE.turn = None
        self.of.give_back(self)


class WorkTurns:
    """So many turns at once; parties get them in turn, and of each party those who come first are the first.

    A turn is for working. If who has one waits for a disk, a database or another thread, the turn is lent to the next.
    """

    def __init__(
        self,
        most: int = 1,
        worked: Callable[[int], float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        look: float = LOOK,
    ) -> None:
        """`worked(thread)` are the seconds that the processor has worked for a thread, by its identifier."""
        self.most = most
        self._worked = worked or _worked
        self._clock = clock
        self._look = look
        self._lock = threading.Lock()
        self._in_turn: list[Turn] = []
        self._queue: FairQueue[Turn] = FairQueue(lambda turn: turn.party)

    @property
    def taken(self) -> int:
        """The number of turns that are taken, and not lent to others."""
        return len(self._in_turn)

    @property
    def queued(self) -> int:
        """The number of those who wait."""
        return len(self._queue)

    def take(self, turn: Turn) -> None:
        """Wait for a turn."""
        with self._lock:
            if len(self._in_turn) < self.most:  # then nobody waits
                self._begin(turn)
                return
            turn.gate = threading.Lock()
            turn.gate.acquire()
            self._queue.append(turn)
        while not turn.gate.acquire(timeout=self._look):
            self._lend()

    def stop(self) -> None:
        """Let everybody in: the server ends."""
        with self._lock:
            self.most = sys.maxsize
            self._let_in()

    def give_back(self, turn: Turn) -> None:
        """End a turn; it is the next one's."""
        with self._lock:
            if turn in self._in_turn:
                self._in_turn.remove(turn)
            self._let_in()

    def _let_in(self) -> None:
        while self._queue and len(self._in_turn) < self.most:
            turn = self._queue.popleft()
            self._begin(turn)
            turn.gate.release()

    def _begin(self, turn: Turn) -> None:
        turn.seen, turn.work = self._clock(), self._worked(turn.thread)
        self._in_turn.append(turn)

    def _lend(self) -> None:
        """Lend the turns of those that do not work to those who wait."""
        now = self._clock()
        with self._lock:
            for turn in [*self._in_turn]:
                if now - turn.seen >= self._look:
                    work = self._worked(turn.thread)
                    if work - turn.work < IDLE * (now - turn.seen):
                        self._in_turn.remove(turn)
                    turn.seen, turn.work = now, work
            self._let_in()


def _worked(thread: int) -> float:
    """Return the seconds that the processor has worked for a thread; 0 where the system does not tell."""
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    except (AttributeError, OSError):  # then a turn ends when the next one looks
        return 0.0


@contextmanager
def aside(then: WorkTurns) -> Iterator[None]:
    """Give this thread's turn back while it waits for something else, and take one of others afterwards.

    Without one do nothing.
    """
    turn: Turn | None = getattr(_MINE, "turn", None)
    if turn is None:
        yield
        return
    turn.of.give_back(turn)
    turn.of = then
    try:
        yield
    finally:
        then.take(turn)


class ReadersTurns:
    """The turns of those who read: `short` for the usual answers, `long` for those that pass the gate."""

    def __init__(self) -> None:
        self.short, self.long = WorkTurns(), WorkTurns()

    def stop(self) -> None:
        """Let everybody in."""
        self.short.stop()
        self.long.stop()


def turns_of(app: Flask) -> ReadersTurns:
    """Return the turns of an application's readers."""
    turns: ReadersTurns = app.extensions.setdefault(KEY, ReadersTurns())
    return turns
