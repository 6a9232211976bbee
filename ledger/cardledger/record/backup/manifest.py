"""Manifests: the description of a backup, to compare with its content; and the list of backups beside a ledger."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from cardledger.errors import StoreError
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.objects.places import ObjectAddress
from cardledger.record.backup.snapshot import put
from cardledger.record.store.paths import Family
from cardledger.sentence import Sentence

_FORMAT = "cardledger backup 1"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON beside a backup: its number of events, and their digest.

    `digest` is SHA-256 over match, number and hash of each event, a line each; `sealed` is the number of events covered
    by the last checkpoint they were checked against, 0 for none; `missing_names` counts names that events use but the
    ledger had lost.
    """

    format: str = _FORMAT
    made: str
    source: str
    events: int
    digest: str
    match: str | None
    seq: int
    sealed: int
    missing_names: int = 0

    @classmethod
    def of(cls, course: Examined, source: str, sealed: int, now: datetime, missing_names: int = 0) -> Manifest:
        """Return the manifest of a backup that was read."""
        match, seq = course.last or (None, 0)
        return cls(
            made=now.isoformat(timespec="seconds").replace("+00:00", "Z"), source=source, events=course.events,
            digest=course.digest, match=match, seq=seq, sealed=sealed, missing_names=missing_names,
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
            "store.manifest",
            Sentence(
                "{path} cannot be read: {why}; you can remove it and restore the backup without it",
                path=str(path),
                why=str(error),
            ),
        ) from None
    if manifest.format != _FORMAT:
        raise StoreError(
            "store.manifest",
            Sentence("{path} is of another version: {version}", path=str(path), version=manifest.format),
        )
    return manifest


def note(family: Family, target: Path | ObjectAddress, manifest: Manifest) -> None:
    """Note beside a ledger that a backup was made; if that is not possible, the backup is valid all the same."""
    noted = {**backups(family), str(target.absolute() if isinstance(target, Path) else target): manifest}
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
