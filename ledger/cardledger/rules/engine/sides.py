"""Sides: the partnerships of a match."""

from __future__ import annotations

from collections.abc import Sequence


def each_alone(n: int) -> tuple[int, ...]:
    """Each player plays alone."""
    return tuple(range(n))


def partners(n: int) -> tuple[int, ...]:
    """Players opposite each other are partners."""
    return tuple(seat % 2 for seat in range(n))


def sides_among(side: Sequence[int]) -> list[list[int]]:
    """Return the seats of each side, from the side of each seat; empty if each player plays alone.

    >>> sides_among((0, 1, 0, 1)), sides_among((0, 1, 2))
    ([[0, 2], [1, 3]], [])
    """
    sides = sorted(set(side))
    return [[seat for seat, own in enumerate(side) if own == one] for one in sides] if len(sides) < len(side) else []
