"""Whether a file is still the one that was opened: others can move another one into its place, or write over it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cardledger.errors import UnusableError


class FileMark(NamedTuple):
    """What tells a file from another one in its place (device and inode), and from itself after a write."""

    device: int
    inode: int
    written: int
    size: int


class SameFile:
    """Watches a file that only the holders of its write lock write to; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mark: FileMark | None = None
        self.replaced = False
        """Whether the file was found to be another one; then it stays so."""

    def note(self) -> bytes:
        """Note the file as it is, while holding its write lock; return that for the next holder."""
        if not self.replaced:
            self._mark = self._now()
        return b"%d %d %d %d" % self._mark if self._mark else b""

    def expect(self, left: bytes = b"") -> None:
        """Raise UnusableError `store.replaced` if the file is not the one noted, or not as the last holder of its lock left it."""
        noted = self._mark
        if noted is not None and not self.replaced:
            now = self._now()
            as_left = now is not None and left in (b"", b"%d %d %d %d" % now)
            self.replaced = now is None or now[:2] != noted[:2] or not as_left
        if self.replaced:
            raise UnusableError(
                "store.replaced",
                f"{self._path} is not the file that this program opened: another one was put in its place (mv, cp), or another"
                " program wrote to it. Nothing is recorded until this program is started again; check before which file is meant",
            )

    def part_from_log(self) -> None:
        """Move SQLite's log aside, so that it is not read into the file that has taken the place of its own."""
        log = self._path.with_name(f"{self._path.name}-wal")
        with suppress(OSError):
            log.rename(log.with_name(f"{log.name}.replaced-{time.strftime('%Y%m%dT%H%M%S')}"))
        with suppress(OSError):
            log.with_name(f"{self._path.name}-shm").unlink()

    def _now(self) -> FileMark | None:
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return FileMark(status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
