"""A store in a SQLite file beside the ledger's."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardledger.record.store.sqlite_file import SqliteFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cardledger_api.beside.store import Execute

Result = TypeVar("Result")


class FileForm(NamedTuple):
    """What a file holds: the number that marks its kind, its version, its tables, and the steps from earlier ones.

    `summed` are the tables whose damage is found by sums.
    """

    kind: int
    version: int
    schema: tuple[str, ...]
    steps: Mapping[int, tuple[str, ...]]
    summed: tuple[str, ...]


class BesideFile:
    """The first row creates the file; until then there are none."""

    def __init__(self, path: Path, form: FileForm) -> None:
        self.path = path
        self._form = form
        self._file: SqliteFile | None = None
        self._opening = threading.Lock()

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds, none where there are none yet."""
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
                form = self._form
                self._file = SqliteFile(
                    self.path, form.kind, form.version, form.schema, "FULL", form.steps, summed=form.summed
                )
            return self._file
