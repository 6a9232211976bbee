"""Leftovers: the cells of a sheet that no table has read. Numbers among them are a problem, words are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.formats.spreadsheets.days import may_be_two_days
from cardledger.formats.spreadsheets.titles import only_day
from cardledger.rules.games.names import plain
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_PARTNERS: Final = ("partner", "partners", "partnerin", "partenaire")
"""Headings of columns with names of people who would get nothing."""


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

    def give_back(self, cells: Iterable[Cell]) -> None:
        """Let cells be left over after all."""
        self._cells |= {(cell.row, cell.column): cell for cell in cells if not cell.empty}

    def ignore(self, addresses: Iterable[str]) -> None:
        """Take what the user says does not belong to the results: a cell, and what is left over below it.

        Of words before numbers that are left over it is what is left over beside them. Its address is `Sheet!A1` where
        there are several sheets.
        """
        ignored = {*addresses}
        for cell in () if not ignored else sorted(self._cells.values(), key=lambda cell: (cell.row, cell.column)):
            if cell.address in ignored or f"{cell.sheet.name}!{cell.address}" in ignored:
                self.take([cell] if self._headings.get(cell.column) == cell else ())
                if cell.row in (rows := self._rows()) and not has_figures(cell):
                    self.take(rows[cell.row][1:])
                    continue
                below = (at for at in self._cells.values() if at.column == cell.column and at.row >= cell.row)
                self.take([each for each in below if has_figures(each)])

    def lone_day(self) -> Cell | None:
        """Take the only day that is left over, and return it; None if there is none, or there are several."""
        day = only_day(self._cells.values())
        self.take([day])
        return day

    def name_column(self, heading: Cell, *, repeated: bool) -> None:
        """Note the heading of a column that is not read, and whether the row has this heading twice."""
        self._headings.setdefault(heading.column, heading)
        if repeated:
            self._repeated.add(heading.column)

    def problems(self) -> Iterator[SheetProblem]:
        """Yield a problem for each row with words before figures that nothing has read, and for each column of others."""
        rows = self._rows()
        for each in self._headings.values():
            if plain(each.text) in _PARTNERS and (each.row, each.column) in self._cells:
                why = Sentence(
                    "the names below {heading!r} would be left out: write each partner in a row, or both as one name",
                    heading=each.text,
                )
                yield at(each, "sheet.unread", why)
        for name, *numbers in rows.values():
            why = Sentence(
                "{name!r} and {number} numbers beside it would be left out, and no number of a sheet is: say that this does not belong to the results, or write it above a player if it is one too",
                name=name.text[:40],
                number=len(numbers),
            )
            yield at(name, "sheet.unread", why)
        columns: dict[int, list[Cell]] = {}
        for cell in self._cells.values():
            if has_figures(cell) and cell.row not in rows:
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
                if may_be_two_days(first.text):
                    why = Sentence(
                        "{what} would be left out: it may be one of two days, so write it as 2026-01-31", what=what
                    )
                else:
                    why = Sentence(
                        "{what} would be left out, and no number of a sheet is: give the column a heading from the list in the help, or say that this does not belong to the results",
                        what=what,
                    )
                yield at(first, "sheet.unread", why)

    def _rows(self) -> dict[int, list[Cell]]:
        """Return rows of which nothing is read but words before several numbers: all that is left of each."""
        lines: dict[int, list[Cell]] = {}
        for cell in sorted(self._cells.values(), key=lambda cell: (cell.row, cell.column)):
            lines.setdefault(cell.row, []).append(cell)
        return {
            row: cells
            for row, cells in lines.items()
            if len(cells) > len(("name", "number"))
            and [*map(has_figures, cells)] == [False, *[True] * (len(cells) - 1)]
        }

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
