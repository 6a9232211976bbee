"""The cache of folded matches, brought up to date with the store on each use."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import RLock

from cardledger.record.people.people import STREAM
from cardledger.record.recording.loaded_match import Live, extended
from cardledger.record.store import Append, EventStore, Stored
from cardledger.record.store.chain import START, as_stored

MOST = 256
"""The number of folded matches in the cache."""


class Memory:
    """The most recently used matches of a store; a caller that finds a match and acts on it must hold the `lock`."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.lock = RLock()
        self._live: OrderedDict[str, Live] = OrderedDict()

    def at(self, match: str, seq: int) -> Live | None:
        """Return a match known to be at a seq, assuming that it still is; None otherwise."""
        live = self._current(match)
        return live if live is not None and len(live.ids) == seq else None

    def find(self, match: str, length: int | None = None) -> Live | None:
        """Return a match, from memory and then from the store; None if it does not exist.

        The store is not read if `length`, the last known number of events, shows that there are no more. Raises
        StoreError `store.gap`, `store.hash`, `store.line`, `store.damaged`.
        """
        live = self._current(match)
        if length is not None and length <= (len(live.ids) if live else 0):
            return live
        rows = self.rows(match, len(live.ids), live.folded.hash) if live else self.rows(match)
        if rows:
            live = extended(match, live, rows, self.store.names)
        if live is not None:
            self._keep(match, live)
        return live

    def lengths(self, matches: Collection[str]) -> dict[str, int | None]:
        """Return the present number of events of some matches; None if that cannot be found at once."""
        with suppress(sqlite3.Error):  # a damaged match must not hide the others
            lengths = self.store.lengths(matches)
            return {match: lengths.get(match, 0) for match in matches}
        return dict.fromkeys(matches)

    def rows(self, match: str, after: int = 0, before: bytes = START) -> Sequence[Stored]:
        """Return the events of a match after one with a known hash, each as it was stored.

        Raises StoreError `store.gap`, `store.hash`, `store.damaged`.
        """
        return () if match == STREAM else as_stored(self.store, match, after, before)

    def keep_stored(self, stored: Sequence[tuple[Append, Live]], firsts: Sequence[int]) -> None:
        """Store matches in the cache after appends whose first events are at these positions."""
        with self.lock:
            for (append, live), position in zip(stored, firsts, strict=True):
                if append.expected == 0:
                    live = replace(live, folded=replace(live.folded, position=position))
                self._keep(append.match, live)

    def _current(self, match: str) -> Live | None:
        """Return a match from memory, unless a person was erased since it was read."""
        live = self._live.get(match)
        return live if live is not None and live.generation == self.store.names.generation else None

    def _keep(self, match: str, live: Live) -> None:
        self._live[match] = live
        self._live.move_to_end(match)
        while len(self._live) > MOST:
            self._live.popitem(last=False)
