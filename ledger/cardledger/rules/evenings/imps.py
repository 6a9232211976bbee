"""International match points (Law 78B): cross-IMPs, Butler, and victory points."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

from cardledger.errors import FormatError
from cardledger.rules.evenings.awards import Weights, against_others, mean
from cardledger.rules.evenings.rounding import Number, exact, rounded
from cardledger.sentence import Sentence

STEPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
"""The differences in points from which on there is one more IMP."""


def imps(difference: int) -> int:
    """Return the IMPs for a difference in points.

    >>> [imps(points) for points in (10, 20, 40, 50, 430, 3990, 4000, -430)]
    [0, 1, 1, 2, 10, 23, 24, -10]
    """
    steps = bisect_right(STEPS, abs(difference))
    return steps if difference >= 0 else -steps


def cross_imps(
    awards: Sequence[Weights], divisor: Literal["results-1", "results", "none"] = "results-1"
) -> list[Fraction]:
    """Return the IMPs of a line against every other result of the board, divided as the scoring says; alone: 0."""
    by = {"results-1": max(1, len(awards) - 1), "results": len(awards), "none": 1}[divisor]
    return [total / by for total in against_others(awards, imps)]


def datum(awards: Sequence[Weights], drop: int = 1, unit: int = 10, halves: Literal["away", "zero"] = "away") -> int:
    """Return the mean of the results without the `drop` highest and lowest, to the nearest `unit` points.

    Nothing is dropped if nothing would be left.
    """
    scores = sorted(mean(award) for award in awards)
    counted = scores[drop : len(scores) - drop] if len(scores) > 2 * drop else scores
    return int(rounded(sum(counted, Fraction(0)) / len(counted), unit, halves))


def butler(
    awards: Sequence[Weights], drop: int = 1, unit: int = 10, halves: Literal["away", "zero"] = "away"
) -> list[Fraction]:
    """Return the IMPs of a line against the datum of the board.

    >>> [int(won) for won in butler([certain(score) for score in (420, -50, 450, 420, 170, -100)])]
    [5, -7, 5, 5, -2, -8]
    """
    par = datum(awards, drop, unit, halves) if awards else 0
    return [sum((share * imps(score - par) for share, score in award), Fraction(0)) for award in awards]


def victory_points(
    margin: Number, boards: int, table: Sequence[float | int] | None = None
) -> tuple[Fraction, Fraction]:
    """Return the victory points of the winner and the loser of a match, 20 together, to two decimals.

    The continuous scale of the World Bridge Federation; a printed `table`, by IMPs from 0 on, goes before it. A margin
    below 0 is that of the loser, who comes first then. Raises FormatError `format.value` for a match of no boards.
    """
    if boards < 1:
        raise FormatError("format.value", Sentence("victory points need a match of 1 board or more"))
    size = abs(Fraction(margin))
    if table:
        more = exact(table[min(int(rounded(size)), len(table) - 1)])
    else:
        with localcontext() as context:
            context.prec = 40
            golden = (Decimal(5).sqrt() - 1) / 2
            share = Decimal(size.numerator) / size.denominator / (15 * Decimal(boards).sqrt())
            won = min(Decimal(20), 10 + 10 * (1 - golden ** (3 * share)) / (1 - golden**3))
        more = rounded(Fraction(won), Fraction(1, 100))
    less = 20 - more
    return (more, less) if margin >= 0 else (less, more)
