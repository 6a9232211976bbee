"""Summaries: lines of a sheet that follow from those of the players: a mean, how many came, the most, the fewest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.headings import kind_of
from cardledger.formats.spreadsheets.matrices import MARKED, is_nothing
from cardledger.formats.spreadsheets.readings import number_of

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.cells import Cell
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper

_LEAST: Final = 2
"""So many numbers that follow from others, each from so many, do so by chance hardly ever."""
MOST_SUMMARIES: Final = 6
"""So many lines at the end are looked at: a sheet has one of each kind."""
_OF: Final[tuple[Callable[[Sequence[int]], float], ...]] = (len, lambda points: sum(points) / len(points), max, min)


def is_summary(name: Cell | None, own: Sequence[Cell], others: Sequence[Sequence[Cell]]) -> bool:
    """Tell whether a line says of each number what follows from those of all others: always their mean, say.

    * name: what the line is called: a mean is one, whatever its numbers are; sums of players are not asked for here.
      None for a line beside the totals, where sums count too
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
    if all(_says(cell, sum(points)) for cell, points in pairs):
        return name is None and len(pairs) >= _LEAST
    return (
        sum(number_of(cell, MARKED) != 0 for cell, _ in pairs) >= _LEAST
        and any(len(points) >= _LEAST for _, points in pairs)
        and any(all(_says(cell, of(points)) for cell, points in pairs) for of in _OF)
    )


def take_summaries(table: TableOnPaper) -> Iterator[Cell]:
    """Take last lines that say a mean from the players of a table, and yield their cells.

    Numbers alone say nothing here: of few hands partners have the same, and so have others by chance.
    """
    while table.players and kind_of(table.players[-1].name.text) == "average":
        player, last = table.players.pop(), len(table.players)
        yield from filter(None, (player.name, player.seat, player.total, player.place))
        for hand in table.hands.values():
            if last in hand.points:
                yield hand.points.pop(last)


def _says(cell: Cell, number: float) -> bool:
    """Tell whether a cell says a number, rounded to as many digits as it has."""
    text = cell.text.replace(",", ".").replace("−", "-")
    try:
        said = float(text)
    except ValueError:
        return False
    digits = min(len(text.partition(".")[2]), 10)
    return abs(said - number) <= 0.5 * 10.0**-digits + 1e-9
