"""What a side gets for a board before it is compared: a score, a weighted score of a ruling, or a percentage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

Weights = tuple[tuple[Fraction, int], ...]
"""Scores with their shares, which add up to 1: a plain score has the share 1; a ruling may weigh several (L12C1c)."""


class Artificial(NamedTuple):
    """An artificial adjusted score: a percentage in place of a result (L12C2)."""

    percent: Fraction


Award = Weights | Artificial
"""What a side gets for a board."""


class BoardRow(NamedTuple):
    """The result of a board at one table: awards in points for north-south, as they count for each of the two lines.

    Without a ruling both are the same. `group` separates tables that played other cards under the number of the board.
    """

    ns: Award
    ew: Award
    group: int = 0


def certain(score: int) -> Weights:
    """Return a plain score as an award."""
    return ((Fraction(1), score),)


def plain(score: int, group: int = 0) -> BoardRow:
    """Return the row of a result without a ruling, in points for north-south."""
    return BoardRow(certain(score), certain(score), group)


def turned(award: Award) -> Award:
    """Return an award seen from the other line."""
    return award if isinstance(award, Artificial) else tuple((share, -score) for share, score in award)


def mean(award: Weights) -> Fraction:
    """Return the weighted mean of the scores of an award."""
    return sum((share * score for share, score in award), Fraction(0))


def against(one: Weights, other: Weights, value: Callable[[int], int]) -> Fraction:
    """Return what one award is worth against another: `value` of each difference, weighted by both shares."""
    return sum((p * q * value(a - b) for p, a in one for q, b in other), Fraction(0))


def against_others(awards: Sequence[Weights], value: Callable[[int], int]) -> list[Fraction]:
    """Return for each award the sum of what it is worth against every other."""
    return [
        sum((against(one, other, value) for at, other in enumerate(awards) if at != place), Fraction(0))
        for place, one in enumerate(awards)
    ]
