"""The hash chain: every event's SHA-256 covers the event before it in its match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.errors import StoreError

if TYPE_CHECKING:
    from ledger.store import Stored

START = bytes(32)
"""What the first event of a match is chained to."""


def link(before: bytes, line: str) -> bytes:
    """Return the hash of an event: SHA-256 over the hash before it and its canonical line in UTF-8."""
    return sha256(before + line.encode()).digest()


def chain(before: bytes, lines: Iterable[str]) -> list[tuple[str, bytes]]:
    """Return lines with their hashes, chained to the hash before them."""
    linked = []
    for line in lines:
        before = link(before, line)
        linked.append((line, before))
    return linked


def unbroken(rows: Iterable[Stored]) -> Iterator[Stored]:
    """Yield the events of a match as long as they are all there and as stored.

    Raises StoreError `store.gap`, `store.hash` with the place of the first that does not fit as `index`.
    """
    before = START
    for index, row in enumerate(rows):
        if row.seq != index + 1:
            raise StoreError("store.gap", f"event {index + 1} is missing", index)
        if link(before, row.line) != row.hash:
            raise StoreError("store.hash", "the event is not what was stored, or not where", index)
        before = row.hash
        yield row
