"""Migrations: from the tables of an earlier version to those of this one, without touching recorded events."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from cardledger.errors import StoreError

Steps = Mapping[int, tuple[str, ...]]
"""By version, the statements that lead from it to the next."""
_HANDS_OFF = {
    sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE,
    sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_ALTER_TABLE,
}  # fmt: skip
_KEPT = "events"


def migrate(db: sqlite3.Connection, path: Path, version: int, target: int, steps: Steps) -> None:
    """Migrate a file from one version to another, wholly or not at all; the caller holds the write lock.

    Steps add tables, views and indexes; SQLite itself refuses any step that would touch the table of events. Raises
    StoreError `store.version` if there are no steps between the versions.
    """
    way = range(version, target)
    if version > target or any(number not in steps for number in way):
        raise StoreError("store.version", f"{path} has version {version}; this program uses {target}")
    db.set_authorizer(_only_beside)
    try:
        db.execute("BEGIN IMMEDIATE")
        for number in way:
            for statement in steps[number]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {target}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    finally:
        db.set_authorizer(None)


def _only_beside(action: int, name: str | None, other: str | None, *_: str | None) -> int:
    """Allow SQLite only operations that do not touch events."""
    touched = other if action == sqlite3.SQLITE_ALTER_TABLE else name
    return sqlite3.SQLITE_DENY if action in _HANDS_OFF and touched == _KEPT else sqlite3.SQLITE_OK
