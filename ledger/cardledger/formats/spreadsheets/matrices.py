"""Matrices: names in one line of a sheet, days in the other, and what stands where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem
from cardledger.formats.spreadsheets.headings import adds_up, facts_of, hand_of, kind_of
from cardledger.formats.spreadsheets.readings import Reading, may_be_number, number_of
from cardledger.sentence import Sentence

Line = Sequence[Cell]
MARKED: Final = Reading(marks=True)
"""Numbers with marks, in brackets perhaps."""
NOTHING: Final = frozenset("-–—./")
"""What people write where there is no number."""
_TRIED: Final = 3
"""So many lines of a region may be its headings."""
_NEAR: Final = 20
"""Below headings a name stands within so many lines."""


@dataclass
class Matrix:
    """A part of a sheet: its first row and the one after its last, and its cells by the places of players and days.

    `totals` and `ranks` are those of players over all days, `sums` those of all players on a day, and `total` the sum
    of all. `facts` are what the sheet says of a day, each with its heading. `beside` are the cells of players in other
    columns, which have `headings`. `read` are cells that are read besides.
    """

    top: int
    end: int
    names: list[Cell] = field(default_factory=list)
    days: list[Cell] = field(default_factory=list)
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    totals: dict[int, Cell] = field(default_factory=dict)
    ranks: dict[int, Cell] = field(default_factory=dict)
    sums: dict[int, Cell] = field(default_factory=dict)
    total: Cell | None = None
    facts: dict[int, list[tuple[Cell, Cell]]] = field(default_factory=dict)
    beside: dict[int, dict[int, Cell]] = field(default_factory=dict)
    headings: dict[int, Cell] = field(default_factory=dict)
    read: list[Cell] = field(default_factory=list)

    def filled(self) -> Iterator[tuple[int, int, Cell]]:
        """Yield the cells that hold something, with their player and day."""
        for (player, day), cell in self.cells.items():
            if not is_nothing(cell):
                yield player, day, cell


class LaidLines(NamedTuple):
    """Lines laid as a block for each evening: how they are read, the cells read besides, problems; see `Arrangement`."""

    how: Sentence | None
    lines: list[Line]
    read: tuple[Cell, ...]
    problems: tuple[SheetProblem, ...]
    fewest: bool = False


def matrix_in(lines: Sequence[Line]) -> Matrix | None:
    """Return the first matrix of some lines, all of one width: players down or across; None if there is none."""
    for top, end in tops(lines):
        if any(map(is_day, lines[top])) and (down := _matrix(lines[top:], top)) is not None:
            return down
        if any(is_day(line[0]) for line in lines[top:end] if line):
            across = _matrix([*zip(*lines[top:end], strict=True)], top)
            if across is not None:
                across.end = end
                return across
    return None


def tops(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield where headings may stand: the first lines of each region, between blank ones, with the end of the region."""
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and not all(cell.empty for cell in lines[end]):
            end += 1
        said = (row for row in range(start, end) if not facts_of(lines[row]))
        yield from ((row, end) for row, _ in zip(said, range(_TRIED), strict=False))
        start = end + 1


def is_nothing(cell: Cell) -> bool:
    """Tell whether a cell has no number: it is empty, or holds a dash."""
    return cell.empty or cell.text in NOTHING


def is_day(cell: Cell) -> bool:
    """Tell whether a cell is a day by itself: a number that might be one is a number."""
    return isinstance(cell.value, str | date) and cell.whole() is None and cell.day() is not None


def is_name(cell: Cell) -> bool:
    """Tell whether a cell may be a name: a text that is neither a number, with marks perhaps, nor a day."""
    text = isinstance(cell.value, str) and not is_nothing(cell)
    return text and number_of(cell, MARKED) is None and cell.day() is None


def _matrix(grid: Sequence[Line], top: int) -> Matrix | None:
    """Return the matrix of lines whose first one has the days, and below them one line for each player."""
    head = grid[0]
    days = [column for column, cell in enumerate(head) if is_day(cell)]
    kinds = [kind_of(cell.text) for cell in head]
    if not days or any(hand_of(cell.text) for cell in head):
        return None
    before = [column for column, kind in enumerate(kinds[: days[0]]) if kind in (None, "date", "player")]
    corner = kinds.index("player") if "player" in kinds else before[0] if before else None
    if corner is None or not any(is_name(line[corner]) for line in grid[1:_NEAR] if line):
        return None
    found = Matrix(top, top + 1, days=[head[column] for column in days], read=[head[corner]])
    total = next((kinds.index(kind) for kind in ("total", "points") if kind in kinds), None)
    rank = kinds.index("place") if "place" in kinds else None
    beside = {*range(len(head))} - {corner, *days, total, rank}
    for row, line in enumerate(grid[1:], 1):
        if all(cell.empty for cell in line):
            continue
        name, of_days = line[corner], [line[column] for column in days]
        kind = kind_of(name.text)
        if kind in ("game", "name"):
            for day, cell in enumerate(of_days):
                found.facts.setdefault(day, []).append((name, cell))
            found.read.append(name)
        elif adds_up(name.text) or (name.empty and total is not None and not line[total].empty):
            if found.sums:
                break
            found.sums, found.total = dict(enumerate(of_days)), None if total is None else line[total]
            found.read.append(name)
        elif not is_name(name) or (kind is not None and not _may_sum_up(kind, found, of_days)):
            break
        elif any(map(may_be_number, of_days)) or sum(not is_nothing(cell) for cell in of_days) == 1:
            place = len(found.names)
            found.names.append(name)
            found.cells |= {(place, day): cell for day, cell in enumerate(of_days)}
            if total is not None:
                found.totals[place] = line[total]
            if rank is not None:
                found.ranks[place] = line[rank]
            for column in beside:
                found.beside.setdefault(column, {})[place] = line[column]
        found.end = top + row + 1
    found.read += [head[column] for column in (total, rank) if column is not None]
    found.headings = {column: head[column] for column in beside}
    return found if found.names else None


def _may_sum_up(kind: str, found: Matrix, of_days: Sequence[Cell]) -> bool:
    """Tell whether a line below players may say their number or their mean: it is no heading of others."""
    return kind in ("player", "average") and bool(found.names) and not any(map(is_day, of_days))
