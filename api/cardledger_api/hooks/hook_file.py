"""Webhooks in a SQLite file beside the ledger's."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from cardledger.record.store import sums
from cardledger.record.store.sqlite_file import SqliteFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardledger_api.hooks.hook import Execute

KIND = 0x686F6F6B
"""Marks a SQLite file as one of webhooks (the ASCII letters "hook")."""
VERSION = 4
_WITHHELD = """CREATE TABLE withheld (
    hook TEXT NOT NULL,
    position INTEGER NOT NULL,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (hook, position)
) WITHOUT ROWID"""
_CUT = _WITHHELD.replace("withheld", "cut")
SCHEMA = (
    """CREATE TABLE hooks (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    role TEXT NOT NULL,
    filter TEXT NOT NULL,
    created TEXT NOT NULL,
    position INTEGER NOT NULL,
    pending INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since REAL,
    due REAL NOT NULL DEFAULT 0,
    disabled TEXT
) WITHOUT ROWID""",
    """CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY,
    hook TEXT NOT NULL,
    at TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    status INTEGER,
    ms INTEGER NOT NULL,
    error TEXT
)""",
    "CREATE INDEX deliveries_of ON deliveries (hook, number)",
    _WITHHELD,
    _CUT,
    sums.TABLE,
)
STEPS = {1: (_WITHHELD,), 2: (_CUT,), 3: (sums.TABLE,)}
SUMMED = ("hooks", "withheld", "cut")
Result = TypeVar("Result")


class HookFile:
    """The first webhook creates the file; until then there are none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: SqliteFile | None = None
        self._opening = threading.Lock()

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds, none where there are no webhooks yet."""
        if self._file is None and not self.path.exists():
            return []
        return self._opened().now(query, given)

    def change(self, work: Callable[[Execute], Result]) -> Result:
        """Return the result of work in one transaction."""
        with self._opened().writing() as db:
            return work(db.execute)

    def empty(self) -> None:
        """Leave nothing of what was changed or deleted in the file."""
        self._opened().emptied(rebuild=True)

    def clock(self) -> float:
        """Return the time in seconds; all servers of a file are on one computer."""
        return time.time()

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()

    def _opened(self) -> SqliteFile:
        with self._opening:
            if self._file is None:
                self._file = SqliteFile(self.path, KIND, VERSION, SCHEMA, "FULL", STEPS, summed=SUMMED)
            return self._file
