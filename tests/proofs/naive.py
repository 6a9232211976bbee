"""Merkle trees word by word as RFC 9162, section 2.1, defines them: slow, and like nothing in the program."""

from __future__ import annotations

from hashlib import sha256


def left_of(n: int) -> int:
    """Return the largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def mth(d: list[bytes]) -> bytes:
    """MTH({d(0), …}): the root."""
    if not d:
        return sha256(b"").digest()
    if len(d) == 1:
        return sha256(b"\x00" + d[0]).digest()
    k = left_of(len(d))
    return sha256(b"\x01" + mth(d[:k]) + mth(d[k:])).digest()


def path(m: int, d: list[bytes]) -> list[bytes]:
    """PATH(m, D_n): the inclusion proof of entry m."""
    if len(d) == 1:
        return []
    k = left_of(len(d))
    return [*path(m, d[:k]), mth(d[k:])] if m < k else [*path(m - k, d[k:]), mth(d[:k])]


def subproof(m: int, d: list[bytes], b: bool) -> list[bytes]:
    """SUBPROOF(m, D_n, b)."""
    if m == len(d):
        return [] if b else [mth(d)]
    k = left_of(len(d))
    return [*subproof(m, d[:k], b), mth(d[k:])] if m <= k else [*subproof(m - k, d[k:], False), mth(d[:k])]


def proof(m: int, d: list[bytes]) -> list[bytes]:
    """PROOF(m, D_n): the consistency proof from size m."""
    return subproof(m, d, True)
