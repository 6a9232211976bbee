"""XML in blocks that a parser reads once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

_FIRST = 1 << 16


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a file in blocks, each twice as long as the one before.

    Expat before 2.6 begins a name or a value that does not end in a block again with the next one: with blocks of one
    length, a long value takes the square of its length.
    """
    size = _FIRST
    while block := file.read(size):
        yield block
        size *= 2
