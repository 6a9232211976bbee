"""The register: the people of a ledger as its log tells them, and the way in for what is learnt about them."""

from __future__ import annotations

import threading
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger import people
from ledger.errors import ConflictError, ErasedError, LedgerError, LostError, RuleError, StoreError
from ledger.people import STREAM, Merge, Name, People, Sat
from ledger.personal import hidden
from ledger.store import Append
from ledger.store.chain import START, as_stored, chain
from ledger.store.naming import erased_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events import Event
    from ledger.readmodels import ReadModels
    from ledger.store import EventStore, Stored

_LONGEST = 64
"""Characters of a player id or a name, as in a match file."""
_SEATS = range(100)
"""More than any table has."""


class Known(NamedTuple):
    """The people as of now, and the hash of the latest event about them."""

    people: People
    hash: bytes


class Register:
    """The stream of people in an event store; safe to share between threads."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known = Known(People(), START)

    def people(self) -> People:
        """Return the people as of now, not to be changed; raises StoreError `store.gap`, `store.hash`, `store.line`, `store.damaged`.

        As of when the store was last heard of, while it cannot be reached: so are the read models.
        """
        with suppress(LostError):
            return self._now().people
        return self._known.people

    def since(self, position: int) -> tuple[People, list[Event]]:
        """Return the people as of now, and the events about them after a position in the ledger."""
        people, rows = self.people(), self._store.read(STREAM)
        return people, [self._decoded(row) for row in rows if row.position > position]

    def erased_since(self, position: int) -> set[str]:
        """Return the pseudonyms that events after a position in the ledger erased."""
        rows = self._store.read(STREAM)
        groups = erased_by(STREAM, [row.line for row in rows if row.position > position])
        return {pseudonym for group in groups for pseudonym in group}

    def record(self, events: Sequence[Event], expected: int, by: str, views: ReadModels) -> People:
        """Judge events about people and store them, all or nothing; return the people after them.

        `expected` is the number of the latest event the caller knows of. Raises ConflictError, StoreError
        `store.empty`, and with the index of the event RuleError `people.unknown`, `people.circle`, `people.merged`,
        `people.table`, `people.name`.
        """
        if not events:
            raise StoreError("store.empty", "there are no events to record")
        with self._lock:
            known = self._now()
            if known.people.seq != expected:
                raise ConflictError(STREAM, expected, known.people.seq)
            views.catch_up()
            tried = known.people.copy()
            at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            stored = []
            for index, event in enumerate(events):
                try:
                    _judge(event, tried, views)
                    tried.append(event)
                except LedgerError as error:
                    error.index = index
                    raise
                stored.append(
                    msgspec.structs.replace(
                        event, seq=tried.seq, id=event.id or str(uuid.uuid4()), at=event.at or at, by=event.by or by
                    )
                )
            self._append(known, stored)
        views.catch_up()
        return self.people()

    def check(self) -> LedgerError | None:
        """Read the stream from its beginning, trusting nothing; return what does not fit first, its place as `index`."""
        found = People()
        try:
            for index, row in enumerate(as_stored(self._store, STREAM)):
                try:
                    found.append(self._decoded(row))
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
            # What was read before the erasure may not be told any more.
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
                self._store.append([Append(STREAM, known.people.seq, chain(known.hash, lines), names, anew=True)])
            except ErasedError:
                self._store.names.forget()
            else:
                return

    def _decoded(self, row: Stored) -> Event:
        try:
            event: Event = people.decode(self._store.names.clear(row.line))
        except msgspec.DecodeError as error:
            raise StoreError("store.line", f"the line is no event: {error}") from None
        return event


def _judge(event: Event, known: People, views: ReadModels) -> None:
    """Refuse what can only be a slip: ids nobody has, names nobody can read, one person on two chairs."""
    match event:
        case Name(player=player, name=name):
            _expect_seen(player, known, views)
            if name is not None:
                _expect_readable(name, "a name")
        case Merge(player=player, into=into):
            _expect_seen(player, known, views)
            _expect_seen(into, known, views)
            _expect_apart(known.person(player), known.person(into), views)
        case Sat(match=match, seat=seat, player=player):
            # JSON has larger numbers than a database.
            if seat not in _SEATS or not _any(views, "match = ? AND seat = ?", match, seat):
                raise RuleError("people.unknown", f"there is no seat {seat} in a match {match}")
            if player is not None:
                _expect_readable(player, "a player id")
                if _any(views, "match = ? AND seat <> ? AND player = ?", match, seat, known.person(player)):
                    raise RuleError("people.table", f"{player} sits at another seat of match {match}")


def _expect_seen(player: str, known: People, views: ReadModels) -> None:
    if player not in known.merged() and not _any(views, "player = ? OR recorded = ?", player, player):
        raise RuleError("people.unknown", f"nobody has played as {player!r}")


def _expect_readable(text: str, what: str) -> None:
    if not (text.isprintable() and text == text.strip() and 1 <= len(text) <= _LONGEST):
        raise RuleError("people.name", f"{what} is 1 to {_LONGEST} printable characters")


def _expect_apart(one: str, other: str, views: ReadModels) -> None:
    """Refuse to merge those who sat at the same table: they are two people."""
    both = "match IN (SELECT match FROM players WHERE player = ?) AND player = ?"
    if one != other and (match := _any(views, both, one, other)):
        raise RuleError("people.table", f"{one} and {other} sat at the same table in match {match}")


def _any(views: ReadModels, where: str, *given: object) -> str | None:
    """Return a match with a player of whom a condition is true, if there is one."""
    row = views.reader.execute(f"SELECT match FROM players WHERE {where} LIMIT 1", given).fetchone()
    return row and str(row[0])
