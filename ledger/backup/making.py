"""Making a backup: a ledger with what stands beside it, copied while others write, examined, and put in place whole."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path

from ledger.backup.examine import Course, Sealed, examine
from ledger.backup.manifest import Manifest, note
from ledger.backup.snapshot import drafted, put, snapshot
from ledger.copying import transfer
from ledger.errors import StoreError
from ledger.proofs.checkpoints import Checkpoints
from ledger.proofs.keys import read_ring
from ledger.store import EventStore, Stored
from ledger.store.family import Family
from ledger.store.file import resting
from ledger.store.sqlite import SqliteStore
from ledger.store.where import Where, family

Done = Callable[[float], object]
"""Is told which share of the work is done."""


@dataclass(frozen=True, slots=True)
class Source:
    """A ledger to be backed up: where it is, opened, and the files beside it."""

    where: Where
    store: EventStore
    side: Family

    @classmethod
    def of(cls, where: Where, store: EventStore) -> Source:
        """Return an opened ledger with where its files are."""
        return cls(where, store, family(where, store))


def sealed_by(checkpoints: Path, key: Path) -> Sealed | None:
    """Return the checkpoints in a file, which have to be signed; None where there are none, or no key to check them with.

    Raises ProofError `proofs.key`, `proofs.note`, `proofs.signature`.
    """
    if not checkpoints.exists() or not key.exists():
        return None
    ring, kept = read_ring(key), Checkpoints(checkpoints).all()
    for checkpoint in kept:
        checkpoint.signed_at(*ring.verifiers)
    return Sealed(ring.leaves, kept)


def back_up(source: Source, target: Path, now: datetime, *, with_key: bool, done: Done = lambda _: None) -> Manifest:
    """Make a backup, or put a newer one in the place of an older one of the same ledger.

    Raises StoreError `store.same`, `store.exists`, `store.differs` where something else is in its place, and ProofError or
    StoreError for a ledger that is not as it should be: nothing is replaced then.
    """
    expect_place(source, target)
    family = Family(target)
    # Before the events: what is sealed by now has to be among them.
    sealed = sealed_by(source.side.checkpoints, source.side.key)
    with drafted(target) as draft:
        if isinstance(source.where, Path):
            snapshot(source.where, draft, lambda share: done(share / 2))
        else:
            with closing(SqliteStore(draft)) as there:
                upto = source.store.last_position()
                transfer(source.store, there, upto)
        course = examine(draft, sealed)
        if sealed is not None:
            sealed.expect_all()
        done(1.0)
        copy_side(source.side, family, with_key=with_key)
    return described(source, target, course, sealed, now)


def described(source: Source, target: Path, course: Course, sealed: Sealed | None, now: datetime) -> Manifest:
    """Write what is to be said of a backup, beside it and beside its ledger; return it."""
    manifest = Manifest.of(course, str(source.where), sealed.upto if sealed else 0, now)
    manifest.write(Family(target).manifest)
    note(source.side, target, manifest)
    return manifest


def expect_place(source: Source, target: Path, sealed: Sealed | None = None) -> Course | None:
    """Refuse to put a backup where something else is than an older one of the same ledger; return what is in that.

    Raises StoreError `store.same`, `store.exists`, `store.differs`, and what `examine` does.
    """
    family = Family(target)
    if not target.parent.is_dir():
        raise StoreError("store.write", f"there is no folder {target.parent}")
    if isinstance(source.where, Path) and target.exists() and target.samefile(source.where):
        raise StoreError("store.same", f"{target} is the ledger itself")
    if family.key.absolute() == source.side.key.absolute():
        raise StoreError(
            "store.same", f"what belongs to {target} would stand where the ledger's own does: choose another name"
        )
    if not target.exists():
        for path in family.all():
            if path.exists() and path.suffix != ".lock":
                raise StoreError("store.exists", f"{path} is there already, but not {target}: choose another name")
        return None
    mine = chain(source.store.read_all(), repeat(None))

    def same(row: Stored, course: Course) -> bool:
        other = next(mine)
        if other is None or (row.match, row.seq, row.hash) != (other.match, other.seq, other.hash):
            raise StoreError(
                "store.differs",
                f"{target} is no older backup of {source.where}: event {course.events + 1:,} of the ledger is"
                f" {row.seq} of {row.match} there, and not the same here",
            )
        return True

    course = examine(target, sealed, same, whole=False)
    if not resting(target):
        SqliteStore(target).close()  # somebody who followed was interrupted: his log goes where it belongs
        if not resting(target):
            raise StoreError("store.open", f"{target} is in use by another program")
    return course


def copy_side(side: Family, family: Family, *, with_key: bool) -> None:
    """Copy checkpoints and tokens beside a backup, the key only if that is wished; raises StoreError `store.write`, `store.open`."""
    if side.checkpoints.exists():
        put(family.checkpoints, side.checkpoints.read_bytes())
    if side.tokens.exists():
        if not resting(family.tokens):
            raise StoreError("store.open", f"{family.tokens} is in use by another program")
        with drafted(family.tokens) as draft:
            snapshot(side.tokens, draft)
    if with_key and side.key.exists():
        put(family.key, side.key.read_bytes(), 0o600)
