"""Restoring: a new ledger from a backup, or from any ledger's file, as it was at any position or time."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from ledger.backup.examine import Course, Sealed, examine
from ledger.backup.making import sealed_by
from ledger.backup.manifest import Manifest, read_manifest
from ledger.backup.snapshot import drafted, put, snapshot
from ledger.copying import appends
from ledger.errors import StoreError
from ledger.proofs.checkpoints import Checkpoints
from ledger.store import EventStore, Stored
from ledger.store.family import Family
from ledger.store.naming import Names
from ledger.store.sqlite import SqliteStore, names_in
from ledger.store.where import Where, opened

_BATCH = 5_000


class _Recorded(msgspec.Struct):
    """Of an event, when it was recorded."""

    at: datetime


_read = msgspec.json.Decoder(_Recorded)


@dataclass(frozen=True, slots=True)
class Cut:
    """Up to where events are restored: up to a position in the ledger, or up to the first one recorded after a time."""

    position: int | None = None
    time: datetime | None = None

    def keeps(self, row: Stored) -> bool:
        """Tell whether an event is before the cut; raises StoreError `store.line`."""
        if self.position is not None and row.position > self.position:
            return False
        if self.time is not None:
            try:
                return _read.decode(row.line).at <= self.time
            except (msgspec.DecodeError, TypeError):
                raise StoreError(
                    "store.line", f"event {row.seq} of {row.match} does not say when it was recorded"
                ) from None
        return True

    @property
    def cuts(self) -> bool:
        """Tell whether anything can be left out."""
        return self.position is not None or self.time is not None


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored: how many events, the last of them, how many of them sealed, how many sealed ones left out.

    `keyless` says that there are checkpoints, but no key to hold anything to them.
    """

    course: Course
    sealed: int
    left_sealed: int
    keyless: bool


def restore(source: Path, target: Where, cut: Cut, key: Path | None = None) -> Restored:
    """Restore a ledger into a new one; what is read is held to its hashes, its manifest and its checkpoints.

    Raises StoreError `store.missing`, `store.exists`, `store.position`, `store.manifest`, and what `examine` does: nothing is there then.
    """
    if not source.is_file():
        raise StoreError("store.missing", f"there is no backup at {source}")
    family = Family(source)
    key = key or family.key
    sealed, manifest = sealed_by(family.checkpoints, key), read_manifest(family.manifest)
    with ExitStack() as stack:
        there, place = _new(target, stack)
        course = _copy(source, there, cut, sealed, manifest, stack.enter_context(names_in(source)))
        if cut.position is not None and course.events < cut.position:
            raise StoreError("store.position", f"{source} has {course.events:,} events, not {cut.position:,}")
        if sealed is not None and not cut.cuts:
            sealed.expect_all()
        there.close()
        if place is not None and isinstance(target, Path):
            # What was written is read again, from the file itself.
            if examine(place).digest != course.digest:
                raise StoreError("store.write", f"{target} is not what was written to it")
            _sync(place)
            _beside(family, Family(target), key, course.events)
    left = max(0, max(sealed.sizes, default=0) - course.events) if sealed else 0
    keyless = sealed is None and family.checkpoints.exists()
    return Restored(course, sealed.upto if sealed else 0, left, keyless)


def _new(target: Where, stack: ExitStack) -> tuple[EventStore, Path | None]:
    """Return a new store, and the draft of the file it is in; raises StoreError `store.exists`."""
    if isinstance(target, Path):
        for path in Family(target).all():
            if path.exists():
                raise StoreError("store.exists", f"{path} is there already: a ledger is restored to a new place only")
        draft = stack.enter_context(drafted(target))
        return stack.enter_context(closing(SqliteStore(draft))), draft
    there = stack.enter_context(closing(opened(target)))
    if there.last_given():
        raise StoreError("store.exists", f"there are events at {target}: a ledger is restored to a new place only")
    return there, None


def _copy(
    source: Path, there: EventStore, cut: Cut, sealed: Sealed | None, manifest: Manifest | None, names: Names
) -> Course:
    """Copy events up to the cut, each as soon as it is known to follow from those before it; return what was copied."""
    waiting: list[Stored] = []

    def take(row: Stored, course: Course) -> bool:
        if manifest is not None and course.events == manifest.events:
            _expect_described(source, course, manifest)
        if not cut.keeps(row):
            return False
        waiting.append(row)
        if len(waiting) > _BATCH:
            # The last one has not been examined yet.
            there.append(appends(waiting[:-1], names.find(row.line for row in waiting[:-1])))
            del waiting[:-1]
        return True

    course = examine(source, sealed, take, whole=not cut.cuts)
    if waiting:
        there.append(appends(waiting, names.find(row.line for row in waiting)))
    if manifest is not None and not cut.cuts:
        if course.events < manifest.events:
            last = f"; the last is {course.last}" if course.last else ""
            raise StoreError(
                "store.manifest", f"{source} had {manifest.events:,} events, and has {course.events:,}{last}"
            )
        if course.events == manifest.events:
            _expect_described(source, course, manifest)
    return course


def _expect_described(source: Path, course: Course, manifest: Manifest) -> None:
    if course.digest != manifest.digest:
        raise StoreError(
            "store.manifest", f"the first {manifest.events:,} events of {source} are not those of its manifest"
        )


def _beside(family: Family, new: Family, key: Path, events: int) -> None:
    """Put beside a restored ledger what there was beside its backup: tokens, and the log, unless it had gone further.

    One key never signs two pasts: where sealed events are left out, a new log begins.
    """
    kept = Checkpoints(family.checkpoints).all() if family.checkpoints.exists() else []
    if all(checkpoint.size <= events for checkpoint in kept):
        if kept:
            put(new.checkpoints, "".join(f"{checkpoint.note}\n" for checkpoint in kept).encode())
        if key.exists():
            put(new.key, key.read_bytes(), 0o600)
    if family.tokens.exists():
        with drafted(new.tokens) as draft:
            snapshot(family.tokens, draft)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file)
