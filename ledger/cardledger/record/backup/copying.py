"""Copying a ledger to another place, event for event, with a check that the copy is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

from cardledger.count_of import count_of
from cardledger.errors import ConflictError, StoreError
from cardledger.record.people.names import Named
from cardledger.record.store import Append, EventStore, Recording, Stored
from cardledger.record.store.chain import START, chain, link
from cardledger.sentence import advising

BATCH = 5_000
_TRIES = 5
"""Attempts to compare and store a batch while another process stores the same matches."""


class Copied(NamedTuple):
    """The result of a comparison: matches and events of one ledger, and the number of further matches in the other."""

    matches: int
    events: int
    others: int


def transfer(here: EventStore, there: EventStore, upto: int, done: Callable[[int], object] = lambda _: None) -> int:
    """Store the events of one ledger up to a position in another, except those it has; return the number of new ones.

    `done` is called after each batch with the number of positions done. Raises StoreError `store.differs` for a match
    that differs there, or whose beginning is missing.
    """
    new = reached = 0
    overlap = True  # whether any event of the last batch was there already: then the next batch is likely there too
    # Start a new read for each batch: a read that lasts for hours keeps a busy ledger from cleaning up.
    while batch := [row for row in islice(here.read_all(reached), BATCH) if row.position <= upto]:
        names = here.names.carried(row.line for row in batch)
        for _ in range(_TRIES):
            missing = _missing(batch, there) if overlap else batch
            try:
                there.append(appends(missing, names))
                if overlap:
                    there.learn(names)  # names of events that came without them
            except ConflictError as error:
                conflict, overlap = error, True
            else:
                break
        else:
            raise StoreError("store.differs", f"match {conflict.match}: {conflict.message}") from None
        overlap = len(missing) < len(batch)
        new += len(missing)
        done(batch[-1].position - reached)
        reached = batch[-1].position
    return new


def _missing(batch: list[Stored], there: EventStore) -> list[Stored]:
    """Return the missing events; raises StoreError `store.differs`."""
    firsts: dict[str, Stored] = {}
    for row in batch:
        firsts.setdefault(row.match, row)
    hashes = {}
    for match, first in firsts.items():
        # Read the event before, too: the new ones must follow from it.
        by_seq = {row.seq: row.hash for row in there.read(match, max(first.seq - 2, 0))}
        before = by_seq.get(first.seq - 1, START if first.seq == 1 else b"")
        if link(before, first.line) != first.hash:
            code = "store.hash" if first.seq == 1 else "store.differs"
            raise StoreError(code, f"match {match}: its event {first.seq} does not follow from what is before it there")
        hashes[match] = by_seq
    missing = [row for row in batch if row.seq not in hashes[row.match]]
    for row in batch:
        if hashes[row.match].get(row.seq, row.hash) != row.hash:
            raise _differs(row.match, row.seq)
    return missing


def _differs(match: str, seq: int) -> StoreError:
    return StoreError(
        "store.differs", advising(f"match {match} differs there: its event {seq} is not the same: copy to a new ledger")
    )


def appends(rows: list[Stored], names: Sequence[Named]) -> Iterator[Append]:
    """Yield the appends that store events in exactly this order, with the names behind their pseudonyms."""
    for match, group in groupby(rows, attrgetter("match")):
        run = [*group]
        yield Append(match, run[0].seq - 1, [(row.line, row.hash) for row in run], names)
        names = ()


def compare(here: EventStore, there: EventStore, upto: int, done: Callable[[int], object] = lambda _: None) -> Copied:
    """Compute every hash of another ledger again and compare each match up to a position, its length and last hash.

    Raises StoreError `store.differs`, `store.hash` with the match.
    """
    matches = events = others = 0
    recordings = there.recordings()
    for mine in here.recordings(upto=upto):
        theirs: Recording | None = None
        for recording in recordings:
            if recording.match >= mine.match:
                theirs = recording
                break
            others += 1
        _expect_same(mine, theirs)
        matches += 1
        events += len(mine.lines)
        done(len(mine.lines))
    others += sum(1 for _ in recordings)
    return Copied(matches, events, others)


def _expect_same(mine: Recording, theirs: Recording | None) -> None:
    if theirs is None or theirs.match != mine.match:
        raise StoreError("store.differs", advising(f"match {mine.match} is not there: copy to a new ledger"))
    linked = chain(START, theirs.lines)
    if linked[-1][1] != theirs.hash:
        raise StoreError(
            "store.hash", advising(f"match {mine.match}: its hashes do not follow from its events; verify both ledgers")
        )
    if len(theirs.lines) != len(mine.lines):
        raise StoreError(
            "store.differs",
            advising(
                f"match {mine.match} has {count_of(len(mine.lines), 'event')} here, {len(theirs.lines)} there: copy to a new ledger"
            ),
        )
    if theirs.hash != mine.hash:
        pairs = zip(chain(START, mine.lines), linked, strict=True)
        raise _differs(mine.match, next((seq for seq, (one, other) in enumerate(pairs, 1) if one != other), 1))
