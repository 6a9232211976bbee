"""The register: the stream of people in an event store."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import ConflictError, ErasedError, LedgerError, LostError, StoreError
from cardledger.record.people import people
from cardledger.record.people.names import erased_by
from cardledger.record.people.old_lines import old_in
from cardledger.record.people.people import STREAM, People
from cardledger.record.people.pseudonyms import hidden
from cardledger.record.store import Append
from cardledger.record.store.chain import START, as_stored, chain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.store import EventStore, Stored
    from cardledger.record.store.missing_names import MissingNames
    from cardledger.rules.engine.events import Event

_SEATS = range(100)
"""More seats than any table has."""


class Known(NamedTuple):
    """The people now, and the hash of the latest event about them."""

    people: People
    hash: bytes


class Register:
    """The stream of people in an event store; safe to share between threads."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known = Known(People(), START)

    def people(self) -> People:
        """Return the people now; do not change them.

        Raises StoreError `store.gap`, `store.hash`, `store.line`, `store.damaged`.

        While the store cannot be reached, returns the last known people, like the read models.
        """
        with suppress(LostError):
            return self._now().people
        return self._known.people

    def knows(self, player: str) -> bool:
        """Tell whether anybody played or recorded under a name."""
        return bool(self._store.names.spoken(player))

    def since(self, position: int) -> tuple[People, list[Event]]:
        """Return the people now, and the events about them after a position in the ledger."""
        people, rows = self.people(), self._store.read(STREAM)
        return people, [self._decoded(row) for row in rows if row.position > position]

    def erased_since(self, position: int) -> set[str]:
        """Return the pseudonyms that events after a position in the ledger erased."""
        rows = self._store.read(STREAM)
        groups = erased_by(STREAM, [row.line for row in rows if row.position > position])
        return {pseudonym for group in groups for pseudonym in group}

    def blanked_since(self, position: int) -> set[str]:
        """Return the streams with lines from which events after a position in the ledger erased a text in clear."""
        rows = [row for row in self._store.read(STREAM) if row.position > position]
        return {old.stream for old in old_in(row.line for row in rows)}

    def append(self, expected: int, judged: Callable[[People], Sequence[Event]]) -> None:
        """Store what `judged` makes of the people now; raises ConflictError, and what `judged` raises.

        `expected` is the number of the latest event that the caller knows.
        """
        with self._lock:
            before = self._now()
            if before.people.seq != expected:
                raise ConflictError(STREAM, expected, before.people.seq)
            self._append(before, judged(before.people))

    def check(self, names: MissingNames | None = None) -> LedgerError | None:
        """Read the stream from its beginning, without trust; return the first error, with its place as `index`.

        `names` takes in its events.
        """
        persons = People()
        try:
            rows = as_stored(self._store, STREAM)
            if names is not None:
                names.take(rows)
            for index, row in enumerate(rows):
                try:
                    persons.append(self._decoded(row))
                except LedgerError as error:
                    error.index = index
                    raise
        except LedgerError as error:
            return error
        return None

    def _now(self) -> Known:
        known = self._known
        rows = as_stored(self._store, STREAM, known.people.seq, known.hash)
        if erased_by(STREAM, [row.line for row in rows]):
            # Names read before the erasure must not be shown any more.
            self._store.names.forget()
            known, rows = Known(People(), START), as_stored(self._store, STREAM)
        if rows:
            grown = known.people.copy()
            for row in rows:
                grown.append(self._decoded(row))
            self._known = known = Known(grown, rows[-1].hash)
        return known

    def _append(self, known: Known, events: Sequence[Event]) -> None:
        while True:
            lines, names = hidden(events, self._store.names)
            try:
                self._store.append([Append(STREAM, known.people.seq, chain(known.hash, lines), names, fresh=True)])
            except ErasedError:
                self._store.names.forget()
            else:
                return

    def _decoded(self, row: Stored) -> Event:
        try:
            event: Event = people.decode(self._store.names.clear(row.line))
        except msgspec.DecodeError as error:
            raise StoreError("store.line", f"the line is not an event: {error}") from None
        return event
