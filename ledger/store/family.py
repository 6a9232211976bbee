"""The files of a ledger at a path: which there can be, and what each is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DERIVED = ("views", "luck", "proofs")
"""Databases beside a ledger that follow from it."""
WAKE = ("-wal", "-shm", "-journal", ".lock")
"""What SQLite and its writers leave beside a database while it is open."""


@dataclass(frozen=True, slots=True)
class Family:
    """A ledger in a file, and what stands beside it."""

    ledger: Path

    @property
    def key(self) -> Path:
        """The key that signs checkpoints; secret."""
        return self._named("key")

    @property
    def checkpoints(self) -> Path:
        """Every checkpoint that was signed."""
        return self._named("checkpoints")

    @property
    def tokens(self) -> Path:
        """Who may do what."""
        return self.database("access")

    @property
    def manifest(self) -> Path:
        """What a backup says of itself."""
        return self._named("backup.json")

    @property
    def backups(self) -> Path:
        """Where backups of the ledger were made to, and when."""
        return self._named("backups.json")

    def database(self, what: str) -> Path:
        """Return the path of a database beside the ledger."""
        return self._named(f"{what}{self.ledger.suffix or '.db'}")

    def all(self) -> list[Path]:
        """Return every path that can be of this ledger."""
        databases = [self.ledger, self.tokens, *(self.database(what) for what in DERIVED)]
        wake = [path.with_name(path.name + ending) for path in databases for ending in WAKE]
        return [*databases, *wake, self.key, self.checkpoints, self.manifest, self.backups]

    def _named(self, ending: str) -> Path:
        return self.ledger.with_name(f"{self.ledger.stem}.{ending}")
