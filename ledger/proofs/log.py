"""The log of a ledger: its tree, its keys and its checkpoints, in files beside it, and every proof that follows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ledger.proofs import Place, ProofError, notes
from ledger.proofs.checkpoints import Checkpoints
from ledger.proofs.keys import KeyRing, new_ring, read_ring, write_ring
from ledger.proofs.notes import Checkpoint
from ledger.proofs.rows import event_at
from ledger.proofs.tiles import Tiles, damaged
from ledger.proofs.tree import Tree
from ledger.store.where import family

if TYPE_CHECKING:
    from ledger.ledger import Ledger
    from ledger.store import Stored


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The proof that an event is in a checkpoint: what was sealed of it, as which leaf, and the hashes beside its path."""

    place: Place
    hash: bytes
    salt: bytes
    data: bytes
    index: int
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
    """What is beside a ledger: `club.proofs.db`, `club.key`, `club.checkpoints`. The first follows from the ledger.

    Safe to share between threads, and with other processes on the same files.
    """

    def __init__(self, ledger: Ledger, *, create: bool = True) -> None:
        """Open the files, or create them, with a key made now.

        Raises ProofError `proofs.key`, without `create` also where there is no key yet, and StoreError `store.open` for files
        of something else.
        """
        self.ledger = ledger
        side = family(ledger.at, ledger.store)
        self.key_path, self.checkpoints = side.key, Checkpoints(side.checkpoints)
        if not self.key_path.exists():
            self._make_key(create)
        self.ring = read_ring(self.key_path)
        self.tree = Tree(_tree_path(ledger), ledger.store, self.ring.leaves)

    @staticmethod
    def begun(ledger: Ledger) -> bool:
        """Tell whether a ledger has a log; a key alone, perhaps of something else, is none."""
        return family(ledger.at, ledger.store).checkpoints.exists() or _tree_path(ledger).exists()

    def _make_key(self, create: bool) -> None:
        if not create or self.checkpoints.path.exists():
            # A key made now could sign nothing that goes on from what is there.
            raise ProofError(
                "proofs.key",
                f"there is no {self.key_path}, without which nothing can be checked: put it back, or move"
                f" {self.checkpoints.path.name} away to begin anew",
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
        """Return a checkpoint over all that is recorded by now: a new one that is kept, or the last if nothing is new.

        Only what came since is read, and the end of what was there; `Survey` reads all. Raises ProofError
        with the first event that does not fit where it can be told: `proofs.missing`, `proofs.differs`,
        `proofs.checkpoint`, `store.gap`, `store.hash`; and `proofs.tree`, `proofs.write`.
        """
        self.expect_same_end()
        self.tree.grow()
        with self.tree.held() as tiles:
            last = self.checkpoints.last()
            if last is not None:
                _expect_goes_on(tiles, last)
                if last.size == tiles.size:
                    return last
            when = now or datetime.now(UTC)
            made = notes.sign(self.ring.origin, tiles.size, tiles.root(), when, self.ring.signer)
            self.checkpoints.add(made)
            return made

    def latest(self) -> Checkpoint:
        """Return the last checkpoint that was made, or the first one, made now; raises as `seal` does."""
        return self.checkpoints.last() or self.seal()

    def signed_at(self, checkpoint: Checkpoint) -> datetime:
        """Return when a checkpoint was signed by a key of this ledger; raises ProofError `proofs.signature`."""
        if checkpoint.origin != self.ring.origin:
            raise ProofError("proofs.signature", f"the checkpoint is one of {checkpoint.origin}, not of this ledger")
        return checkpoint.signed_at(*self.ring.verifiers)

    def rotate(self, now: datetime | None = None) -> KeyRing:
        """Let a new key sign from now on; the next checkpoint is signed by the old one as well. Raises as `seal` does."""
        now = now or datetime.now(UTC)
        self.seal(now)
        with self.tree.held() as tiles:
            before, ring = self.ring, self.ring.rotated(now)
            write_ring(self.key_path, ring)
            self.ring = ring
            self.checkpoints.add(notes.sign(ring.origin, tiles.size, tiles.root(), now, ring.signer, before.signer))
        return ring

    def expect_same_end(self) -> None:
        """Refuse a ledger that no longer ends, or goes on, with the event that is last in the tree.

        Raises ProofError `proofs.missing`, `proofs.differs`, `proofs.tree`.
        """
        tiles = self.tree.tiles
        if not tiles.size:
            return
        place = self.tree.place(tiles.size - 1)
        if place is None:
            raise damaged()
        self.expect_sealed(place, self.event(place))

    def expect_sealed(self, place: Place, row: Stored | None) -> int:
        """Return which leaf an event is; raises ProofError `proofs.missing`, `proofs.differs` unless it is as it was sealed."""
        index = self.tree.index(place)
        if row is None or index is None:
            raise ProofError("proofs.missing", f"{place} is not there", place)
        if self.tree.tiles.leaf(index) != self.ring.leaves.hash(place, row.hash):
            raise ProofError("proofs.differs", f"{place} is not the one that was sealed", place)
        return index

    def event(self, place: Place) -> Stored | None:
        """Return an event as it is stored, None if it is not there; raises ProofError `store.line`."""
        return event_at(self.ledger.store, place)

    def expect_goes_on(self, checkpoint: Checkpoint) -> None:
        """Refuse a checkpoint from which the tree does not go on; raises ProofError `proofs.checkpoint`."""
        _expect_goes_on(self.tree.tiles, checkpoint)

    # --- proofs

    def inclusion(self, place: Place) -> Inclusion:
        """Return the proof that an event is in the last checkpoint, which is made if the event is new.

        Raises ProofError `proofs.range` for an event that is not there, `proofs.missing` and `proofs.differs` for one that
        is not as it was sealed; and as `seal` does.
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

    def consistency(self, first: int, second: int) -> Consistency:
        """Return the proof that the tree of `second` leaves begins with that of `first`; raises ProofError `proofs.range`."""
        tiles = self.tree.tiles
        if not 1 <= first <= second <= tiles.size:
            raise ProofError(
                "proofs.range", f"of 1 to {tiles.size} events in the tree, the first size is to be up to the second"
            )
        return Consistency(first, second, tiles.root(first), tiles.root(second), tiles.consistency(first, second))


def _expect_goes_on(tiles: Tiles, checkpoint: Checkpoint) -> None:
    if checkpoint.size > tiles.size or tiles.root(checkpoint.size) != checkpoint.root:
        raise ProofError(
            "proofs.checkpoint", f"the {checkpoint.size:,} events of a checkpoint are not those that are there"
        )


def _tree_path(ledger: Ledger) -> Path:
    views = ledger.views.file.path
    return views.with_name(f"{views.stem.removesuffix('.views')}.proofs{views.suffix}")
