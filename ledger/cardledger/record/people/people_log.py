"""The log of people: reads the people of a ledger, and takes in new events about them."""

from __future__ import annotations

import json
import threading
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import ConflictError, ErasedError, LedgerError, LostError, RuleError, StoreError, UnusableError
from cardledger.record.people import people
from cardledger.record.people.people import STREAM, Merge, Name, People, Sat
from cardledger.record.people.pseudonyms import hidden
from cardledger.record.people.recorders import Recorder
from cardledger.record.people.spelling import expect_name
from cardledger.record.store import Append
from cardledger.record.store.chain import START, as_stored, chain
from cardledger.record.store.names import erased_by
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.readmodels import ReadModels
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
        """Return the people now; do not change them; raises StoreError `store.gap`, `store.hash`, `store.line`, `store.damaged`.

        While the store cannot be reached, returns the last known people, like the read models.
        """
        with suppress(LostError):
            return self._now().people
        return self._known.people

    def since(self, position: int) -> tuple[People, list[Event]]:
        """Return the people now, and the events about them after a position in the ledger."""
        people, rows = self.people(), self._store.read(STREAM)
        return people, [self._decoded(row) for row in rows if row.position > position]

    def erased_since(self, position: int) -> set[str]:
        """Return the pseudonyms that events after a position in the ledger erased."""
        rows = self._store.read(STREAM)
        groups = erased_by(STREAM, [row.line for row in rows if row.position > position])
        return {pseudonym for group in groups for pseudonym in group}

    def record(self, events: Sequence[Event], expected: int, by: str, views: ReadModels) -> People:
        """Judge events about people and store them, all or nothing; return the people after them.

        `expected` is the number of the latest event that the caller knows. Raises ConflictError, StoreError
        `store.empty`, and with the index of the event StoreError `store.recorder`, RuleError `people.unknown`,
        `people.circle`, `people.merged`, `people.table`, `people.name`.
        """
        if not events:
            raise StoreError("store.empty", "there are no events to record")
        with self._lock:
            before = self._now()
            if before.people.seq != expected:
                raise ConflictError(STREAM, expected, before.people.seq)
            views.catch_up()
            tried = before.people.copy()
            recorder, now = Recorder(by, "refused"), datetime.now(UTC)
            stored = []
            for index, event in enumerate(events):
                try:
                    signature = recorder.signature(event, now)
                    _judge(event, tried, views)
                    tried.append(event)
                except LedgerError as error:
                    error.index = index
                    raise
                stored.append(
                    msgspec.structs.replace(event, seq=tried.seq, id=event.id or str(uuid.uuid4()), **signature)
                )
            self._append(before, stored)
        with suppress(UnusableError):  # the events are stored; readers catch up later
            views.catch_up()
        return self.people()

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


def _judge(event: Event, persons: People, views: ReadModels) -> None:
    """Refuse obvious slips: unknown ids, unreadable names, one person on two chairs."""
    match event:
        case Name(player=player, name=name):
            _expect_seen(player, persons, views)
            if name is not None:
                expect_name(name, "a name")
        case Merge(player=player, into=into):
            _expect_seen(player, persons, views)
            _expect_seen(into, persons, views)
            _expect_apart(persons, persons.person(player), persons.person(into), views)
        case Sat(match=match, seat=seat, player=player):
            # JSON has larger numbers than a database.
            if seat not in _SEATS or not _any(views, "match = ? AND seat = ?", match, seat):
                raise RuleError("people.unknown", f"there is no seat {seat} in a match {match}")
            if player is not None:
                expect_name(player)
                if _any(views, "match = ? AND seat <> ? AND player = ?", match, seat, persons.person(player)):
                    raise RuleError("people.table", f"{player} sits at another seat of match {match}")


def _expect_seen(player: str, persons: People, views: ReadModels) -> None:
    evening = "SELECT 1 FROM evening_players WHERE recorded_as = ? LIMIT 1"
    if (
        player not in persons.merged()
        and not _any(views, "player = ? OR recorded_as = ?", player, player)
        and not views.reader.execute(evening, (player,)).fetchone()
    ):
        raise RuleError(
            "people.unknown", f"no one has played as {player!r}: see cardledger people list, or the page of players"
        )


def _expect_apart(persons: People, one: str, other: str, views: ReadModels) -> None:
    """Refuse to merge players who sat at the same table, or played in the same round of an evening: they are two people."""
    if one == other:
        return
    both = "match IN (SELECT match FROM players WHERE player = ?) AND player = ?"
    if match := _any(views, both, one, other):
        raise RuleError("people.table", f"{one} and {other} sat at the same table in match {match}")
    mine, theirs = persons.ids(one), persons.ids(other)
    came = "SELECT evening FROM evening_players WHERE recorded_as IN (SELECT value FROM json_each(?))"
    shared = views.reader.execute(f"{came} INTERSECT {came} ORDER BY evening", (json.dumps(mine), json.dumps(theirs)))
    for folded in views.source.folded_each([evening for (evening,) in shared]):
        session = folded.stream.table
        if isinstance(session, SessionState) and (meeting := session.at_once(mine, theirs)):
            round, first, second = meeting
            tables = f"at table {first}" if first == second else f"at tables {first} and {second}"
            name, day = session.opening.name, session.opening.date
            raise RuleError(
                "people.table",
                f"{one} and {other} both sat {tables} in round {round} of {name}, {day} ({folded.id}): they are two people",
            )


def _any(views: ReadModels, where: str, *given: object) -> str | None:
    """Return a match with a player who meets a condition, if any."""
    row = views.reader.execute(f"SELECT match FROM players WHERE {where} LIMIT 1", given).fetchone()
    return row and str(row[0])
