"""The text of a file in lines, however long the file and however hostile."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, Final, cast

MAX_LINE: Final = 400_000
"""The greatest length of a line; of a longer one only the beginning is read."""
_BLOCK = 1 << 16
_MOST_WAITING = 1 << 18
_IN_MEMORY = 4 << 20


@contextmanager
def read_twice(file: BinaryIO) -> Iterator[BinaryIO]:
    """Give a file that can be read twice: itself, or a copy of what a stream sends."""
    if file.seekable():
        yield file
        return
    with SpooledTemporaryFile(_IN_MEMORY) as spool:
        shutil.copyfileobj(file, spool)
        spool.seek(0)
        yield cast("BinaryIO", spool)


def blocks_of(file: BinaryIO, encoding: str, begins: str) -> Iterator[tuple[int, str]]:
    """Yield the text of a file in blocks of whole lines, each with the number of its first line.

    A line that begins with `begins` begins a block. Of a line that is too long only the beginning is in its block.
    """
    text = io.TextIOWrapper(cast("IO[bytes]", OpenFile(file)), encoding, errors="replace", newline=None)
    number, waiting, lost, mark = 1, "", False, f"\n{begins}"
    while chunk := text.read(_BLOCK):
        if number == 1 and not waiting:
            chunk = chunk.removeprefix("\ufeff").removeprefix("\u00ef\u00bb\u00bf")
        if lost:
            _, ended, chunk = chunk.partition("\n")
            if not ended:
                continue
            lost, number = False, number + 1
        waiting += chunk
        start = 0
        while (end := waiting.find(mark, start) + 1) > 0:
            yield number, waiting[start:end]
            number += waiting.count("\n", start, end)
            start = end
        waiting = waiting[start:]
        if len(waiting) > _MOST_WAITING and (end := waiting.rfind("\n") + 1):
            yield number, waiting[:end]
            number += waiting.count("\n", 0, end)
            waiting = waiting[end:]
        if len(waiting) > MAX_LINE:
            yield number, waiting
            waiting, lost = "", True
    if waiting:
        yield number, waiting


class OpenFile(io.RawIOBase):
    """A file that stays open when the text around it is closed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read into a buffer."""
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
