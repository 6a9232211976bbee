"""The possible files of a ledger at a path."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cardledger.errors import NoLedgerError, StoreError
from cardledger.sentence import advising

DERIVED = ("views", "luck", "proofs")
"""Databases beside a ledger that can be rebuilt from it."""
KIND = 0x63617264
"""Marks a SQLite file as a ledger (the ASCII letters "card")."""
WAKE = ("-wal", "-shm", "-journal", ".lock")
"""Files of SQLite and its writers beside an open database."""


_DATABASE = b"SQLite format 3\0"
"""How every file of SQLite begins."""


def expect_file(path: Path) -> None:
    """Refuse what is there and no file.

    To open a pipe waits for ever, and a device has no content. Raises StoreError `store.open`.
    """
    if path.is_dir():
        raise StoreError("store.open", advising(f"{path} is a folder: name a file in it, such as {path / 'club.db'}"))
    if path.exists() and not path.is_file():
        raise StoreError("store.open", advising(f"{path} is no file, but a pipe, a socket or a device: name a file"))


def expect_database(path: Path) -> None:
    """Refuse a file that is no database, before anything is made beside it; raises StoreError `store.open`."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_DATABASE))
    except OSError:
        return  # that is said where it is opened
    if head and head != _DATABASE:
        raise NoLedgerError(path)


@dataclass(frozen=True, slots=True)
class Family:
    """A ledger in a file, and the files beside it."""

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
        """The tokens."""
        return self.database("access")

    @property
    def webhooks(self) -> Path:
        """The file of webhooks, with their secrets."""
        return self.database("webhooks")

    @property
    def acts(self) -> Path:
        """The file of what admins did."""
        return self.database("acts")

    @property
    def witness(self) -> Path:
        """The file of the logs that the ledger witnesses, and of its own witnesses."""
        return self.database("witness")

    @property
    def manifest(self) -> Path:
        """The manifest of a backup."""
        return self._named("backup.json")

    @property
    def backups(self) -> Path:
        """Places and times of the ledger's backups."""
        return self._named("backups.json")

    @property
    def drills(self) -> Path:
        """The restore drills of the ledger."""
        return self._named("drills.json")

    def database(self, what: str) -> Path:
        """Return the path of a database beside the ledger."""
        return self._named(f"{what}{self.ledger.suffix or '.db'}")

    @property
    def left(self) -> list[Path]:
        """The files that are there and show that a ledger was there too: checkpoints, a log, what follows from events.

        A key may be of something else, and tokens and webhooks can be made before the ledger.
        """
        databases = [self.database(what) for what in DERIVED]
        # A program that is killed while it makes the file leaves a log beside an empty one.
        endings = () if self.ledger.exists() else ("-wal", "-journal")
        logs = [self.ledger.with_name(self.ledger.name + ending) for ending in endings]
        return [path for path in (self.checkpoints, *databases, *logs, *self._lists) if path.exists()]

    def all(self) -> list[Path]:
        """Return every path that can belong to this ledger."""
        lists = (self.tokens, self.webhooks, self.acts, self.witness)
        databases = [self.ledger, *lists, *(self.database(what) for what in DERIVED)]
        wake = [path.with_name(path.name + ending) for path in databases for ending in WAKE]
        lock = self.drills.with_name(f"{self.drills.name}.lock")
        return [*databases, *wake, self.key, self.checkpoints, *self._lists, lock]

    def size(self) -> int:
        """Return the bytes of all files that are there."""
        total = 0
        for path in self.all():
            with suppress(OSError):  # not there, or no longer
                total += path.stat().st_size
        return total

    @property
    def _lists(self) -> tuple[Path, ...]:
        """What is noted about copies."""
        return self.manifest, self.backups, self.drills

    def _named(self, ending: str) -> Path:
        return self.ledger.with_name(f"{self.ledger.stem}.{ending}")
