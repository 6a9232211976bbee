"""The hashes of a growing Merkle tree as tiles.

Rows of 256 hashes of subtrees, one level for every eight of the tree.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from typing import Any

from cardledger.record.proofs import ProofError, merkle
from cardledger.record.proofs.merkle import Span
from cardledger.record.store.readers import Readable
from cardledger.sentence import advising

SCHEMA = (
    "CREATE TABLE tiles (level INTEGER NOT NULL, number INTEGER NOT NULL, "
    "hashes BLOB NOT NULL, PRIMARY KEY (level, number))"
)
"""Tile `number` of level 0 holds the leaves from 256 × `number` on.

Each entry of the next level is above a full tile.
"""
_HASH = 32
_HEIGHT = 8
WIDTH = 1 << _HEIGHT
"""Number of hashes in a full tile."""


class Tiles:
    """A tree of a given size, read from its tiles; for short use, because it caches the tiles it reads."""

    def __init__(self, db: Readable, size: int) -> None:
        self.size = size
        self.db = db
        self._read: dict[Span, bytes] = {}

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the tree, now or at an earlier size; raises ProofError `proofs.tree`."""
        size = self.size if size is None else size
        return self._hash((0, size)) if size else merkle.EMPTY

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree of a given size; raises ProofError `proofs.tree`."""
        return [self._hash(span) for span in merkle.inclusion(index, size)]

    def inclusions(self, indices: Sequence[int], size: int) -> list[bytes]:
        """Return the proof that some leaves, in ascending order, are in the tree of a given size.

        Raises ProofError `proofs.tree`.
        """
        return [self._hash(span) for span in merkle.inclusions(indices, size)]

    def consistency(self, first: int, size: int) -> list[bytes]:
        """Return the proof that the tree at one size begins with that of another; raises ProofError `proofs.tree`."""
        return [self._hash(span) for span in merkle.consistency(first, size)]

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf; raises ProofError `proofs.tree`."""
        return self._hash((index, index + 1))

    def add(self, leaves: Sequence[bytes]) -> None:
        """Add leaves in the current transaction; only the right edge of each level is written."""
        level, held, new = 0, self.size, leaves
        self.size += len(leaves)
        while new:
            number, at = divmod(held, WIDTH)
            row = (self._tile(level, number)[: at * _HASH] if at else b"") + b"".join(new)
            above = []
            for start in range(0, len(row), WIDTH * _HASH):
                hashes = row[start : start + WIDTH * _HASH]
                self.db.execute("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?)", (level, number, hashes))
                if len(hashes) == WIDTH * _HASH:
                    above.append(merkle.top(_split(hashes)))
                number += 1
            level, held, new = level + 1, held // WIDTH, above
        self._read.clear()

    def _hash(self, span: Span) -> bytes:
        """Return the hash above a span of the tree, from its full subtrees, the largest first."""
        start, end = span
        if (end - start).bit_count() > 1:
            middle = merkle.split(span)
            return merkle.node_hash(self._hash((start, middle)), self._hash((middle, end)))
        level, height = divmod((end - start).bit_length() - 1, _HEIGHT)
        number, at = divmod(start >> level * _HEIGHT, WIDTH)
        hashes = self._tile(level, number)[at * _HASH : (at + (1 << height)) * _HASH]
        if len(hashes) != _HASH << height:
            raise damaged()
        return merkle.top(_split(hashes))

    def _tile(self, level: int, number: int) -> bytes:
        if (level, number) not in self._read:
            asked = "SELECT hashes FROM tiles WHERE level = ? AND number = ?"
            row = self.db.execute(asked, (level, number)).fetchone()
            if row is None or not isinstance(row[0], bytes):
                raise damaged()
            self._read[level, number] = row[0]
        return self._read[level, number]


def stored_leaves(db: Readable) -> Generator[bytes]:
    """Yield the hashes of all leaves in order."""
    for (hashes,) in typed_rows(db, (bytes,), "SELECT hashes FROM tiles WHERE level = 0 ORDER BY number"):
        yield from _split(hashes)


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[start : start + _HASH] for start in range(0, len(hashes), _HASH)]


def typed_rows(
    db: Readable, types: tuple[type, ...], asked: str, values: Sequence[object] = ()
) -> Generator[tuple[Any, ...]]:
    """Yield the rows of a query; raises sqlite3.DatabaseError for a value of another type.

    SQLite does not notice every damage to a file: it can read NULL from a column that holds numbers.
    """
    for row in db.execute(asked, values):
        if tuple(map(type, row)) != types:
            raise sqlite3.DatabaseError(f"a row of the tree has wrong values: {asked}")
        yield row


def damaged() -> ProofError:
    """Return the error for a tree file with missing data."""
    return ProofError(
        "proofs.tree", advising("the file of the tree is damaged; delete it, and it will be rebuilt from the ledger")
    )
