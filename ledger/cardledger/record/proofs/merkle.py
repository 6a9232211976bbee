"""Merkle trees as in RFC 9162, section 2.1: how nodes are hashed, and which hashes make a proof."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""

Span = tuple[int, int]
"""A range of leaves, from one index up to but not including another."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def top(hashes: Sequence[bytes]) -> bytes:
    """Return the hash above subtrees of equal size; their number is a power of two."""
    while len(hashes) > 1:
        hashes = [node_hash(hashes[place], hashes[place + 1]) for place in range(0, len(hashes), 2)]
    return hashes[0]


def split(span: Span) -> int:
    """Return the index at which a span of at least two leaves is split.

    The left part is the largest possible power of two.
    """
    start, end = span
    return start + (1 << (end - start - 1).bit_length() - 1)


def inclusion(index: int, size: int) -> list[Span]:
    """Return the spans whose hashes prove a leaf to be in a tree of `size` leaves (section 2.1.3.1)."""
    spans, around = [], (0, size)
    while around[1] - around[0] > 1:
        middle = split(around)
        left, right = (around[0], middle), (middle, around[1])
        around, beside = (left, right) if index < middle else (right, left)
        spans.append(beside)
    return spans[::-1]


def inclusions(indices: Sequence[int], size: int) -> list[Span]:
    """Return the spans whose hashes prove together that some leaves, in ascending order, are in a tree of `size` leaves.

    They are the largest subtrees without any of these leaves; each comes after the spans in its sibling. For a single
    leaf they are its proof of inclusion.
    """
    spans: list[Span] = []

    def visit(span: Span, first: int, last: int) -> None:
        """Collect the spans beside the leaves numbered `first` up to but not including `last` in the list."""
        if span[1] - span[0] > 1:
            middle = split(span)
            halves = (span[0], middle), (middle, span[1])
            between = bisect_left(indices, middle, first, last)
            ranges = (first, between), (between, last)
            for half, (start, end) in zip(halves, ranges, strict=True):
                if start < end:
                    visit(half, start, end)
            spans.extend(half for half, (start, end) in zip(halves, ranges, strict=True) if start == end)

    visit((0, size), 0, len(indices))
    return spans


def consistency(first: int, size: int) -> list[Span]:
    """Return the spans whose hashes prove that a tree of `size` leaves begins with one of `first` (section 2.1.4.1).

    Both are at least 1, and `first` is not beyond `size`.
    """
    spans, around = [], (0, size)
    while around[1] != first:
        middle = split(around)
        left, right = (around[0], middle), (middle, around[1])
        around, beside = (left, right) if first <= middle else (right, left)
        spans.append(beside)
    # The verifier already has the root of the smaller tree, but not the hashes of its parts.
    return [*([] if around == (0, first) else [around]), *spans[::-1]]


def goes_on(first: tuple[int, bytes], second: tuple[int, bytes], proof: Sequence[bytes]) -> bool:
    """Tell whether a proof of consistency leads from the size and root of a tree to those of a later one (section 2.1.4.2)."""
    (size, root), (later, later_root) = first, second
    if not 0 <= size <= later:
        return False
    if size in (0, later):
        return not proof and (size < later or root == later_root)
    hashes = iter(proof)

    def roots(size: int, later: int, whole: bool) -> tuple[bytes, bytes]:
        """Return the roots at both sizes; the earlier one is given if it is a `whole` left part of the tree."""
        if size == later:
            return (root if whole else next(hashes, b""),) * 2
        middle = split((0, later))
        if size <= middle:
            before, after = roots(size, middle, whole)
            return before, node_hash(after, next(hashes, b""))
        before, after = roots(size - middle, later - middle, whole=False)
        left = next(hashes, b"")
        return node_hash(left, before), node_hash(left, after)

    return roots(size, later, whole=True) == (root, later_root) and next(hashes, None) is None


class Frontier:
    """The right edge of a tree that grows leaf by leaf: the hashes of its full subtrees, the largest first."""

    def __init__(self) -> None:
        self.size = 0
        self._hashes: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        carried = self.size
        while carried & 1:
            leaf = node_hash(self._hashes.pop(), leaf)
            carried >>= 1
        self._hashes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root of the tree so far."""
        if not self._hashes:
            return EMPTY
        *lefts, root = self._hashes
        for left in reversed(lefts):
            root = node_hash(left, root)
        return root
