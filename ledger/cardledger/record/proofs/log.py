"""The log of a ledger: its tree, keys and checkpoints, in files beside it, and the proofs made from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cardledger.record.proofs import EventPlace, ProofError, notes
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import KeyRing, new_ring, read_ring, write_ring, written
from cardledger.record.proofs.notes import Checkpoint
from cardledger.record.proofs.rows import event_at
from cardledger.record.proofs.tiles import Tiles, damaged
from cardledger.record.proofs.tree import Tree
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.store.lost_tail import beside
from cardledger.record.store.opening import family
from cardledger.sentence import advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import Stored


CLOCKS_DIFFER = timedelta(minutes=5)
"""How far a clock may be set back, as time servers do: a checkpoint then gets the time of the one before."""


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The proof that an event is in a checkpoint: its sealed data, its leaf, and the hashes beside its path."""

    place: EventPlace
    hash: bytes
    salt: bytes
    data: bytes
    index: int
    path: list[bytes]
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Inclusions:
    """The proof that all events of a match are in a checkpoint.

    Their salts, their leaves, and the hashes beside the paths.
    """

    salts: list[bytes]
    indices: list[int]
    path: list[bytes]
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Consistency:
    """The proof that the tree of one size begins with that of another, with both roots."""

    first: int
    second: int
    first_root: bytes
    second_root: bytes
    path: list[bytes]


