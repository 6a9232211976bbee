"""Whether a file is still the one that was opened: others can move another one into its place, or write over it."""

from __future__ import annotations

import ctypes
import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cardledger.errors import UnusableError
from cardledger.sentence import advising


class FileMark(NamedTuple):
    """What tells a file from another one in its place (device and inode), and from itself after a write."""

    device: int
    inode: int
    written: int
    size: int


class SameFile:
    """Watches a file that only the holders of its write lock write to; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # also after its folder, in which the program may stand, has been renamed
        self._log = self._path.with_name(f"{path.name}-wal")
        self._mark: FileMark | None = None
        self._log_mark: FileMark | None = None
        self.replaced = False
        """Whether the file was found to be another one; then it stays so."""

    def note(self) -> bytes:
        """Note the file as it is, while holding its write lock; return that for the next holder."""
        if not self.replaced:
            self._mark, self._log_mark = mark_of(self._path), mark_of(self._log)
        return b"%d %d %d %d" % self._mark if self._mark else b""

    def expect(self, left: bytes = b"") -> None:
        """Raise UnusableError `store.replaced` if the file is not the one noted, or not as the last holder of its lock left it."""
        noted = self._mark
        if noted is not None and not self.replaced:
            now = mark_of(self._path)
            as_left = now is not None and left in (b"", b"%d %d %d %d" % now)
            self.replaced = now is None or now[:2] != noted[:2] or not as_left
        if self.replaced:
            raise UnusableError(
                "store.replaced",
                advising(
                    f"{self._path} is not the file that this program opened: "
                    "another one was put in its place (mv, cp), or another"
                    " program wrote to it. Nothing is recorded until this program is started again; "
                    "check before which file is meant"
                ),
            )

    def part_from_log(self, writer: sqlite3.Connection) -> None:
        """Close the writer of a file whose place another one has taken.

        So that the log of neither is read into the other.

        Its own log is moved aside. If that of another file is there (a folder was renamed and a copy put in its place),
        SQLite would delete it at the end: then the writer stays open until the process ends, which touches no file.
        """
        log, ours = mark_of(self._log), self._log_mark
        if log is not None and (ours is None or log[:2] != ours[:2]):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(writer))
            return
        with suppress(OSError):
            self._log.rename(self._log.with_name(f"{self._log.name}.replaced-{time.strftime('%Y%m%dT%H%M%S')}"))
        with suppress(OSError):
            self._path.with_name(f"{self._path.name}-shm").unlink()
        writer.close()


def mark_of(path: Path) -> FileMark | None:
    """Return what tells a file, as it is now, from any other; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return FileMark(status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
