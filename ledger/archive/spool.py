"""A spool: matches laid aside in a temporary file, to be taken up in the order of their positions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Self

import numpy as np

from ledger.archive.columns import arrow
from ledger.store import Recording


class Spool:
    """Any number of matches in little memory: 32 bytes a match."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._codec = arrow().Codec("lz4")
        self._matches = array("q")  # position, where it begins in the file, its bytes there and before

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, recording: Recording) -> None:
        """Lay a match aside; its lines hold no line break."""
        text = "\n".join((recording.match, recording.hash.hex(), *recording.lines)).encode()
        packed = self._codec.compress(text, asbytes=True)
        self._matches.extend((recording.position, self._file.tell(), len(packed), len(text)))
        self._file.write(packed)

    def take(self) -> Iterator[Recording]:
        """Yield the matches in the order of their positions."""
        index = np.frombuffer(self._matches, dtype=np.int64).reshape(-1, 4)
        for row in np.argsort(index[:, 0], kind="stable"):
            position, start, size, length = index[row].tolist()
            self._file.seek(start)
            text = self._codec.decompress(self._file.read(size), length, asbytes=True).decode()
            match, digest, *lines = text.split("\n")
            yield Recording(match, position, lines, bytes.fromhex(digest))
