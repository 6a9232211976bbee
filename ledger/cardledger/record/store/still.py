"""Files that cannot be written, on a read-only medium or owned by another user.

And copies of those that cannot be read in place.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from cardledger.errors import UnusableError
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.sentence import advising


def may_write(path: Path) -> bool:
    """Tell whether a file and SQLite's files beside it can be written; True for a missing file."""
    return not path.exists() or os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


class Copy:
    """A temporary copy of a file in its own folder."""

    def __init__(self, path: Path) -> None:
        self._folder = TemporaryFolder()
        self.path = self._folder.path / path.name

    def drop(self) -> None:
        """Delete the copy; calling it twice does no harm."""
        self._folder.drop()


def copied(path: Path) -> Copy:
    """Return a copy of a database without writers, with its log; raises StoreError `store.open`."""
    log = Path(f"{path}-wal")
    before = _marks(path, log)
    if log.exists() and not _on_read_only_medium(path):
        raise UnusableError(
            "store.open",
            advising(f"{path} is in use by another program, and its latest changes cannot be read: try again later"),
        )
    copy = Copy(path)
    try:
        for each in (path, log):
            if each.exists():
                shutil.copyfile(each, copy.path.with_name(each.name))
        if _marks(path, log) != before:
            raise UnusableError("store.open", advising(f"{path} changed while it was copied: try again"))
    except OSError as error:
        copy.drop()
        raise UnusableError("store.open", f"{path} cannot be opened: {error}") from None
    except BaseException:
        copy.drop()
        raise
    return copy


def _marks(*paths: Path) -> list[tuple[int, int]]:
    """Return the time and length of a file, which show whether it was written."""
    return [(status.st_mtime_ns, status.st_size) for path in paths if path.exists() for status in (path.stat(),)]


def _on_read_only_medium(path: Path) -> bool:
    with suppress(OSError, AttributeError):  # not on Windows
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    return False
