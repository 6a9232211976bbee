"""Matches in memory: kept folded, and brought up to what the store has by now whenever they are asked for."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from ledger.live import Live, extended
from ledger.people import STREAM
from ledger.store import Append, EventStore, Stored
from ledger.store.chain import START, as_stored

_LIVE = 256
"""Matches kept folded."""


class Memory:
    """The matches of a store that were asked for last; whoever goes by what is found holds the `lock` meanwhile."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.lock = threading.RLock()
        self._live: OrderedDict[str, Live] = OrderedDict()

    def at(self, match: str, seq: int) -> Live | None:
        """Return a match that is known to be at a seq, in trust that it still is; None for any other."""
        live = self._current(match)
        return live if live is not None and len(live.ids) == seq else None

    def find(self, match: str, length: int | None = None) -> Live | None:
        """Return a match, from memory as far as it goes, else from the store; None if it is not there.

        The store is not asked where `length`, the number of events it was last seen to have, says that there are no
        more. Raises StoreError `store.gap`, `store.hash`, `store.line`, `store.damaged`.
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
        """Return how many events each of some matches has by now; None for all where that cannot be told at once."""
        with suppress(sqlite3.Error):  # one that is damaged must not hide the others
            found = self.store.lengths(matches)
            return {match: found.get(match, 0) for match in matches}
        return dict.fromkeys(matches)

    def rows(self, match: str, after: int = 0, before: bytes = START) -> Sequence[Stored]:
        """Return the events of a match after one with a known hash, each as it was stored.

        Raises StoreError `store.gap`, `store.hash`, `store.damaged`.
        """
        return () if match == STREAM else as_stored(self.store, match, after, before)

    def keep_stored(self, stored: Sequence[tuple[Append, Live]], firsts: Sequence[int]) -> None:
        """Keep matches as they are after appends whose first events are at these positions."""
        for (append, live), position in zip(stored, firsts, strict=True):
            if append.expected == 0:
                live = replace(live, folded=replace(live.folded, position=position))
            self._keep(append.match, live)

    def _current(self, match: str) -> Live | None:
        """Return a match from memory, unless somebody was erased since it was read."""
        live = self._live.get(match)
        return live if live is not None and live.generation == self.store.names.generation else None

    def _keep(self, match: str, live: Live) -> None:
        self._live[match] = live
        self._live.move_to_end(match)
        while len(self._live) > _LIVE:
            self._live.popitem(last=False)
