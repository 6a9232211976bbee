"""Manifests: what a backup says of itself, to be held against what is in it; and the list of backups beside a ledger."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ledger.backup.examine import Course
from ledger.backup.snapshot import put
from ledger.errors import StoreError
from ledger.store.family import Family

_FORMAT = "cardledger backup 1"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON beside a backup: the first so many events, and what comes out for them.

    `digest` is SHA-256 over match, number and hash of each, a line each; `sealed` how many events the last checkpoint
    covers that they were held to, 0 for none.
    """

    format: str = _FORMAT
    made: str
    source: str
    events: int
    digest: str
    match: str | None
    seq: int
    sealed: int

    @classmethod
    def of(cls, course: Course, source: str, sealed: int, now: datetime) -> Manifest:
        """Return the manifest of what was read from a backup."""
        match, seq = course.last or (None, 0)
        return cls(
            made=now.isoformat(timespec="seconds").replace("+00:00", "Z"), source=source, events=course.events,
            digest=course.digest, match=match, seq=seq, sealed=sealed,
        )  # fmt: skip

    def write(self, path: Path) -> None:
        """Write it; raises StoreError `store.write`."""
        put(path, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest in a file, None if there is no such file; raises StoreError `store.manifest`."""
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(
            "store.manifest", f"{path} cannot be read: {error}; without it the backup can be restored"
        ) from None
    if manifest.format != _FORMAT:
        raise StoreError("store.manifest", f"{path} is of another version: {manifest.format}")
    return manifest


def note(family: Family, target: Path, manifest: Manifest) -> None:
    """Note beside a ledger that a backup was made; where nothing can be noted, it was made all the same."""
    noted = {**backups(family), str(target.absolute()): manifest}
    with suppress(StoreError):
        put(family.backups, msgspec.json.format(msgspec.json.encode(noted), indent=1) + b"\n")


def backups(family: Family) -> dict[str, Manifest]:
    """Return the latest backup of a ledger at every place, as far as that was noted."""
    try:
        return msgspec.json.decode(family.backups.read_bytes(), type=dict[str, Manifest])
    except (OSError, msgspec.DecodeError):
        return {}


def age(manifest: Manifest, now: datetime) -> float:
    """Return how many seconds ago a backup was made."""
    return (now - datetime.fromisoformat(manifest.made)).total_seconds()


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)
