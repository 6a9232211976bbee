"""The hash chain: every event's SHA-256 covers the event before it in its match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.store.sqlite_errors import UNREADABLE

if TYPE_CHECKING:
    from cardledger.record.store import EventStore, Stored

START = bytes(32)
"""The hash before the first event of a match."""


def link(before: bytes, line: str) -> bytes:
    """Return the hash of an event: SHA-256 over the hash before it and its canonical line in UTF-8."""
    return sha256(before + line.encode()).digest()


def chain(before: bytes, lines: Iterable[str]) -> list[tuple[str, bytes]]:
    """Return lines with their hashes, chained to the hash before them."""
    linked = []
    for line in lines:
        before = sha256(before + line.encode()).digest()
        linked.append((line, before))
    return linked


def head(before: bytes, lines: Iterable[str]) -> bytes:
    """Return the hash of the last of some lines, chained to the hash before them; raises StoreError `store.line`."""
    try:
        for line in lines:
            before = sha256(before + line.encode()).digest()
    except AttributeError:  # a damaged file gives numbers or bytes instead of text
        raise StoreError("store.line", "a line is not text") from None
    return before


def unbroken(rows: Iterable[Stored], before: bytes = START, seq: int = 0) -> Iterator[Stored]:
    """Yield the events of a match as long as they are complete and unchanged.

    Those after `seq`, whose hash is `before`.

    Raises StoreError `store.gap`, `store.hash` with the place of the first that does not fit as `index`.
    """
    for index, row in enumerate(rows, seq):
        if row.seq != index + 1:
            raise StoreError("store.gap", f"event {index + 1} is missing", index)
        if not isinstance(row.line, str) or link(before, row.line) != row.hash:
            raise StoreError("store.hash", "the event is not the stored one, or not in its place", index)
        before = row.hash
        yield row


def expect_unbroken(rows: Sequence[Stored]) -> Sequence[str]:
    """Return the lines of a whole match.

    Raises StoreError `store.gap`, `store.hash` as `unbroken` does, in less time but without the place.
    """
    _, _, seqs, lines, hashes = zip(*rows, strict=True)
    if seqs != (*range(1, len(rows) + 1),):
        raise StoreError("store.gap", "an event is missing")
    before = START
    try:
        for line, hash in zip(lines, hashes, strict=True):
            before = sha256(before + line.encode()).digest()
            if before != hash:
                raise StoreError("store.hash", "an event is not the stored one, or not in its place")
    except AttributeError:  # as in `head`
        raise StoreError("store.line", "a line is not text") from None
    return lines


def as_stored(store: EventStore, match: str, after: int = 0, before: bytes = START) -> list[Stored]:
    """Return the events of a match after one with a known hash, each as it was stored.

    Raises StoreError `store.gap`, `store.hash`, `store.damaged`.
    """
    try:
        return [*unbroken(store.read(match, after), before, after)]
    except UNREADABLE as error:
        raise StoreError("store.damaged", f"match {match} cannot be read: {error}") from None
