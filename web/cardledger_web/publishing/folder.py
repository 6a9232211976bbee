"""The folder of a published site: its own files and no others are written, and removed when they are no longer made."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from cardledger.errors import LedgerError, StoreError
from cardledger.sentence import advising

LIST = "published.json"
"""The list of the files of a publication, in its folder."""
_FORMAT = 1
_FILE = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_.-]*", re.ASCII)


class Written(NamedTuple):
    """What a publication did: files in all, and those written and removed."""

    files: int
    written: int
    removed: int


class PublishedFolder:
    """Receives the files of one publication, and puts them in their places at the end, all or none of them."""

    def __init__(self, folder: Path) -> None:
        """Raises LedgerError `publish.folder` for a list of files that is none, StoreError `store.write`."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._before = self._listed()
            self._draft = Path(mkdtemp(prefix=".publishing-", dir=folder))
        except OSError as error:
            raise StoreError("store.write", f"{folder} cannot be written: {error.strerror}") from None
        self._made: set[str] = set()
        self._new: set[str] = set()

    def __enter__(self) -> PublishedFolder:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._draft, ignore_errors=True)

    def put(self, name: str, body: bytes) -> None:
        """Take a file; one that is there already with the same bytes is left as it is."""
        self._made.add(name)
        with suppress(OSError):
            if name in self._before and (self._folder / name).read_bytes() == body:
                self._new.discard(name)
                return
        there = self._draft / name
        try:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(body)
        except OSError as error:
            raise StoreError("store.write", f"{there} cannot be written: {error.strerror}") from None
        self._new.add(name)

    def there(self, name: str) -> bytes | None:
        """Return a file of the last publication; None if there is none."""
        with suppress(OSError):
            return (self._folder / name).read_bytes() if name in self._before else None
        return None

    def drop(self, name: str) -> None:
        """Take a file back that turned out to be none."""
        self._made.discard(name)
        self._new.discard(name)

    def finish(self) -> Written:
        """Put the files in their places, and remove those of the last publication that were not made again.

        Raises LedgerError `publish.folder` if a file of somebody else is in the way: then nothing is changed.
        """
        foreign = sorted(name for name in self._new - self._before if (self._folder / name).exists())
        if foreign:
            raise LedgerError(
                "publish.folder",
                advising(
                    f"{self._folder / foreign[0]} is there and no earlier publication made it: choose another folder"
                ),
            )
        gone = self._before - self._made
        try:
            self._write_list(self._made | self._before)  # if this is interrupted, the next time knows all of them
            for name in sorted(self._new):
                (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(self._draft / name, self._folder / name)
            for name in sorted(gone):
                self._remove(name)
            self._write_list(self._made)
        except OSError as error:
            raise StoreError("store.write", f"{self._folder} cannot be written: {error.strerror}") from None
        return Written(len(self._made), len(self._new), len(gone))

    def _remove(self, name: str) -> None:
        path = self._folder / name
        path.unlink(missing_ok=True)
        for parent in [*path.relative_to(self._folder).parents][:-1]:
            with suppress(OSError):  # not empty: there is something else in it
                (self._folder / parent).rmdir()

    def _listed(self) -> set[str]:
        path = self._folder / LIST
        if not path.exists():
            return set()
        try:
            listed = json.loads(path.read_text("utf-8"))
            files = {*listed["files"]} if listed["format"] == _FORMAT else {""}
        except (ValueError, TypeError, KeyError):
            files = {""}
        if not all(isinstance(name, str) and _FILE.fullmatch(name) for name in files):
            raise LedgerError(
                "publish.folder",
                advising(f"{path} is no list of published files that this program wrote: choose another folder"),
            )
        return files

    def _write_list(self, names: set[str]) -> None:
        text = json.dumps({"format": _FORMAT, "files": sorted(names)}, indent=0) + "\n"
        path = self._folder / LIST
        if path.exists() and path.read_text("utf-8") == text:
            return
        draft = self._draft / LIST
        draft.write_text(text, "utf-8")
        os.replace(draft, path)
