"""Places at a table, and points for them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cardledger.rules.evenings.rounding import Number


def places(points: Sequence[Number], low: bool = False) -> tuple[int, ...]:
    """Return the place of each seat, most points first, or fewest if `low`; the next place counts all before it.

    >>> places([20, 15, 15, 3])
    (1, 2, 2, 4)
    """
    return tuple(1 + sum(other < mine if low else other > mine for other in points) for mine in points)


def shared(places: Sequence[int], points: Sequence[Number]) -> list[Fraction]:
    """Return the points by seat: those of the same place share the sum of theirs equally.

    A place beyond the list gets 0.

    >>> [str(mine) for mine in shared((1, 2, 2, 4), (4, 3, 2, 1))]
    ['4', '5/2', '5/2', '1']
    """
    return [
        Fraction(sum(points[place - 1 : place - 1 + places.count(place)])) / places.count(place) for place in places
    ]


def scaled(places: Sequence[int]) -> list[Fraction]:
    """Return (n - place) / (n - 1) by seat, so that tables of different sizes compare.

    1 for the first, 0 for the last.
    """
    n = len(places)
    return shared(places, [Fraction(n - place, max(1, n - 1)) for place in range(1, n + 1)])