class Log:
    """The files beside a ledger: `club.proofs.db`, `club.key`, `club.checkpoints`.

    The first can be rebuilt from the ledger.

    Safe to share between threads, and with other processes on the same files.
    """

    def __init__(self, ledger: Ledger, *, create: bool = True) -> None:
        """Open the files, or create them with a new key.

        Raises `store.refusal`: nothing is sealed or rebuilt until lost events are back, or given up. Raises ProofError
        `proofs.key` (without `create` also if there is no key yet), and StoreError `store.open` for files of another
        kind.
        """
        self.ledger = ledger
        if ledger.store.refusal is not None:
            raise ledger.store.refusal
        side = family(ledger.at, ledger.store)
        self.key_path, self.checkpoints = side.key, Checkpoints(side.checkpoints)
        self.witness_path = side.witness
        if not self.key_path.exists():
            self._make_key(create)
        self.ring = read_ring(self.key_path)
        self.tree = Tree(tree_path(ledger), ledger.store, self.ring.leaves)

    @staticmethod
    def begun(ledger: Ledger) -> bool:
        """Tell whether a ledger has a log; a key file alone, perhaps of something else, does not count."""
        return family(ledger.at, ledger.store).checkpoints.exists() or tree_path(ledger).exists()

    def _make_key(self, create: bool) -> None:
        if not create or self.checkpoints.path.exists():
            # A new key could not continue the existing log.
            raise ProofError(
                "proofs.key",
                advising(
                    f"there is no {self.key_path}, which is needed for every check: put it back, or move"
                    f" {self.checkpoints.path.name} away to start a new log"
                ),
            )
        write_ring(self.key_path, new_ring(self.key_path.stem, datetime.now(UTC)), first=True)

    def close(self) -> None:
        """Release the files."""
        self.tree.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- checkpoints

    def seal(self, now: datetime | None = None) -> Checkpoint:
        """Return a checkpoint over all recorded events.

        A new one, which is stored, or the last if there are no new events.

        Only new events and the last old one are read; `Survey` reads all. Raises ProofError, with the first bad event
        if it is known: `proofs.missing`, `proofs.differs`, `proofs.checkpoint`, `store.gap`, `store.hash`; and
        `proofs.tree`, `proofs.write`.
        """
        self.expect_same_end()
        self.tree.grow()
        with self.tree.held() as tiles:
            last = self.checkpoints.last()
            if (last.size if last else 0) < self.tree.sealed.size:
                self.tree.sealed.expect(self.checkpoints.all())
            if last is not None:
                _expect_goes_on(tiles, last)
                if last.size == tiles.size:
                    return last
            when = self._not_before(last, now or datetime.now(UTC))
            checkpoint = notes.sign(self.ring.origin, tiles.size, tiles.root(), when, self.ring.signer)
            self._add(tiles, checkpoint)
            return checkpoint

    def stated(self, now: datetime) -> Checkpoint:
        """Return the last checkpoint signed again with the time of now, for witnesses; it is not stored.

        So a witness can tell what the ledger says now from an old note that somebody sends again. Raises as `seal`
        does.
        """
        last = self.latest()
        self.expect_goes_on(last)
        return notes.sign(self.ring.origin, last.size, last.root, self._not_before(last, now), self.ring.signer)

    def cosigned(self, checkpoint: Checkpoint) -> Checkpoint:
        """Return a checkpoint with the signatures of its witnesses below, as far as it has any."""
        file = WitnessFile(self.witness_path)
        try:
            return notes.read("".join([checkpoint.note, *file.lines(checkpoint)]))
        finally:
            file.close()

    def _not_before(self, last: Checkpoint | None, now: datetime) -> datetime:
        """Return the time for a new checkpoint, never before that of the last one; raises ProofError `proofs.clock`."""
        before = self.signed_at(last) if last is not None else now
        if before - now > CLOCKS_DIFFER:
            raise ProofError(
                "proofs.clock",
                advising(
                    f"the last checkpoint was made {written(before)}, and the clock of this computer says {written(now)}:"
                    " set the clock, and check which of the two was wrong; until then nothing is sealed"
                ),
            )
        return max(before, now)

    def _add(self, tiles: Tiles, checkpoint: Checkpoint) -> None:
        """Store a checkpoint while the tree is held, and note in the tree how many there are."""
        number = self.checkpoints.add(checkpoint)
        tiles.db.execute("UPDATE sealed SET notes = ?, size = ?", (number, checkpoint.size))

    def latest(self) -> Checkpoint:
        """Return the last checkpoint, or make the first one; raises as `seal` does."""
        return self.checkpoints.last() or self.seal()

    def signed_at(self, checkpoint: Checkpoint) -> datetime:
        """Return when a checkpoint was signed by a key of this ledger; raises ProofError `proofs.signature`."""
        if checkpoint.origin != self.ring.origin:
            raise ProofError("proofs.signature", f"the checkpoint is from {checkpoint.origin}, not from this ledger")
        return checkpoint.signed_at(*self.ring.verifiers)

    def rotate(self, now: datetime | None = None) -> KeyRing:
        """Let a new key sign from now on; the next checkpoint is signed by the old one as well.

        Raises as `seal` does.
        """
        now = now or datetime.now(UTC)
        now = self._not_before(self.seal(now), now)
        with self.tree.held() as tiles:
            before, ring = self.ring, self.ring.rotated(now)
            write_ring(self.key_path, ring)
            self.ring = ring
            self._add(tiles, notes.sign(ring.origin, tiles.size, tiles.root(), now, ring.signer, before.signer))
        return ring

    def expect_same_end(self) -> None:
        """Refuse a ledger that no longer holds the last event of the tree.

        Raises ProofError `proofs.missing`, `proofs.differs`, `proofs.tree`.
        """
        tiles = self.tree.tiles
        if not tiles.size:
            return
        place = self.tree.place(tiles.size - 1)
        if place is None:
            raise damaged()
        self.expect_sealed(place, self.event(place))

    def expect_sealed(self, place: EventPlace, row: Stored | None) -> int:
        """Return the leaf number of an event.

        Raises ProofError `proofs.missing`, `proofs.differs` if it is not as sealed.
        """
        index = self.tree.index(place)
        if row is None or index is None:
            raise ProofError("proofs.missing", f"{place} does not exist", place)
        if self.tree.tiles.leaf(index) != self.ring.leaves.hash(place, row.hash):
            raise differs(place)
        return index

    def event(self, place: EventPlace) -> Stored | None:
        """Return an event as stored, None if it does not exist; raises ProofError `store.line`."""
        return event_at(self.ledger.store, place)

    def expect_goes_on(self, checkpoint: Checkpoint) -> None:
        """Refuse a checkpoint that the tree does not continue; raises ProofError `proofs.checkpoint`."""
        _expect_goes_on(self.tree.tiles, checkpoint)

    # --- proofs

    def inclusion(self, place: EventPlace) -> Inclusion:
        """Return the proof that an event is in the last checkpoint; for a new event, make a checkpoint first.

        Raises ProofError `proofs.range` if the event does not exist, `proofs.missing` and `proofs.differs` if it is not
        as sealed; and as `seal` does.
        """
        row = self.event(place)
        if row is None and self.tree.index(place) is None:
            raise ProofError("proofs.range", f"there is no {place}")
        checkpoint, index = self.checkpoints.last(), self.tree.index(place)
        if checkpoint is None or index is None or index >= checkpoint.size:
            checkpoint = self.seal()
        index = self.expect_sealed(place, row)
        assert row is not None
        leaves, tiles = self.ring.leaves, self.tree.tiles
        _expect_goes_on(tiles, checkpoint)
        path = tiles.inclusion(index, checkpoint.size)
        return Inclusion(place, row.hash, leaves.salt(place), leaves.data(place, row.hash), index, path, checkpoint)

    def inclusions(self, rows: Sequence[Stored]) -> Inclusions:
        """Return the proof that every event of a match is in the last checkpoint; raises as `inclusion` does."""
        places = [EventPlace(row.match, row.seq) for row in rows]
        checkpoint, leaves, tiles = self.inclusion(places[-1]).checkpoint, self.ring.leaves, self.tree.tiles
        indices = [*self.tree.indices(places[0].match, len(places))]
        if len(indices) != len(places):
            raise damaged()
        for row, place, index in zip(rows, places, indices, strict=True):
            if tiles.leaf(index) != leaves.hash(place, row.hash):
                raise differs(place)
        path = tiles.inclusions(indices, checkpoint.size)
        return Inclusions([*map(leaves.salt, places)], indices, path, checkpoint)

    def consistency(self, first: int, second: int) -> Consistency:
        """Return the proof that the tree of `second` leaves begins with that of `first`.

        Raises ProofError `proofs.range`.
        """
        tiles = self.tree.tiles
        if not 1 <= first <= second <= tiles.size:
            raise ProofError(
                "proofs.range", f"sizes go from 1 to {tiles.size}, and the first must not be greater than the second"
            )
        return Consistency(first, second, tiles.root(first), tiles.root(second), tiles.consistency(first, second))


def differs(place: EventPlace) -> ProofError:
    """Return the error for an event that differs from the sealed one."""
    return ProofError("proofs.differs", f"{place} is not the one that was sealed", place)


def _expect_goes_on(tiles: Tiles, checkpoint: Checkpoint) -> None:
    if checkpoint.size > tiles.size or tiles.root(checkpoint.size) != checkpoint.root:
        raise ProofError(
            "proofs.checkpoint", f"the {checkpoint.size:,} events of a checkpoint differ from those in the ledger"
        )


def tree_path(ledger: Ledger) -> Path:
    """Return the path of the tree file of a ledger."""
    return beside(ledger.views.file.path, "proofs")
