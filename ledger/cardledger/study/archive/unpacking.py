"""Unpacking: the matches of an archive into a ledger, line for line, after all of them have been checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.people.names import collected, mark, used
from cardledger.record.people.people import STREAM, People
from cardledger.record.people.people import decode as decode_people
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.loaded_match import refold
from cardledger.record.store import Append, EventStore, Recording, Stored
from cardledger.record.store.chain import START, chain
from cardledger.sentence import advising
from cardledger.study.archive.files import Archive
from cardledger.study.archive.spool import Spool

_BATCH = 5_000
"""Events stored in one transaction, roughly."""


class Unpacked(NamedTuple):
    """The result for a match.

    Its number of events in the archive, the number of new ones, or the reason why it was not stored.
    """

    match: str
    events: int
    new: int
    error: LedgerError | None = None


def lay_aside(archive: Archive, spool: Spool) -> Iterator[int | Unpacked]:
    """Set aside the matches of an archive that can be stored; yield the number of events of each, or its error.

    All hashes are computed again, and all play is judged. Raises StoreError `store.hash`, `store.gap`, `store.line`
    if the archive has changed since it was packed: then nothing of it should be stored.
    """
    for recording in archive.recordings():
        error = _examined(recording)
        if error is None:
            spool.put(recording)
            yield len(recording.lines)
        else:
            yield Unpacked(recording.match, len(recording.lines), 0, error)


def store(spool: Spool, ledger: Ledger) -> Iterator[Unpacked]:
    """Store the spooled matches in the order of recording, each as a whole; yield the result of each.

    A stored match is skipped or continued; one that differs stays unchanged (`store.differs`). The read models are
    caught up at the end.
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
    """Return why a match cannot have been recorded like this, or None; its hash has been checked."""
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
    """Store the missing events of some matches."""
    while True:
        outcomes, appends = [], []
        for recording in batch:
            try:
                append = _append_of(events, recording)
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
            continue  # another process is storing the same matches
        return outcomes


def _append_of(events: EventStore, recording: Recording) -> Append:
    """Return the missing events of a match; raises StoreError `store.differs` if the two differ."""
    there = events.read(recording.match)
    linked = chain(START, recording.lines)
    for row, (_, digest) in zip(there, linked, strict=False):
        if row.hash != digest:
            raise StoreError(
                "store.differs",
                advising(f"its event {row.seq} is stored already with another content: unpack into a new ledger"),
            )
    with_text = {named.pseudonym for named in recording.names}
    left_out = (mark(word) for word in used(recording.lines) - with_text)
    return Append(recording.match, len(there), linked[len(there) :], (*recording.names, *left_out))
