"""The hashes of a growing Merkle tree as tiles: rows of 256 hashes of subtrees, a level for every eight of the tree."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence

from ledger.proofs import ProofError, merkle
from ledger.proofs.merkle import Span

SCHEMA = "CREATE TABLE tiles (level INTEGER NOT NULL, number INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, number))"
"""Tile `number` of level 0 holds leaves from 256 × `number` on; of each next level, what stands above a full tile."""
_HASH = 32
_HEIGHT = 8
WIDTH = 1 << _HEIGHT
"""Hashes of a full tile."""


class Tiles:
    """A tree of so many leaves, as tiles hold it, for a question or two: tiles read are kept at hand."""

    def __init__(self, db: sqlite3.Connection, size: int) -> None:
        self.size = size
        self._db = db
        self._read: dict[Span, bytes] = {}

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the tree, or as it was at an earlier size; raises ProofError `proofs.tree`."""
        size = self.size if size is None else size
        return self._hash((0, size)) if size else merkle.EMPTY

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree as it was at a size; raises ProofError `proofs.tree`."""
        return [self._hash(span) for span in merkle.inclusion(index, size)]

    def consistency(self, first: int, size: int) -> list[bytes]:
        """Return the proof that the tree at one size begins with that of another; raises ProofError `proofs.tree`."""
        return [self._hash(span) for span in merkle.consistency(first, size)]

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf; raises ProofError `proofs.tree`."""
        return self._hash((index, index + 1))

    def add(self, leaves: Sequence[bytes]) -> None:
        """Add leaves, within the transaction under way: only the right edge of each level is written."""
        level, held, new = 0, self.size, leaves
        self.size += len(leaves)
        while new:
            number, at = divmod(held, WIDTH)
            row = (self._tile(level, number)[: at * _HASH] if at else b"") + b"".join(new)
            above = []
            for start in range(0, len(row), WIDTH * _HASH):
                hashes = row[start : start + WIDTH * _HASH]
                self._db.execute("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?)", (level, number, hashes))
                if len(hashes) == WIDTH * _HASH:
                    above.append(merkle.top(_split(hashes)))
                number += 1
            level, held, new = level + 1, held // WIDTH, above
        self._read.clear()

    def _hash(self, span: Span) -> bytes:
        """Return the hash above a span as trees have it: full subtrees side by side, the largest first."""
        start, end = span
        if (end - start).bit_count() > 1:
            middle = merkle.split(span)
            return merkle.node_hash(self._hash((start, middle)), self._hash((middle, end)))
        level, rest = divmod((end - start).bit_length() - 1, _HEIGHT)
        number, at = divmod(start >> level * _HEIGHT, WIDTH)
        hashes = self._tile(level, number)[at * _HASH : (at + (1 << rest)) * _HASH]
        if len(hashes) != _HASH << rest:
            raise damaged()
        return merkle.top(_split(hashes))

    def _tile(self, level: int, number: int) -> bytes:
        if (level, number) not in self._read:
            asked = "SELECT hashes FROM tiles WHERE level = ? AND number = ?"
            row = self._db.execute(asked, (level, number)).fetchone()
            if row is None or not isinstance(row[0], bytes):
                raise damaged()
            self._read[level, number] = row[0]
        return self._read[level, number]


def stored_leaves(db: sqlite3.Connection) -> Generator[bytes]:
    """Yield the hashes of all leaves in order."""
    for (hashes,) in db.execute("SELECT hashes FROM tiles WHERE level = 0 ORDER BY number"):
        yield from _split(hashes)


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[start : start + _HASH] for start in range(0, len(hashes), _HASH)]


def damaged() -> ProofError:
    """Return the error for a file of the tree in which something is lacking."""
    return ProofError("proofs.tree", "the file of the tree is damaged; it follows from the ledger and may be deleted")
