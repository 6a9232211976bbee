"""The hash chain: every event's SHA-256 covers the event before it in its match."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

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
