"""Readers for tests of reading apart: another process loads them from here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from cardledger.errors import FormatError


def lines(file: BinaryIO, *given: Any, **more: Any) -> Iterator[object]:
    """Yield the lines of a file, and what was given with it."""
    yield from file
    yield given, more


def endless(_file: BinaryIO, *_given: Any, **_more: Any) -> Iterator[object]:
    """Begin with an item, and never come back from a pattern."""
    yield "begun"
    yield re.fullmatch("(a+)+b", "a" * 60)


def never(_file: BinaryIO, *_given: Any, **_more: Any) -> object:
    """Never come back from a pattern."""
    return re.fullmatch("(a+)+b", "a" * 60)


def greedy(_file: BinaryIO) -> Iterator[object]:
    """Take a hundred gigabytes."""
    yield len([bytes(100_000_000) for _ in range(1000)])


def refusing(_file: BinaryIO) -> Iterator[object]:
    """Refuse the file after an item."""
    yield "begun"
    raise FormatError("format.size", "it is too long")


def broken(_file: BinaryIO) -> Iterator[object]:
    """Fail with an error that no process can send."""
    raise ValueError(lambda: 1)
    yield


def killed(_file: BinaryIO) -> Iterator[object]:
    """End as a process ends that the system kills."""
    os._exit(9)
    yield
