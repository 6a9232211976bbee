"""Unpacking: the matches of an archive into a ledger, line for line, once all of them have been found whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ledger.archive.files import Archive
from ledger.archive.spool import Spool
from ledger.errors import ConflictError, LedgerError, StoreError
from ledger.ledger import Ledger
from ledger.live import refold
from ledger.people import STREAM, People
from ledger.people import decode as decode_people
from ledger.store import Append, EventStore, Recording, Stored
from ledger.store.chain import START, chain
from ledger.store.naming import collected

_BATCH = 5_000
"""Events stored in one transaction, roughly."""


class Unpacked(NamedTuple):
    """What became of a match: how many events it has in the archive, how many of them were new, or why it was not stored."""

    match: str
    events: int
    new: int
    error: LedgerError | None = None


def lay_aside(archive: Archive, spool: Spool) -> Iterator[int | Unpacked]:
    """Lay aside what of an archive can be stored, yielding the number of its events, or what is wrong with it.

    All hashes are computed again, and all play is judged. Raises StoreError `store.hash`, `store.gap`, `store.line`
    where the archive is not as it was packed: then nothing of it should be stored.
    """
    for recording in archive.recordings():
        error = _examined(recording)
        if error is None:
            spool.put(recording)
            yield len(recording.lines)
        else:
            yield Unpacked(recording.match, len(recording.lines), 0, error)


def store(spool: Spool, ledger: Ledger) -> Iterator[Unpacked]:
    """Store the matches laid aside in the order in which they were recorded, each whole; yield what became of each.

    A match that is stored already is passed over, or continued; one that took another course is left as it is
    (`store.differs`). The read models are caught up at the end.
    """
    batch: list[Recording] = []
    waiting = 0
    for recording in spool.take():
        batch.append(recording)
        waiting += len(recording.lines)
        if waiting >= _BATCH:
            yield from _stored(ledger.store, batch)
            batch, waiting = [], 0
    yield from _stored(ledger.store, batch)
    ledger.views.catch_up()


def _examined(recording: Recording) -> LedgerError | None:
    """Return why a match cannot have been recorded so, or None; its hash has been looked at."""
    match, position, lines, _, named = recording
    names = collected(named, lines if match == STREAM else ())
    try:
        if any(sign in line for line in lines for sign in "\n\0"):
            raise StoreError("store.line", "a line holds a line break or a NUL, which canonical JSON has not")
        if match == STREAM:
            People(map(decode_people, names.lines(lines)))
        else:
            linked = enumerate(chain(START, lines), 1)
            refold(match, [Stored(position, match, seq, line, digest) for seq, (line, digest) in linked], names)
    except msgspec.DecodeError as error:
        return StoreError("store.line", f"a line is no event of people: {error}")
    except LedgerError as error:
        return error
    return None


def _stored(events: EventStore, batch: list[Recording]) -> list[Unpacked]:
    """Store what is lacking of some matches."""
    while True:
        outcomes, appends = [], []
        for recording in batch:
            try:
                append = _lacking(events, recording)
            except StoreError as error:
                outcomes.append(Unpacked(recording.match, len(recording.lines), 0, error))
                continue
            outcomes.append(Unpacked(recording.match, len(recording.lines), len(append.lines)))
            if append.lines:
                appends.append(append)
            else:
                events.learn(append.names)
        try:
            if appends:
                events.append(appends)
        except ConflictError:
            continue  # somebody else stores the same matches at this moment
        return outcomes


def _lacking(events: EventStore, recording: Recording) -> Append:
    """Return what is lacking of a match; raises StoreError `store.differs` where it took another course."""
    there = events.read(recording.match)
    linked = chain(START, recording.lines)
    for row, (_, digest) in zip(there, linked, strict=False):
        if row.hash != digest:
            raise StoreError("store.differs", f"its event {row.seq} is stored already, and says something else")
    return Append(recording.match, len(there), linked[len(there) :], recording.names)
