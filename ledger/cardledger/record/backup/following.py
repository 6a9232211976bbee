"""Following: a second copy that follows the ledger, event by event, within a stated time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from cardledger.errors import LedgerError, StoreError
from cardledger.record.backup.copying import appends
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.fuller import expect_side
from cardledger.record.backup.making import BackupSource, back_up, copy_side, described, expect_place, sealed_by
from cardledger.record.backup.manifest import utc_now
from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import read_ring
from cardledger.record.store.missing_names import MissingNames
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from datetime import datetime

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class FollowPass:
    """The result of a pass: new events, events in all, seconds; the reason of a failure, or a problem of the ledger."""

    new: int
    events: int
    seconds: float
    error: LedgerError | None = None
    missing_names: LedgerError | None = None


class BackupFollower:
    """A backup that is open to be continued; `step` copies new events, on disk on return.

    Every event is checked against the chain of its match before it is copied, and every checkpoint against the
    events, so damage never reaches the second copy.
    """

    def __init__(self, source: BackupSource, target: Path, *, with_key: bool) -> None:
        """Make the backup, or open one of the same ledger that is there; raises as `back_up` does."""
        self._source, self._target, self._with_key = source, target, with_key
        if expect_place(source, target) is None:
            back_up(source, target, utc_now(), with_key=with_key)
        self._sealed = sealed_by(source.side.checkpoints, source.side.key)
        self._course = expect_place(source, target, self._sealed) or Examined()
        self._names = MissingNames(source.store.names)
        self._names.take(source.store.read_all())
        self._there = SqliteStore(target)
        self._copied: list[object] = []
        self._after = 0
        if self._course.last is not None:
            match, seq = self._course.last
            self._after = source.store.read(match, seq - 1)[0].position

    def step(self, now: datetime) -> int:
        """Copy the events recorded since the last time; return their number. Raises ProofError, StoreError."""
        before = self._course.events
        self._look_for_seals()
        while rows := [*islice(self._source.store.read_all(self._after), _BATCH)]:
            for row in rows:
                place = self._course.take(row)
                if self._sealed is not None:
                    self._sealed.take(place, row.hash)
            self._names.take(rows)
            self._there.append(appends(rows, self._source.store.names.carried(row.line for row in rows)))
            self._after = rows[-1].position
        side = self._source.side
        stamps = [_stamp(path) for path in (side.checkpoints, side.tokens, Path(f"{side.tokens}-wal"), side.key)]
        if stamps != self._copied:
            family = Family(self._target)
            expect_side(side, family, with_key=self._with_key)
            copy_side(side, family, with_key=self._with_key)
            self._copied = stamps
        self._names.look_again()
        described(self._source, self._target, self._course, self._sealed, now, len(self._names.all()))
        return self._course.events - before

    def _look_for_seals(self) -> None:
        """Check the copied events against the latest checkpoint."""
        side = self._source.side
        if self._sealed is None:
            # At the first checkpoint all events copied before are checked too.
            if sealed := sealed_by(side.checkpoints, side.key):
                for row in self._there.read_all():
                    sealed.take(EventPlace(row.match, row.seq), row.hash)
                self._sealed = sealed
        elif (last := Checkpoints(side.checkpoints).last()) is not None and last.size > self._sealed.upto:
            last.signed_at(*read_ring(side.key).verifiers)
            self._sealed.expect(last)

    @property
    def missing_names(self) -> StoreError | None:
        """Names that the ledger has lost: those that were copied before are kept here."""
        return self._names.error()

    @property
    def events(self) -> int:
        """The number of events in the backup."""
        return self._course.events

    def close(self) -> None:
        """Release the backup."""
        self._there.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ContinuedCopy(Protocol):
    """A copy that can be continued: a second file, or objects in a store."""

    def step(self, now: datetime) -> int:
        """Copy the events recorded since the last time; return their number."""
        ...

    @property
    def missing_names(self) -> StoreError | None:
        """The error for names that the ledger has lost."""
        ...

    @property
    def events(self) -> int:
        """The number of events in the copy."""
        ...

    def close(self) -> None:
        """Release the copy."""
        ...


def follow(source: BackupSource, target: Path, every: float, *, with_key: bool) -> Iterator[FollowPass]:
    """Follow a ledger with a second file; see `passes`. Raises as `back_up` does if no pass has succeeded yet."""
    return passes(lambda: BackupFollower(source, target, with_key=with_key), every)


def passes(
    make: Callable[[], ContinuedCopy],
    every: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Generator[FollowPass]:
    """Follow a ledger for ever, with a pass every `every` seconds; yield the result of each.

    A recorded event is in the second place after the next pass: within `every` seconds and the time of a pass. A failed
    pass is tried again the next time, with a copy opened anew by `make`. Raises what the first pass raises.
    """
    follower: ContinuedCopy | None = None
    succeeded = False
    try:
        while True:
            begun = clock()
            try:
                follower = follower or make()
                new = follower.step(utc_now())
                result = FollowPass(new, follower.events, clock() - begun, missing_names=follower.missing_names)
                succeeded = True
            except (LedgerError, sqlite3.Error) as error:
                if follower is not None:
                    follower.close()
                    follower = None
                if not succeeded:
                    raise
                failure = error if isinstance(error, LedgerError) else StoreError("store.write", str(error))
                result = FollowPass(0, 0, clock() - begun, failure)
            yield result
            sleep(max(0.0, begun + every - clock()))
    finally:
        if follower is not None:
            follower.close()


def _stamp(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
