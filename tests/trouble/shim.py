"""The shim of shim.c: compiled once for all tests, and spoken to from within a process it was preloaded into."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import Struct

import pytest

SOURCE = Path(__file__).with_name("shim.c")
OPEN, WRITE, SYNC, TRUNCATE, UNLINK, RENAME, LINK, MARK = range(1, 9)
CREATED, EMPTIED, FOLDER = 1, 2, 4
_HEAD = Struct("<BBHHHIIQQ")


def compiled(folder: Path) -> Path:
    """Return the shared library; skips where there is nothing to compile it with, or fails where it has to be tried."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or sys.maxsize < 2**32 or compiler is None:
        missing = "C compiler (cc)" if sys.platform == "linux" else "Linux of 64 bits"
        if os.environ.get("REQUIRE_CC") == "1":
            pytest.fail(f"REQUIRE_CC is set, but there is no {missing}", pytrace=False)
        pytest.skip(f"calls are made to fail by a preloaded library: that takes a {missing}")
    library = folder / "shim.so"
    options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-U_FORTIFY_SOURCE", "-pthread"]
    subprocess.run([compiler, *options, "-o", library, SOURCE], check=True)
    return library


@dataclass(frozen=True, slots=True)
class Fault:
    """How a call fails: with which error; cut `short`, if it is a write; and all after it, too (`onward`)."""

    error: int
    short: bool = False
    onward: bool = False
    abrupt: bool = False
    """Whether the process is killed as soon as something has failed."""


class Shim:
    """The library that was preloaded into this process."""

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        """Watch a folder, and record all calls on it in `log`."""
        self._library = ctypes.CDLL(None)
        self._library.trouble_calls.restype = ctypes.c_long
        self._library.trouble_struck.restype = ctypes.c_char_p
        self._library.trouble_watch(os.fsencode(folder), os.fsencode(log) if log else None)

    def strike(self, call: int, fault: Fault) -> None:
        """Let a call fail, counted from now on; 0 lets none fail any more."""
        self._library.trouble_strike(ctypes.c_long(call), fault.error, fault.short, fault.onward)

    @property
    def calls(self) -> int:
        """How many calls there were since the last `strike`."""
        calls: int = self._library.trouble_calls()
        return calls

    @property
    def struck(self) -> str:
        """The first failure: number, call and file; empty if there is none."""
        return os.fsdecode(self._library.trouble_struck())

    def mark(self, said: str) -> None:
        """Add a remark to the record."""
        self._library.trouble_mark(said.encode())


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was written down: what, on which file (its number, its path), where in it, with what."""

    op: int
    flag: int
    file: int
    offset: int
    path: str
    other: str
    data: bytes


def read_log(path: Path) -> Iterator[Done]:
    """Yield the record in order."""
    content, at = path.read_bytes(), 0
    while at < len(content):
        op, flag, path_length, other_length, _, length, _, file, offset = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        parts = []
        for size in (path_length, other_length, length):
            parts.append(content[at : at + size])
            at += size
        yield Done(op, flag, file, offset, os.fsdecode(parts[0]), os.fsdecode(parts[1]), parts[2])
