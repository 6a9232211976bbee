"""Places: a limited number of them, shared so that one client cannot take all, and scorers come first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

RANKS = {"reader": 1, "scorer": 2, "admin": 2}
"""The rank of each role; users without a token have rank 0."""


@dataclass(frozen=True, slots=True, eq=False)
class TakenPlace:
    """One place: its holder, and a function to call when another client takes it."""

    client: str
    rank: int
    leave: Callable[[], object]


class Places:
    """A number of places.

    While some are free, every client gets one. When all are taken, a newcomer gets the place of a client of lower rank,
    or of a client of the same rank with at least two places more: so all clients reach an equal share.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._taken: dict[tuple[int, str], list[TakenPlace]] = {}
        self._number = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of places taken."""
        return self._number

    def take(self, client: str, rank: int, leave: Callable[[], object]) -> TakenPlace | None:
        """Return a place, None if there is none for this client; `leave` is called when another client takes it."""
        place, loser = TakenPlace(client, rank, leave), None
        with self._lock:
            if self._number >= self.count:
                loser = self._loser(client, rank)
                if loser is None:
                    return None
                self._remove(loser)
            self._taken.setdefault((rank, client), []).append(place)
            self._number += 1
        if loser is not None:
            loser.leave()
        return place

    def give_back(self, place: TakenPlace) -> None:
        """Give a place back; doing so twice, or after another client took it, does no harm."""
        with self._lock:
            self._remove(place)

    def _loser(self, client: str, rank: int) -> TakenPlace | None:
        """Return the place for a newcomer: the latest one of the client with the most places in the lowest rank."""
        if not self._taken:
            return None
        lowest = min(rank for rank, _ in self._taken)
        most = max((places for (of, _), places in self._taken.items() if of == lowest), key=len)
        own = len(self._taken.get((rank, client), ()))
        return most[-1] if lowest < rank or lowest == rank and len(most) >= own + 2 else None

    def _remove(self, place: TakenPlace) -> None:
        key = place.rank, place.client
        places = self._taken.get(key, [])
        if place in places:
            places.remove(place)
            self._number -= 1
            if not places:
                del self._taken[key]
