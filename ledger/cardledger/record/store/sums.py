"""Sums over small tables that follow from nothing else, such as tokens.

A page that is put back to an earlier one is noticed.

SQLite itself finds pages that do not fit together, but not two whole ones that were exchanged, or one of yesterday.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite_errors import PASSING, UNREADABLE, kind_of
from cardledger.sentence import advising

if TYPE_CHECKING:
    from cardledger.record.store.readers import Readable

TABLE = "CREATE TABLE sums (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID"
"""Made by files that keep sums: the number of rows of each table, and a digest of them all in their order."""


def write(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Write down the sums of tables, within the transaction that changed them."""
    db.executemany("INSERT OR REPLACE INTO sums VALUES (?, ?, ?)", [(table, *_sum(db, table)) for table in tables])


def wrong(db: Readable) -> str | None:
    """Return what does not fit the sums of a file, None if all does, or if none are written yet."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sums'").fetchone():
        return None
    for name, rows, digest in db.execute("SELECT name, rows, sum FROM sums ORDER BY name").fetchall():
        found = _sum(db, name)
        if found != (rows, digest):
            return f"its table {name} is not as it was written: {found[0]:,} rows, {rows:,} when it was"
    return None


def expect(db: Readable, path: Path) -> None:
    """Raise StoreError `store.damaged` for a file whose pages do not fit together, or whose tables are not as they were written."""
    report = " ".join(str(db.execute("PRAGMA integrity_check(1)").fetchone()[0]).split())
    if report != "ok":
        raise StoreError("store.damaged", advising(f"{path} is damaged ({report}); restore it from a backup"))
    if what := wrong(db):
        raise StoreError("store.damaged", advising(f"{path} is damaged: {what}; restore it from a backup"))


def damage(path: Path) -> StoreError | None:
    """Return what is wrong with a file that keeps sums, None if nothing is, or if it is not there or has none yet."""
    if not path.exists():
        return None
    try:
        with closing(read_only(path, still=resting(path))) as db:
            expect(db, path)
    except StoreError as error:
        return error
    except UNREADABLE as error:
        if kind_of(error) in PASSING:
            return StoreError("store.open", f"{path} cannot be read now: {error}")
        return StoreError("store.damaged", advising(f"{path} is damaged: {error}; restore it from a backup"))
    return None


def _sum(db: Readable, table: str) -> tuple[int, bytes]:
    digest, number = sha256(), 0
    for row in db.execute(f"SELECT * FROM {table}"):  # in the order of its pages
        digest.update(repr(row).encode())
        number += 1
    return number, digest.digest()
