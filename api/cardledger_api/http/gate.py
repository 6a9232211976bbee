"""The gate: only a few expensive answers are made at once, for each client and in all.

Other requests wait or are refused.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from cardledger_api.http.shared_places import RANKS, Places, TakenPlace

if TYPE_CHECKING:
    from flask import Flask

_SCORER = RANKS["scorer"]
KEY = "cardledger.gate"


class Busy(ServiceUnavailable):
    """Too many expensive answers are being made for others: there is not even a waiting place."""

    problem = "access.busy"


class TooManyAtOnce(TooManyRequests):
    """A client has the greatest allowed number of expensive answers under way."""

    problem = "access.rate"


@dataclass(slots=True, eq=False)
class Waiting:
    """A request that waits at the gate until it is let in, or another one takes its place."""

    client: str
    rank: int
    place: TakenPlace | None = None
    let_in: bool = False
    lost: bool = False


@dataclass
class Gate:
    """Lets `most` requests in at once, `each` of one client; `kept` of them are for scorers.

    Up to `waiting` others wait for `patience` seconds, in places that are shared fairly. Scorers are let in first,
    then clients with the fewest inside, then those who came first.
    """

    most: int = 4
    each: int = 2
    kept: int = 1
    waiting: int = 8
    patience: float = 10.0
    stopped: bool = False
    pressed: Callable[[], object] | None = None
    """Called every second while a request waits, to end answers that no client reads any more."""
    _inside: Counter[str] = field(default_factory=Counter)
    _readers: int = 0
    _queue: list[Waiting] = field(default_factory=list)
    _change: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._room = Places(self.waiting)

    @property
    def inside(self) -> int:
        """The number of requests inside."""
        return self._inside.total()

    @property
    def queued(self) -> int:
        """The number of requests that wait."""
        return len(self._queue)

    def enter(self, client: str, rank: int) -> Callable[[], None]:
        """Wait for room and return a function to call at the end; raises Busy, TooManyAtOnce."""
        one = Waiting(client, rank)
        with self._change:
            if not self._fits(one):
                self._wait(one)
            else:
                self._let_in(one)
        left = threading.Lock()

        def leave() -> None:
            if left.acquire(blocking=False):  # calling it twice does no harm
                self._leave(client, rank)

        return leave

    def stop(self) -> None:
        """End all waiting."""
        with self._change:
            self.stopped = True
            self._change.notify_all()

    def _wait(self, one: Waiting) -> None:
        one.place = self._room.take(one.client, one.rank, lambda: self._lose(one))
        if one.place is None:
            raise self._refusal(one)
        self._queue.append(one)
        try:
            until = time.monotonic() + self.patience
            while not (one.let_in or one.lost or self.stopped) and (left := until - time.monotonic()) > 0:
                self._change.wait(min(left, 1.0))
                if self.pressed is not None and not one.let_in:
                    self.pressed()
        finally:
            self._queue.remove(one)
            self._room.give_back(one.place)
        if not one.let_in:
            raise self._refusal(one)

    def _lose(self, one: Waiting) -> None:
        one.lost = True  # called by a newcomer, who holds the lock
        self._change.notify_all()

    def _leave(self, client: str, rank: int) -> None:
        with self._change:
            self._inside[client] -= 1
            if not self._inside[client]:
                del self._inside[client]
            self._readers -= rank < _SCORER
            while fitting := [one for one in self._queue if not (one.let_in or one.lost) and self._fits(one)]:
                # The first of the least: those who came first are in front.
                self._let_in(min(fitting, key=lambda one: (-one.rank, self._inside[one.client])))
            self._change.notify_all()

    def _fits(self, one: Waiting) -> bool:
        if self._inside.total() >= self.most or self._inside[one.client] >= self.each:
            return False
        return one.rank >= _SCORER or self._readers < self.most - self.kept

    def _let_in(self, one: Waiting) -> None:
        one.let_in = True
        self._inside[one.client] += 1
        self._readers += one.rank < _SCORER

    def _refusal(self, one: Waiting) -> Busy | TooManyAtOnce:
        again = max(math.ceil(self.patience), 1)
        if self._inside[one.client] >= self.each:
            return TooManyAtOnce(
                f"This takes the server a while; a client may have {self.each} such answers at once. "
                "Try again when one is done.",
                retry_after=again,
            )
        return Busy("The server has many expensive answers to make; try again in a moment.", retry_after=again)


def gate_of(app: Flask) -> Gate:
    """Return the gate of an application."""
    gate: Gate = app.extensions.setdefault(KEY, Gate())
    return gate
