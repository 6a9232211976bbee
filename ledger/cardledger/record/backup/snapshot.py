"""Snapshots: a database file copied as it is at one moment, while others write; and files put in place whole.

This cannot cause the WAL-reset bug of SQLite, which needs two connections that write or checkpoint at once, and the
source is read through one that can do neither (`read_only`): it has no writable handle on the database, so it cannot
checkpoint even as the last to close. The copy is a file with a name that nobody else knows. Writers go on: the open
read transaction keeps the log from being reused from its beginning, so the log only grows by the new events. Without
it, every commit of another connection would make SQLite start over.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.proofs.keys import durably, sync_folder
from cardledger.record.store.paths import expect_file
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite_errors import UNREADABLE, refused
from cardledger.sentence import Sentence

_STEP = 2_000
"""Pages copied at once, 8 MB."""


def snapshot(source: Path, target: Path, done: Callable[[float], object] = lambda _: None) -> None:
    """Copy a database that is open elsewhere to a new file, on disk on return.

    `done` is called with the share copied so far.

    Raises StoreError `store.damaged`, `store.open`, `store.write`.
    """
    try:
        while True:
            still = resting(source)
            with (
                closing(read_only(source, still=still)) as here,
                closing(sqlite3.connect(target, isolation_level=None)) as there,
            ):
                there.execute("PRAGMA synchronous = OFF")  # synced once, at the end
                here.execute("BEGIN")
                here.execute("SELECT count(*) FROM sqlite_master").fetchone()
                here.backup(there, pages=_STEP, progress=lambda _, left, pages: done(1 - left / max(pages, 1)), sleep=0)
                # A backup is a single file: a log beside it could be left behind when the backup is moved.
                there.execute("PRAGMA journal_mode = DELETE")
            if not still or resting(source):
                break
        target.chmod(source.stat().st_mode & 0o777)
        with target.open("rb+") as file:
            os.fsync(file)
    except UNREADABLE as error:
        if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN):
            raise StoreError(
                "store.write", Sentence("{path} cannot be written: {why}", path=str(target), why=str(error))
            ) from None
        raise refused(source, error) from None
    except OSError as error:
        raise StoreError(
            "store.write", Sentence("{path} cannot be written: {why}", path=str(target), why=str(error.strerror))
        ) from None


@contextmanager
def drafted(target: Path) -> Iterator[Path]:
    """Yield the name of a draft beside a file.

    At the end it takes the file's place, or is gone when anything is raised. A pipe or a device is not replaced.
    """
    expect_file(target)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        yield draft
        if not resting(draft):
            # On a full disk its log is not written back, and would be left behind.
            raise StoreError(
                "store.write", Sentence("{path} cannot be written: its draft could not be closed", path=str(target))
            )
        draft.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise StoreError(
            "store.write", Sentence("{path} cannot be written: {why}", path=str(target), why=str(error.strerror))
        ) from None
    finally:
        for left in (draft.with_name(draft.name + ending) for ending in ("", "-wal", "-shm", "-journal", ".lock")):
            with suppress(OSError):  # the doctor reports leftover drafts
                if left.exists():
                    left.unlink()


def put(target: Path, content: bytes) -> None:
    """Write a file, whole or not at all, on disk on return; raises StoreError `store.write`."""
    with drafted(target) as draft:
        durably(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), content)
