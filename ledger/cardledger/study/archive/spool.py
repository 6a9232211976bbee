"""A spool: matches in a temporary file, read back in the order of their positions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Self

import msgspec
import numpy as np

from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.record.store import Recording


class Spool:
    """Any number of matches in little memory: 32 bytes a match."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._codec = arrow().Codec("lz4")
        self._matches = array("q")  # position, offset in the file, size in the file and unpacked

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, recording: Recording) -> None:
        """Lay a match aside."""
        plain = msgspec.msgpack.encode(recording)
        packed = self._codec.compress(plain, asbytes=True)
        self._matches.extend((recording.position, self._file.tell(), len(packed), len(plain)))
        self._file.write(packed)

    def take(self) -> Iterator[Recording]:
        """Yield the matches in the order of their positions."""
        index = np.frombuffer(self._matches, dtype=np.int64).reshape(-1, 4)
        for row in np.argsort(index[:, 0], kind="stable"):
            _, start, size, length = index[row].tolist()
            self._file.seek(start)
            plain = self._codec.decompress(self._file.read(size), length, asbytes=True)
            yield msgspec.msgpack.decode(plain, type=Recording)
