"""Temporary folders: each is deleted by its program, or by the next one if that was killed."""

from __future__ import annotations

import os
import shutil
import weakref
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Self

from cardledger.record.store.write_lock import lock_file

_PREFIX = "cardledger-"
_OWNED = ".in-use"


class TemporaryFolder:
    """A folder for as long as this object lives; making one deletes those that killed programs left behind."""

    def __init__(self, within: Path | None = None) -> None:
        """Make the folder within another, the system's place for such by default; raises OSError."""
        within = within or Path(gettempdir())
        _delete_left(within)
        self.path = Path(mkdtemp(prefix=_PREFIX, dir=within))
        draft = self.path / f"{_OWNED}.new"
        file = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
        lock_file(file)
        draft.rename(self.path / _OWNED)  # nobody finds it before it is locked
        self.drop = weakref.finalize(self, _delete, self.path, file)
        """Deletes the folder; calling it twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()


def _delete(folder: Path, file: int) -> None:
    os.close(file)  # first: Windows deletes no open file
    shutil.rmtree(folder, ignore_errors=True)


def _delete_left(within: Path) -> None:
    """Delete the folders whose programs are gone: the system has given their locks back."""
    for folder in within.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, or just being deleted
            file = os.open(folder / _OWNED, os.O_RDWR)
            try:
                left = lock_file(file)
            finally:
                os.close(file)
            if left:
                shutil.rmtree(folder, ignore_errors=True)
