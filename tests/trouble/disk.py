"""A disk after a power failure: from a record of calls, its possible contents if the power failed at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeVar

from tests.trouble.shim import CREATED, EMPTIED, FOLDER, LINK, OPEN, RENAME, SYNC, TRUNCATE, UNLINK, WRITE, Done

_T = TypeVar("_T")
_SECTORS = (512, 4096)
"""Bytes that a disk writes whole or not at all."""
_TORN = 0.3
"""How often of a write that is on its way some sectors only arrive."""


@dataclass(slots=True)
class _Change:
    """A change of a file that is on its way: bytes at an offset, or with none its new length."""

    offset: int
    data: bytes | None


@dataclass(slots=True, eq=False)
class _File:
    """A file: the data surely on disk, and the data still on its way."""

    content: bytearray = field(default_factory=bytearray)
    waiting: list[_Change] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    """A change of the folder that is on its way: a new name, one that goes, one that takes the place of another."""

    op: int
    path: str
    other: str
    file: _File | None


class Disk:
    """A folder on a disk that keeps all synced data, and any part of the rest.

    What a sync of a file keeps is what is in it, not its name: that takes one of the folder. Sectors arrive in any order; a
    rename is one thing.
    """

    def __init__(self) -> None:
        self._by_number: dict[int, _File] = {}
        self._names: dict[str, _File] = {}
        self._entries: list[_Entry] = []

    def take(self, done: Done) -> None:
        """Take in the next call."""
        match done.op:
            case op if op == OPEN:
                if done.flag & CREATED:
                    file = self._by_number[done.file] = _File()
                    self._entries.append(_Entry(OPEN, done.path, "", file))
                elif done.flag & EMPTIED:
                    self._by_number[done.file].waiting.append(_Change(0, None))
            case op if op == WRITE:
                self._by_number[done.file].waiting.append(_Change(done.offset, done.data))
            case op if op == TRUNCATE:
                self._by_number[done.file].waiting.append(_Change(done.offset, None))
            case op if op == SYNC and done.flag & FOLDER:
                for entry in self._entries:
                    _enter(self._names, entry)
                self._entries.clear()
            case op if op == SYNC:
                file = self._by_number[done.file]
                for change in file.waiting:
                    _change(file.content, change)
                file.waiting.clear()
            case op if op in (UNLINK, RENAME, LINK):
                self._entries.append(_Entry(op, done.path, done.other, None))

    def found(self, rng: Random) -> dict[str, bytes]:
        """Return possible contents after the power failure: files by name."""
        names = dict(self._names)
        for entry in _some(self._entries, rng):
            _enter(names, entry)
        return {Path(path).name: self._of(file, rng) for path, file in names.items()}

    def _of(self, file: _File, rng: Random) -> bytes:
        content = bytearray(file.content)
        for change in _some(file.waiting, rng):
            if change.data is not None and rng.random() < _TORN:
                _tear(content, change.offset, change.data, rng)
            else:
                _change(content, change)
        return bytes(content)


def _some(changes: list[_T], rng: Random) -> list[_T]:
    """Return all data on its way, none, the first part, or any part."""
    way = rng.randrange(5)
    if way < 2:
        return changes if way else []
    if way == 2:
        return changes[: rng.randrange(len(changes) + 1)]
    share = rng.random()
    return [change for change in changes if rng.random() < share]


def _change(content: bytearray, change: _Change) -> None:
    if change.data is None:
        del content[change.offset :]
        content.extend(bytes(change.offset - len(content)))
    else:
        _put(content, change.offset, change.data)


def _put(content: bytearray, offset: int, data: bytes) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def _tear(content: bytearray, offset: int, data: bytes, rng: Random) -> None:
    """Let some sectors of a write arrive."""
    size = rng.choice(_SECTORS)
    at = 0
    while at < len(data):
        end = min(len(data), (offset + at) // size * size + size - offset)
        if rng.random() < 0.5:
            _put(content, offset + at, data[at:end])
        at = end


def _enter(names: dict[str, _File], entry: _Entry) -> None:
    """Change names, as far as they exist."""
    if entry.op == OPEN:
        assert entry.file is not None
        names[entry.path] = entry.file
    elif entry.path in names:
        if entry.op == LINK:
            names[entry.other] = names[entry.path]
        else:
            file = names.pop(entry.path)
            if entry.op == RENAME:
                names[entry.other] = file


def spilt(folder: Path, files: dict[str, bytes], rng: Random) -> None:
    """Write what was found to a folder; what only those who had it open knew, in shared memory, is anything."""
    for name, content in files.items():
        if name.endswith("-shm"):
            content = rng.choice((b"", bytes(len(content)), rng.randbytes(len(content))))
        (folder / name).write_bytes(content)
