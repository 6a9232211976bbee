"""Numbers as they are printed: exact fractions inside, halves away from zero at the end."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

Number = Fraction | int
"""Points are exact: a fraction or a whole number, never a float."""


def rounded(value: Number, step: Number = 1, halves: Literal["away", "zero"] = "away") -> Fraction:
    """Return a value to the nearest multiple of a step; exact halves go away from zero, or toward it.

    >>> [int(rounded(value, 10)) for value in (235, -35, -445)], int(rounded(235, 10, "zero"))
    ([240, -40, -450], 230)
    """
    whole, over = divmod(abs(Fraction(value)) / step, 1)
    up = over > Fraction(1, 2) or (over == Fraction(1, 2) and halves == "away")
    size = (whole + up) * Fraction(step)
    return size if value >= 0 else -size


def printed(value: Number, decimals: int = 2) -> str:
    """Return a value with a number of decimals, halves away from zero; a zero has no sign.

    >>> printed(Fraction(1, 3)), printed(Fraction(-5, 1000)), printed(Fraction(1, 8), 0)
    ('0.33', '-0.01', '0')
    """
    scaled = int(rounded(Fraction(value) * 10**decimals))
    whole, fraction = divmod(abs(scaled), 10**decimals)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{fraction:0{decimals}d}" if decimals else f"{sign}{whole}"


def exact(number: float | int) -> Fraction:
    """Return the fraction that a number stands for as it is written: 0.1 is a tenth."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
