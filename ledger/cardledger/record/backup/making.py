"""Making a backup: a ledger and the files beside it, copied while others write, examined, and put in place at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.backup.copying import transfer
from cardledger.record.backup.examine import CheckpointCheck, Examined, Take, examine
from cardledger.record.backup.fuller import expect_names, expect_side
from cardledger.record.backup.manifest import Manifest, note
from cardledger.record.backup.snapshot import drafted, put, snapshot
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import read_ring
from cardledger.record.store import EventStore, Stored
from cardledger.record.store.address import Where
from cardledger.record.store.missing_names import MissingNames
from cardledger.record.store.opening import family
from cardledger.record.store.paths import Family, expect_file
from cardledger.record.store.readers import resting
from cardledger.record.store.sqlite import SqliteStore, names_in
from cardledger.sentence import Sentence, advising

Done = Callable[[float], object]
"""Called with the share of the work done."""


@dataclass(frozen=True, slots=True)
class BackupSource:
    """A ledger to be backed up: where it is, opened, and the files beside it."""

    where: Where
    store: EventStore
    side: Family

    @classmethod
    def of(cls, where: Where, store: EventStore) -> BackupSource:
        """Return an opened ledger with where its files are."""
        return cls(where, store, family(where, store))


def sealed_by(checkpoints: Path, key: Path) -> CheckpointCheck | None:
    """Return the checkpoints in a file, which have to be signed.

    None where there are none, or no key to check them with.

    Raises ProofError `proofs.key`, `proofs.note`, `proofs.signature`.
    """
    if not checkpoints.exists() or not key.exists():
        return None
    ring, stored = read_ring(key), Checkpoints(checkpoints).all()
    for checkpoint in stored:
        checkpoint.signed_at(*ring.verifiers)
    return CheckpointCheck(ring.leaves, stored)


def back_up(
    source: BackupSource, target: Path, now: datetime, *, with_key: bool, done: Done = lambda _: None
) -> Manifest:
    """Make a backup, or replace an older one of the same ledger.

    Raises StoreError `store.same`, `store.exists`, `store.differs` if its place is taken by something else, or by a
    backup with more than the ledger (`store.name` for names), and ProofError or StoreError for a ledger with
    errors: then nothing is replaced.
    """
    expect_place(source, target)
    family = Family(target)
    expect_side(source.side, family, with_key=with_key)
    # Read before the events, so that all events sealed by now are among them.
    sealed = sealed_by(source.side.checkpoints, source.side.key)
    with drafted(target) as draft:
        if isinstance(source.where, Path):
            snapshot(source.where, draft, lambda share: done(share / 2))
        else:
            with closing(SqliteStore(draft)) as there:
                upto = source.store.last_position()
                transfer(source.store, there, upto)
        with names_in(draft) as draft_names:
            names = MissingNames(draft_names)

            def take(row: Stored, _: Examined) -> bool:
                names.take([row])
                return True

            course = examine(draft, sealed, take)
            missing = len(names.all())
            if names.wrong is not None:
                raise names.wrong
            expect_names(target, draft_names, source.store)
        if sealed is not None:
            sealed.expect_all()
        done(1.0)
        copy_side(source.side, family, with_key=with_key)
    return described(source, target, course, sealed, now, missing)


def described(
    source: BackupSource, target: Path, course: Examined, sealed: CheckpointCheck | None, now: datetime, missing: int
) -> Manifest:
    """Write the manifest of a backup, beside it and beside its ledger; return it."""
    manifest = Manifest.of(course, str(source.where), sealed.upto if sealed else 0, now, missing)
    manifest.write(Family(target).manifest)
    note(source.side, target, manifest)
    return manifest


def expect_place(source: BackupSource, target: Path, sealed: CheckpointCheck | None = None) -> Examined | None:
    """Refuse to replace anything but an older backup of the same ledger; return the content of that backup.

    Raises StoreError `store.same`, `store.exists`, `store.differs`, and what `examine` does.
    """
    family = Family(target)
    if not target.parent.is_dir():
        raise StoreError("store.write", advising(f"there is no folder {target.parent}: make it first"))
    expect_file(target)
    if isinstance(source.where, Path) and target.exists() and target.samefile(source.where):
        raise StoreError("store.same", advising(f"{target} is the ledger itself: choose another place"))
    if family.key.absolute() == source.side.key.absolute():
        raise StoreError(
            "store.same", advising(f"the files of {target} would replace the ledger's own: choose another name")
        )
    if not target.exists():
        for path in family.all():
            if path.exists() and path.suffix != ".lock":
                raise StoreError(
                    "store.exists", advising(f"{path} is there already, but not {target}: choose another name")
                )
        return None
    course = examine(target, sealed, continued_by(source, target, Sentence("back up to another place")), whole=False)
    if not resting(target):
        SqliteStore(target).close()  # an interrupted follower left a log: write it back
        if not resting(target):
            raise StoreError("store.open", advising(f"{target} is in use by another program: close that first"))
    return course


def continued_by(source: BackupSource, target: Path, advice: Sentence) -> Take:
    """Return what takes the events of a backup in, one after the other, as long as each is the ledger's own.

    It raises StoreError `store.differs` with what to do at the first that is not.
    """
    mine = chain(source.store.read_all(), repeat(None))

    def same(row: Stored, course: Examined) -> bool:
        other = next(mine)
        if other is None or row[1:] != other[1:]:  # all but the position, which depends on the database
            raise StoreError(
                "store.differs",
                advising(
                    Sentence(
                        "{path} is not an older backup of {ledger}: event {number} of the ledger is {seq} of {match} there, "
                        "and not the same here: {advice}",
                        path=str(target),
                        ledger=str(source.where),
                        number=f"{course.events + 1:,}",
                        seq=row.seq,
                        match=row.match,
                        advice=advice,
                    )
                ),
            )
        return True

    return same


def copy_side(side: Family, family: Family, *, with_key: bool) -> None:
    """Copy checkpoints and tokens beside a backup, the key only if that is wished.

    Raises StoreError `store.write`, `store.open`.
    """
    if side.checkpoints.exists():
        put(family.checkpoints, side.checkpoints.read_bytes())
    if side.tokens.exists():
        if not resting(family.tokens):
            raise StoreError("store.open", advising(f"{family.tokens} is in use by another program: close that first"))
        with drafted(family.tokens) as draft:
            snapshot(side.tokens, draft)
    if with_key and side.key.exists():
        put(family.key, side.key.read_bytes())
