"""Examining a ledger's file event by event, with all checks and without writing; the first error is named."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.merkle import Frontier
from cardledger.record.proofs.rows import UnreadableError, followed, readable
from cardledger.record.store import Stored
from cardledger.record.store.chain import START
from cardledger.record.store.paths import KIND
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite import STEPS, VERSION, needs_in
from cardledger.record.store.sqlite_errors import UNREADABLE, refused
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.record.proofs.leaves import Leaves
    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.store import EventStore

_ROWS = "SELECT position, match, seq, line, hash FROM events NOT INDEXED WHERE position > ? ORDER BY position"
_EVERY = 256


@dataclass(slots=True)
class CheckpointCheck:
    """Checkpoints to check a ledger against, and the maker of their leaves."""

    leaves: Leaves
    checkpoints: InitVar[Sequence[Checkpoint]]
    frontier: Frontier = field(default_factory=Frontier)
    upto: int = 0
    """Events that the last checkpoint covers which fits."""
    _by_size: dict[int, list[Checkpoint]] = field(default_factory=dict)

    def __post_init__(self, checkpoints: Sequence[Checkpoint]) -> None:
        for checkpoint in checkpoints:
            self._by_size.setdefault(checkpoint.size, []).append(checkpoint)

    def take(self, place: EventPlace, hash: bytes) -> None:
        """Take in the next event; raises ProofError `proofs.checkpoint` where a checkpoint is over others."""
        self.frontier.add(self.leaves.hash(place, hash))
        for checkpoint in self._by_size.get(self.frontier.size, ()):
            self.hold(checkpoint)

    @property
    def sizes(self) -> list[int]:
        """How many events each checkpoint covers."""
        return [*self._by_size]

    def expect(self, checkpoint: Checkpoint) -> None:
        """Check the events against one more checkpoint; raises like `take`."""
        if checkpoint.size == self.frontier.size:
            self.hold(checkpoint)
        self._by_size.setdefault(checkpoint.size, []).append(checkpoint)

    def hold(self, checkpoint: Checkpoint) -> None:
        """Check the events taken in against a checkpoint of the same size; raises ProofError `proofs.checkpoint`."""
        if checkpoint.root != self.frontier.root():
            raise ProofError(
                "proofs.checkpoint",
                Sentence(
                    "one of the events {first} to {last} of the ledger is not the one that was sealed",
                    first=f"{self.upto + 1:,}",
                    last=f"{checkpoint.size:,}",
                ),
            )
        self.upto = checkpoint.size

    def expect_all(self) -> None:
        """Refuse a ledger with fewer events than were sealed; raises ProofError `proofs.missing`."""
        most = max(self._by_size, default=0)
        if most > self.frontier.size:
            raise ProofError(
                "proofs.missing",
                Sentence(
                    "{sealed} events were sealed, but there are only {left}",
                    sealed=f"{most:,}",
                    left=f"{self.frontier.size:,}",
                ),
            )


@dataclass(slots=True)
class Examined:
    """The part of a ledger read so far.

    The number of events, the heads of its matches, and a digest over all in order.
    """

    events: int = 0
    last: EventPlace | None = None
    heads: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        """SHA-256 over match, number and hash of every event, a line each."""
        return self._digest.copy().hexdigest()

    def take(self, row: Stored) -> EventPlace:
        """Take in the next event.

        Raises ProofError `store.gap`, `store.hash` unless it follows from those before it.
        """
        self.heads[row.match] = followed(self.heads.get(row.match, (0, START)), row)
        self._digest.update(f"{row.match} {row.seq} {row.hash.hex()}\n".encode())
        self.events += 1
        self.last = EventPlace(row.match, row.seq)
        return self.last


Take = Callable[[Stored, Examined], bool]
"""Decides whether to take in an event, given those before it."""
Done = Callable[[int], object]
"""Called with the number of events done."""


def examine(
    path: Path,
    sealed: CheckpointCheck | None = None,
    take: Take = lambda row, course: True,
    done: Done = lambda events: None,
    *,
    whole: bool = True,
) -> Examined:
    """Read a ledger from its file until `take` refuses an event, or to the end; return the course read.

    With `whole`, also run SQLite's own checks. Raises StoreError `store.open`, `store.version` for a file that is not a
    ledger of this program, `store.damaged`, and ProofError with the first event that does not fit.
    """
    course = Examined()
    try:
        with closing(read_only(path, still=resting(path))) as db:
            db.execute("BEGIN")  # one snapshot, even if others write
            expect_ledger(db, path)
            all_of_them = _walk(str(path), _rows(db, path), course, sealed, take, done)
            # Last, so that damage in an event is reported with its place.
            if whole and all_of_them:
                _expect_sound(db, path)
    except UNREADABLE as error:
        raise refused(path, error) from None
    return course


def examine_store(store: EventStore, sealed: CheckpointCheck | None, take: Take) -> Examined:
    """Read an opened ledger as `examine` does a file; raises StoreError `store.damaged`, `store.lost`, ProofError."""
    course = Examined()
    _walk(store.name, store.read_all(), course, sealed, take)
    return course


_DAMAGED = Sentence("{path} is damaged: event {number} of the ledger cannot be read ({why})")
_DAMAGED_AFTER = Sentence(
    "{path} is damaged: event {number} of the ledger cannot be read ({why}); the last before it is {last}"
)


def _walk(
    name: str,
    rows: Iterable[Stored],
    course: Examined,
    sealed: CheckpointCheck | None,
    take: Take,
    done: Done = lambda _: None,
) -> bool:
    """Take in events until `take` says no to one; return whether it took all."""
    try:
        for row in readable(rows):
            if not take(row, course):
                return False
            place = course.take(row)
            if sealed is not None:
                sealed.take(place, row.hash)
            if not course.events % _EVERY:
                done(course.events)
    except UnreadableError as error:
        damaged = _DAMAGED if course.last is None else _DAMAGED_AFTER
        values = {"path": name, "number": f"{course.events + 1:,}", "why": error.message}
        raise StoreError(
            "store.damaged",
            Sentence(damaged.template, **values, **({"last": course.last.in_words} if course.last else {})),
        ) from None
    return True


def expect_ledger(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is not a ledger of a known version; raises StoreError and sqlite3.Error."""
    kind, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if kind != KIND:
        raise StoreError(
            "store.open",
            Sentence("{path} is not a ledger: it is empty, or a database of another program", path=str(path)),
        )
    if version != VERSION and version not in STEPS:
        raise StoreError(
            "store.version",
            Sentence(
                "{path} has version {theirs}; this program uses {ours}", path=str(path), theirs=version, ours=VERSION
            ),
        )
    needs_in(db).expect_readable(path)


def _rows(db: sqlite3.Connection, path: Path) -> Generator[Stored]:
    for number, row in enumerate(db.execute(_ROWS, (-(1 << 63),)), 1):
        stored = Stored(*row)
        if stored.position != number:
            raise StoreError(
                "store.gap",
                Sentence("{path}: event {number} of the ledger is missing", path=str(path), number=f"{number:,}"),
            )
        if not isinstance(stored.match, str) or not isinstance(stored.hash, bytes):
            raise StoreError(
                "store.damaged",
                Sentence(
                    "{path} is damaged: event {number} of the ledger cannot be read",
                    path=str(path),
                    number=f"{stored.position:,}",
                ),
            )
        yield stored


def _expect_sound(db: sqlite3.Connection, path: Path) -> None:
    report = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if report != "ok":
        raise StoreError(
            "store.damaged", Sentence("{path} is damaged ({why})", path=str(path), why=" ".join(report.split()))
        )
