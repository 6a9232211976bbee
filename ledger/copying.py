"""Copying a ledger to another place, event for event as it is, with the proof that all of it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

import click

from ledger.errors import ConflictError, StoreError
from ledger.progress import progress
from ledger.store import Append, EventStore, Recording, Stored
from ledger.store.chain import START, chain, link
from ledger.store.naming import Named
from ledger.store.where import Where, opened, where

_BATCH = 5_000
_TRIES = 5
"""How often a batch is compared and stored anew while somebody else stores the same matches."""


class Copied(NamedTuple):
    """What was compared: matches and events of one ledger, and how many other matches there are in the other."""

    matches: int
    events: int
    others: int


@click.command()
@click.argument("source", metavar="FROM", type=where)
@click.argument("target", metavar="TO", type=where)
def copy(source: Where, target: Where) -> None:
    """Copy all events of a ledger to another one: FROM and TO are files, or postgresql://USER@HOST/DATABASE.

    Ids, lines, hashes and order stay what they are, who is who included; TO is created if it does not exist. What is
    there already is compared by its hashes and not copied again, so a copy that was cut short is gone on with by the
    same command, and a later one brings what is new. At the end every hash is computed again from what TO has.

    \b
    Examples:
      cardledger copy club.db copy.db
      cardledger copy club.db postgresql://club@db.example.org/ledger
    """
    with closing(opened(source, create=False)) as here, closing(opened(target)) as there:
        if here.same(there):
            raise StoreError("store.same", f"{source} and {target} are the same ledger")
        upto = here.last_position()
        with progress("copying", upto) as bar:
            new = transfer(here, there, upto, bar.update)
        with progress("verifying", upto) as bar:
            copied = compare(here, there, upto, bar.update)
    others = f"; {copied.others} other matches there" if copied.others else ""
    click.echo(f"{copied.matches} matches, {copied.events} events, {new} of them new there: every hash fits{others}")


def transfer(here: EventStore, there: EventStore, upto: int, done: Callable[[int], object] = lambda _: None) -> int:
    """Store the events of one ledger up to a position in another as far as they are not there; return how many were new.

    `done` is told after each batch how many positions further it is. Raises StoreError `store.differs` for a match that
    took another course there, or lacks its beginning.
    """
    new = reached = 0
    known = True  # whether any of the last batch was there, so that it is likely of the next
    # Read anew for each batch: a reader that stays for hours keeps a ledger in use from tidying up.
    while batch := [row for row in islice(here.read_all(reached), _BATCH) if row.position <= upto]:
        names = here.names.find(row.line for row in batch)
        for _ in range(_TRIES):
            lacking = _lacking(batch, there) if known else batch
            try:
                there.append(appends(lacking, names))
                if known:
                    there.learn(names)  # of what had come without
            except ConflictError as error:
                conflict, known = error, True
            else:
                break
        else:
            raise StoreError("store.differs", f"match {conflict.match}: {conflict.message}") from None
        known = len(lacking) < len(batch)
        new += len(lacking)
        done(batch[-1].position - reached)
        reached = batch[-1].position
    return new


def _lacking(batch: list[Stored], there: EventStore) -> list[Stored]:
    """Return the events that are not there; raises StoreError `store.differs`."""
    firsts: dict[str, Stored] = {}
    for row in batch:
        firsts.setdefault(row.match, row)
    hashes = {}
    for match, first in firsts.items():
        # The one before, too: what is to be added has to follow from it.
        found = {row.seq: row.hash for row in there.read(match, max(first.seq - 2, 0))}
        before = found.get(first.seq - 1, START if first.seq == 1 else b"")
        if link(before, first.line) != first.hash:
            code = "store.hash" if first.seq == 1 else "store.differs"
            raise StoreError(code, f"match {match}: its event {first.seq} does not follow from what is before it there")
        hashes[match] = found
    lacking = [row for row in batch if row.seq not in hashes[row.match]]
    for row in batch:
        if hashes[row.match].get(row.seq, row.hash) != row.hash:
            raise _differs(row.match, row.seq)
    return lacking


def _differs(match: str, seq: int) -> StoreError:
    return StoreError("store.differs", f"match {match} took another course there: its event {seq} is not the same")


def appends(rows: list[Stored], names: Sequence[Named]) -> Iterator[Append]:
    """Yield what appends events in just this order, with what pseudonyms in them stand for."""
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
        for found in recordings:
            if found.match >= mine.match:
                theirs = found
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
        raise StoreError("store.differs", f"match {mine.match} is not there")
    linked = chain(START, theirs.lines)
    if linked[-1][1] != theirs.hash:
        raise StoreError(
            "store.hash", f"match {mine.match}: its hashes do not follow from its events; verify both ledgers"
        )
    if len(theirs.lines) != len(mine.lines):
        raise StoreError(
            "store.differs", f"match {mine.match} has {len(mine.lines)} events here, {len(theirs.lines)} there"
        )
    if theirs.hash != mine.hash:
        pairs = zip(chain(START, mine.lines), linked, strict=True)
        raise _differs(mine.match, next((seq for seq, (one, other) in enumerate(pairs, 1) if one != other), 1))
