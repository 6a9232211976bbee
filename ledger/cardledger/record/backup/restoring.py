"""Restoring: a new ledger from a backup, or from any ledger's file, as it was at any position or time."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.backup.copying import appends
from cardledger.record.backup.examine import CheckpointCheck, Examined, examine
from cardledger.record.backup.making import sealed_by
from cardledger.record.backup.manifest import Manifest, read_manifest
from cardledger.record.backup.point_in_time import position_at
from cardledger.record.backup.snapshot import drafted, put, snapshot
from cardledger.record.people.names import Names
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.store import EventStore, Stored
from cardledger.record.store.address import Where
from cardledger.record.store.missing_names import MissingNames
from cardledger.record.store.opening import opened
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite import SqliteStore, names_in
from cardledger.sentence import Sentence, advising, in_one

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Cut:
    """The end of a restore: a position in the ledger, or a time."""

    position: int | None = None
    time: datetime | None = None

    @property
    def cuts(self) -> bool:
        """Tell whether anything can be left out."""
        return self.position is not None or self.time is not None

    def last(self, source: Path) -> int | None:
        """Return the position of the last event that is restored, None for all; raises as `position_at`."""
        if self.time is None:
            return self.position
        reached = position_at(source, self.time)
        return reached if self.position is None else min(reached, self.position)


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore: the number of events, the last one, the numbers of sealed events restored and left out.

    `keyless` means that there are checkpoints but no key to check them; `missing` is the error about names.
    """

    course: Examined
    sealed: int
    left_sealed: int
    keyless: bool
    missing: StoreError | None = None


def restore(source: Path, target: Where, cut: Cut, key: Path | None = None) -> Restored:
    """Restore a ledger into a new one; the source is checked against its hashes, its manifest and its checkpoints.

    Raises StoreError `store.missing`, `store.exists`, `store.position`, `store.manifest`, and as `examine` does:
    then nothing is created.
    """
    if not source.is_file():
        raise StoreError(
            "store.missing", advising(Sentence("there is no backup at {path}: check the path", path=str(source)))
        )
    family = Family(source)
    key = key or family.key
    sealed, manifest = sealed_by(family.checkpoints, key), read_manifest(family.manifest)
    missing = None
    with ExitStack() as stack:
        there, place = _new(target, stack)
        course = _copy(source, there, cut, sealed, manifest, stack.enter_context(names_in(source)))
        if cut.position is not None and course.events < cut.position:
            raise StoreError(
                "store.position",
                Sentence.counted(
                    "{path} has {count} event, not {wanted}",
                    "{path} has {count} events, not {wanted}",
                    course.events,
                    path=str(source),
                    count=f"{course.events:,}",
                    wanted=f"{cut.position:,}",
                ),
            )
        if sealed is not None and not cut.cuts:
            sealed.expect_all()
        there.close()
        if place is not None and isinstance(target, Path):
            # Read the written events again, from the file itself.
            with names_in(place) as written:
                names = MissingNames(written)

                def look(row: Stored, _: Examined) -> bool:
                    names.take([row])
                    return True

                if examine(place, take=look).digest != course.digest:
                    raise StoreError(
                        "store.write", Sentence("{path} differs from the data written to it", path=str(target))
                    )
                missing = names.error()
            _sync(place)
            _beside(family, Family(target), key, course.events)
    left = max(0, max(sealed.sizes, default=0) - course.events) if sealed else 0
    keyless = sealed is None and family.checkpoints.exists()
    return Restored(course, sealed.upto if sealed else 0, left, keyless, missing)


def _new(target: Where, stack: ExitStack) -> tuple[EventStore, Path | None]:
    """Return a new store, and the draft of the file it is in; raises StoreError `store.exists`."""
    if isinstance(target, Path):
        for path in Family(target).all():
            if path.exists():
                raise StoreError(
                    "store.exists", advising(Sentence("{path} exists already: restore to a new place", path=str(path)))
                )
        draft = stack.enter_context(drafted(target))
        return stack.enter_context(closing(SqliteStore(draft))), draft
    there = stack.enter_context(closing(opened(target)))
    if there.last_given():
        raise StoreError(
            "store.exists", advising(Sentence("there are events at {place}: restore to a new place", place=str(target)))
        )
    return there, None


def _copy(
    source: Path, there: EventStore, cut: Cut, sealed: CheckpointCheck | None, manifest: Manifest | None, names: Names
) -> Examined:
    """Copy events up to the cut, each after checking that it follows from those before it; return the copied part."""
    waiting: list[Stored] = []
    upto = cut.last(source)

    def take(row: Stored, course: Examined) -> bool:
        if manifest is not None and course.events == manifest.events:
            _expect_described(source, course, manifest)
        if upto is not None and row.position > upto:
            return False
        waiting.append(row)
        if len(waiting) > _BATCH:
            # The last event has not been checked yet.
            there.append(appends(waiting[:-1], names.carried(row.line for row in waiting[:-1])))
            del waiting[:-1]
        return True

    course = examine(source, sealed, take, whole=not cut.cuts)
    if waiting:
        there.append(appends(waiting, names.carried(row.line for row in waiting)))
    if manifest is not None and not cut.cuts:
        if course.events < manifest.events:
            had = Sentence.counted(
                "{path} had {count} event, and has {left}",
                "{path} had {count} events, and has {left}",
                manifest.events, path=str(source), count=f"{manifest.events:,}", left=f"{course.events:,}",
            )  # fmt: skip
            last = (Sentence("the last is {event}", event=course.last.in_words),) if course.last else ()
            raise StoreError("store.manifest", in_one(had, *last))
        if course.events == manifest.events:
            _expect_described(source, course, manifest)
    return course


def _expect_described(source: Path, course: Examined, manifest: Manifest) -> None:
    if course.digest != manifest.digest:
        raise StoreError(
            "store.manifest",
            Sentence(
                "the first {count} events of {path} are not those of its manifest",
                count=f"{manifest.events:,}",
                path=str(source),
            ),
        )


def _beside(family: Family, new: Family, key: Path, events: int) -> None:
    """Put beside a restored ledger what there was beside its backup: tokens, and the log, unless it had gone further.

    One key never signs two histories: if sealed events are left out, a new log begins.
    """
    checkpoints = Checkpoints(family.checkpoints).all() if family.checkpoints.exists() else []
    if all(checkpoint.size <= events for checkpoint in checkpoints):
        if checkpoints:
            put(new.checkpoints, "".join(f"{checkpoint.note}\n" for checkpoint in checkpoints).encode())
        if key.exists():
            put(new.key, key.read_bytes())
    if family.tokens.exists():
        with drafted(new.tokens) as draft:
            snapshot(family.tokens, draft)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file)
