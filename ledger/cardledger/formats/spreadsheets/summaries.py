"""Summaries: lines of a sheet that follow from those of the players: a mean, how many came, the most, the fewest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.headings import kind_of
from cardledger.formats.spreadsheets.matrices import MARKED, is_nothing
from cardledger.formats.spreadsheets.readings import number_of

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.cells import Cell

_LEAST: Final = 2
"""So many numbers that follow from others, each from so many, do so by chance hardly ever."""
_OF: Final[tuple[Callable[[Sequence[int]], float], ...]] = (len, sum, lambda points: sum(points) / len(points), max, min)


def is_summary(name: Cell | None, own: Sequence[Cell], others: Sequence[Sequence[Cell]]) -> bool:
    """Tell whether a line says of each number what follows from those of all others: always their mean, say.

    * name: what the line is called: a mean is one, whatever its numbers are
    * own: its cells
    * others: for each of them the cells of the other lines
    """
    if name is not None and kind_of(name.text) == "average":
        return True
    pairs = []
    for cell, cells in zip(own, others, strict=True):
        points = [number for each in cells if (number := number_of(each, MARKED)) is not None]
        if is_nothing(cell) and not points:
            continue
        if is_nothing(cell) or not points:
            return False
        pairs.append((cell, points))
    return (
        sum(number_of(cell, MARKED) != 0 for cell, _ in pairs) >= _LEAST
        and any(len(points) >= _LEAST for _, points in pairs)
        and any(all(_says(cell, of(points)) for cell, points in pairs) for of in _OF)
    )


def _says(cell: Cell, number: float) -> bool:
    """Tell whether a cell says a number, rounded to as many digits as it has."""
    text = cell.text.replace(",", ".").replace("−", "-")
    try:
        said = float(text)
    except ValueError:
        return False
    digits = min(len(text.partition(".")[2]), 10)
    return abs(said - number) <= 0.5 * 10**-digits + 1e-9
