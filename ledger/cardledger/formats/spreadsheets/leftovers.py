"""Leftovers: the cells of a sheet that no table has read. Numbers among them are a problem, words are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Leftovers:
    """The filled cells of a sheet, without those that were taken: whatever nothing takes is listed at the end."""

    def __init__(self, lines: Iterable[Sequence[Cell]]) -> None:
        self._cells = {(cell.row, cell.column): cell for line in lines for cell in line if not cell.empty}
        self._headings: dict[int, Cell] = {}
        self._repeated: set[int] = set()

    def take(self, cells: Iterable[Cell | None]) -> None:
        """Take cells that are read."""
        for cell in cells:
            if cell is not None:
                self._cells.pop((cell.row, cell.column), None)

    def ignore(self, addresses: Iterable[str]) -> None:
        """Take what the user says does not belong to the results: a cell, and what is left over below it.

        Its address is `Sheet!A1` where there are several sheets.
        """
        ignored = {*addresses}
        for cell in () if not ignored else sorted(self._cells.values(), key=lambda cell: (cell.row, cell.column)):
            if cell.address in ignored or f"{cell.sheet.name}!{cell.address}" in ignored:
                below = (at for at in self._cells.values() if at.column == cell.column and at.row >= cell.row)
                self.take([each for each in below if has_figures(each)])

    def name_column(self, heading: Cell, *, repeated: bool) -> None:
        """Note the heading of a column that is not read, and whether the row has this heading twice."""
        self._headings.setdefault(heading.column, heading)
        if repeated:
            self._repeated.add(heading.column)

    def problems(self) -> Iterator[SheetProblem]:
        """Yield a problem for each column with figures that nothing has read."""
        columns: dict[int, list[Cell]] = {}
        for cell in self._cells.values():
            if has_figures(cell):
                columns.setdefault(cell.column, []).append(cell)
        for column, cells in sorted(columns.items()):
            first, more = min(cells, key=lambda cell: cell.row), len(cells) - 1
            what = Sentence("{cell!r}", cell=first.text[:40])
            if more:
                what = Sentence.counted(
                    "{cell!r} and {num} more in this column",
                    "{cell!r} and {num} more in this column",
                    more,
                    cell=first.text[:40],
                )
            heading = self._headings.get(column)
            if column in self._repeated and heading is not None:
                why = Sentence(
                    "the heading {heading!r} ({address}) is there twice, so {what} would be left out: write the tables below each other, or name the column otherwise",
                    heading=heading.text[:40],
                    address=heading.address,
                    what=what,
                )
                yield at(first, "sheet.repeated", why)
            else:
                if heading is not None and heading is not first:
                    what = Sentence("{what} (column {heading!r})", what=what, heading=heading.text[:40])
                why = Sentence(
                    "{what} would be left out, and no number of a sheet is: give the column a heading from the list in the help, or say that this does not belong to the results",
                    what=what,
                )
                yield at(first, "sheet.unread", why)

    def words(self) -> tuple[Sentence, ...]:
        """Return what is left without figures: columns by their headings, and single cells."""
        said = []
        for cell in sorted(self._cells.values(), key=lambda cell: (cell.row, cell.column)):
            heading = self._headings.get(cell.column)
            if heading is not None and heading.address == cell.address:
                said.append(Sentence("column {text!r} ({cell})", text=cell.text, cell=cell.address))
            elif not has_figures(cell) and (heading is None or cell.row < heading.row):
                said.append(Sentence("{text!r} ({cell})", text=cell.text, cell=cell.address))
        return (*said,)


def has_figures(cell: Cell) -> bool:
    """Tell whether a cell holds a number or a day, or a text with a figure."""
    return any(char.isnumeric() for char in cell.text)
