"""Quotas of a ledger among others of one server: how many live streams and expensive answers it may have at once."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from werkzeug.exceptions import TooManyRequests

from cardledger_api.http.gate import Gate
from cardledger_api.http.shared_places import Places, TakenPlace

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 10
"""After how many seconds a client should ask again."""


class QuotaReached(TooManyRequests):
    """A ledger has as much of something as it may have at once."""

    problem = "access.quota"


class OwnPlaces(Places):
    """The places of one ledger among those of a server: it takes one of its own, and then one of the server's."""

    def __init__(self, count: int, shared: Places, ask: str) -> None:
        super().__init__(count)
        self._shared, self._ask = shared, ask
        self._own: dict[Callable[[], object], TakenPlace] = {}

    def take(self, client: str, rank: int, leave: Callable[[], object]) -> TakenPlace | None:
        """Return a place, None if the server has none; raises QuotaReached if the ledger has none."""
        own = super().take(client, rank, leave)
        if own is None:
            raise QuotaReached(
                f"This club may have {self.count} live streams at once, and has them: ask {self._ask} for more.",
                retry_after=_SECONDS,
            )
        mine = partial(leave)  # of this place alone: another client may take it before it is returned here
        self._own[mine] = own
        place = self._shared.take(client, rank, mine)
        if place is None:
            del self._own[mine]
            super().give_back(own)
        return place

    def give_back(self, place: TakenPlace) -> None:
        """Give a place back, to the ledger and to the server."""
        if own := self._own.pop(place.leave, None):
            super().give_back(own)
        self._shared.give_back(place)


class OwnGate(Gate):
    """The gate of one ledger: it lets in a number of requests at once, each through the gate of the server."""

    def __init__(self, most: int, shared: Gate, ask: str) -> None:
        super().__init__(most=most)
        self._shared, self._ask = shared, ask
        self._under_way, self._counting = 0, threading.Lock()

    @property
    def inside(self) -> int:
        """The number of requests of this ledger that are inside or wait."""
        return self._under_way

    def enter(self, client: str, rank: int) -> Callable[[], None]:
        """Wait for room at the server's gate and return a function to call at the end; raises as it does, QuotaReached."""
        with self._counting:
            if self._under_way >= self.most:
                raise QuotaReached(
                    f"This club may have {self.most} expensive answers at once, and has them: ask {self._ask} for more.",
                    retry_after=_SECONDS,
                )
            self._under_way += 1
        try:
            leave = self._shared.enter(client, rank)
        except BaseException:
            self._end()
            raise
        left = threading.Lock()

        def ended() -> None:
            leave()
            if left.acquire(blocking=False):  # calling it twice does no harm
                self._end()

        return ended

    def _end(self) -> None:
        with self._counting:
            self._under_way -= 1
