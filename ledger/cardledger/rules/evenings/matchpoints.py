"""Matchpoints: each result of a board against every other one (Law 78A), and fields of different sizes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cardledger.rules.evenings.awards import Weights, against_others

SMALL_GROUPS = {1: (60,), 2: (65, 55), 3: (70, 60, 50)}
"""Percentages, best first, of a group too small to be compared by itself on a fouled board."""


def matchpoints(awards: Sequence[Weights]) -> list[Fraction]:
    """Return the matchpoints of a line: 2 for every lower result, 1 for every equal one; the top is 2(n - 1).

    >>> from cardledger.rules.evenings.awards import certain
    >>> [int(points) for points in matchpoints([certain(score) for score in (420, -50, 450, 420, 170, -100)])]
    [7, 2, 10, 7, 4, 0]
    """
    return against_others(awards, lambda difference: 1 + (difference > 0) - (difference < 0))


def neuberg(points: Fraction, results: int, field: int) -> Fraction:
    """Return matchpoints from a board with few results as they count in a field of more, by Neuberg's formula.

    `(m + 1) * N / n - 1`: of 4 results in a field of 5, 5 and 0 points become 6.5 and 0.25.
    """
    return (points + 1) * Fraction(field, results) - 1


def percentile(points: Fraction, results: int) -> Fraction:
    """Return 100 (m + 1) / 2n: the share of the field below a result, in percent, for fields of any size."""
    return 100 * (points + 1) / (2 * results)


def small_group(points: Sequence[Fraction], field: int) -> list[Fraction]:
    """Return the matchpoints of a group of 1 to 3 on a fouled board: 60 %; 65 and 55 %; 70, 60 and 50 % of the top.

    Equal results share the percentages of their places.
    """
    percents, top = SMALL_GROUPS[len(points)], 2 * (field - 1)
    shares = []
    for mine in points:
        above, equal = sum(other > mine for other in points), points.count(mine)
        shares.append(Fraction(sum(percents[above : above + equal]), equal) * top / 100)
    return shares


def in_field(awards: Sequence[Weights], field: int, small: bool = False) -> list[Fraction]:
    """Return the matchpoints of a group of results as they count in a field.

    `small` if small groups have percentages.
    """
    points = matchpoints(awards)
    if small and len(points) in SMALL_GROUPS:
        return small_group(points, field)
    return [neuberg(mine, len(points), field) for mine in points]
