"""Whole names: a first name and a surname of two columns are one name, and the number of its row is no part of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.headings import kind_of
from cardledger.formats.spreadsheets.matrices import Line, is_name
from cardledger.rules.games.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.formats.spreadsheets.cells import Cell

_FIRST_NAMES: Final = ("first name", "firstname", "forename", "given name", "vorname", "prenom")
_SURNAMES: Final = ("surname", "last name", "lastname", "family name", "nachname", "familienname", "nom de famille")
_OF_ROWS: Final = ("no", "nr", "n", "num", "number", "nummer", "numero", "lfd", "lfd nr", "lfd no", "s no", "row")
_NUMBERED = re.compile(r"(\d{1,3})[.)]\s*(?=[^\W\d_])", re.ASCII)
_FEWEST: Final = 2
"""So many rows count from 1 before their numbers are those of rows."""


def with_whole_names(lines: Sequence[Line]) -> tuple[list[Line], list[Cell]]:
    """Return lines with each name in one cell, and the cells that are read by that.

    * lines: all of one width
    """
    made, read = [[*line] for line in lines], []
    for number in _numbers_of_rows(lines):
        read.append(number)
        made[_row(lines, number)][number.column] = number._replace(value=None)
    for cell, name in _numbered_names(lines):
        made[_row(lines, cell)][cell.column] = cell._replace(value=name)
    columns: tuple[int, int] | None = None
    for line in made:
        words = [plain(cell.text) for cell in line]
        first = next((at for at, word in enumerate(words) if word in _FIRST_NAMES), None)
        last = next((at for at, word in enumerate(words) if word in _SURNAMES or kind_of(word) == "player"), None)
        if first is not None or last is not None:
            columns = None if first is None or last is None else (first, last)
            alone = first if last is None else last
            assert alone is not None
            if kind_of(words[alone]) is None:
                line[alone] = line[alone]._replace(value="player")
        elif columns is not None:
            parts = [line[at].text for at in columns if not line[at].empty]
            line[columns[1]] = line[columns[1]]._replace(value=" ".join(parts) or None)
        if columns is not None:
            read.append(line[columns[0]])
            line[columns[0]] = line[columns[0]]._replace(value=None)
    return [*made], read


def _row(lines: Sequence[Line], cell: Cell) -> int:
    """Return the place of a cell's line; the lines are those of a sheet, in order."""
    return cell.row - lines[0][0].row


def _numbers_of_rows(lines: Sequence[Line]) -> Iterator[Cell]:
    """Yield the cells of a column that counts the rows of players, under a heading that says so, or none."""
    for row, line in enumerate(lines):
        for at, cell in enumerate(line[:-1]):
            says = plain(cell.text) in _OF_ROWS or cell.text == "#"
            if not says and not (cell.empty and kind_of(line[at + 1].text) == "player"):
                continue
            counted: list[Cell] = []
            for below in lines[row + 1 :]:
                if below[at].whole() != len(counted) + 1 or not is_name(below[at + 1]):
                    break
                counted.append(below[at])
            if len(counted) >= _FEWEST:
                yield from (*([] if cell.empty else [cell]), *counted)


def _numbered_names(lines: Sequence[Line]) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of names behind numbers that count from 1 downwards, each with its name: `1. Ann`."""
    for column in zip(*lines, strict=True):
        found: list[tuple[Cell, str]] = []
        for cell in (*column, None):
            parts = None if cell is None else _NUMBERED.match(cell.text)
            if parts is not None and cell is not None and cell.day() is None and int(parts[1]) == len(found) + 1:
                found.append((cell, cell.text[parts.end() :]))
                continue
            if len(found) >= _FEWEST:
                yield from found
            found = []
