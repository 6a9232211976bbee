"""Following: a second place that is kept up with the ledger, event by event, within a stated window."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ledger.backup.examine import Course
from ledger.backup.making import Source, back_up, copy_side, described, expect_place, sealed_by
from ledger.backup.manifest import utc_now
from ledger.copying import appends
from ledger.errors import LedgerError, StoreError
from ledger.proofs import Place
from ledger.proofs.checkpoints import Checkpoints
from ledger.proofs.keys import read_ring
from ledger.store.family import Family
from ledger.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from datetime import datetime

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Pass:
    """What a pass came to: how many events were new, how many are there, how long it took; or why it failed."""

    new: int
    events: int
    seconds: float
    error: LedgerError | None = None


class Follower:
    """A backup that is opened for being gone on with; `step` brings what is new, on disk on return.

    Every event is held to the chain of its match before it is copied, and every checkpoint to the events: what is damaged at
    home never reaches the second place.
    """

    def __init__(self, source: Source, target: Path, *, with_key: bool) -> None:
        """Make the backup, or open one of the same ledger that is there; raises as `back_up` does."""
        self._source, self._target, self._with_key = source, target, with_key
        if expect_place(source, target) is None:
            back_up(source, target, utc_now(), with_key=with_key)
        self._sealed = sealed_by(source.side.checkpoints, source.side.key)
        self._course = expect_place(source, target, self._sealed) or Course()
        self._there = SqliteStore(target)
        self._copied: list[object] = []
        self._after = 0
        if self._course.last is not None:
            match, seq = self._course.last
            self._after = source.store.read(match, seq - 1)[0].position

    def step(self, now: datetime) -> int:
        """Bring what was recorded since the last time; return how many events that was. Raises ProofError, StoreError."""
        before = self._course.events
        self._look_for_seals()
        while rows := [*islice(self._source.store.read_all(self._after), _BATCH)]:
            for row in rows:
                place = self._course.take(row)
                if self._sealed is not None:
                    self._sealed.take(place, row.hash)
            self._there.append(appends(rows, self._source.store.names.find(row.line for row in rows)))
            self._after = rows[-1].position
        side = self._source.side
        stamps = [_stamp(path) for path in (side.checkpoints, side.tokens, Path(f"{side.tokens}-wal"), side.key)]
        if stamps != self._copied:
            copy_side(side, Family(self._target), with_key=self._with_key)
            self._copied = stamps
        described(self._source, self._target, self._course, self._sealed, now)
        return self._course.events - before

    def _look_for_seals(self) -> None:
        """Hold what is there to the checkpoint that was made last."""
        side = self._source.side
        if self._sealed is None:
            # The first one: all that was copied before is held to it, too.
            if sealed := sealed_by(side.checkpoints, side.key):
                for row in self._there.read_all():
                    sealed.take(Place(row.match, row.seq), row.hash)
                self._sealed = sealed
        elif (last := Checkpoints(side.checkpoints).last()) is not None and last.size > self._sealed.upto:
            last.signed_at(*read_ring(side.key).verifiers)
            self._sealed.expect(last)

    @property
    def events(self) -> int:
        """How many events are there."""
        return self._course.events

    def close(self) -> None:
        """Release the backup."""
        self._there.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def follow(source: Source, target: Path, every: float, *, with_key: bool) -> Iterator[Pass]:
    """Keep a backup up with a ledger for ever, a pass every so many seconds; yield what each came to.

    What was recorded is in the second place once the next pass is over: within `every` seconds and the time of a pass.
    One that fails is tried again the next time, from what is there. Raises as `back_up` does if none has succeeded.
    """
    follower, succeeded = None, False
    try:
        while True:
            begun = time.monotonic()
            try:
                follower = follower or Follower(source, target, with_key=with_key)
                made = Pass(follower.step(utc_now()), follower.events, time.monotonic() - begun)
                succeeded = True
            except (LedgerError, sqlite3.Error) as error:
                if follower is not None:
                    follower.close()
                    follower = None
                if not succeeded:
                    raise
                told = error if isinstance(error, LedgerError) else StoreError("store.write", str(error))
                made = Pass(0, 0, time.monotonic() - begun, told)
            yield made
            time.sleep(max(0.0, begun + every - time.monotonic()))
    finally:
        if follower is not None:
            follower.close()


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
