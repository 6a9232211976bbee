"""Cells of a spreadsheet: their addresses and values, and the problems found in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from cardledger.errors import LedgerError
from cardledger.rules.engine.at_any_time import MOST_POINTS
from cardledger.sentence import Sentence

Value = str | int | float | date | None
"""What a cell holds; a formula has been computed by the program that saved the file."""
EXCEL_DAYS: Final = date(1899, 12, 30)
"""The day from which spreadsheets count days."""
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_UNSEEN = " \u00a0\u200b\ufeff"
_WHOLE = re.compile(r"([+-]?) ?(\d{1,15})(?:[.,]0{0,2})?", re.ASCII)
_UNIT = re.compile(r"(?<=\d) ?(?:pts?|points?|punkte?|pkte?)\.?$", re.IGNORECASE)
_PLACE = re.compile(r"[t=]?\s?(\d{1,3})\s?(?:st|nd|rd|th|er|ere|ère|re|e|eme|ème)?\s?[.=)t]?", re.ASCII)
_SERIALS = range(20_000, 80_000)
"""Numbers that are days of the years 1954 to 2119."""


class Worksheet(NamedTuple):
    """A sheet of a file: the file's name, its own (None in CSV), its rows of values, and the days it counts from.

    `year` is that of days without one, None if nobody has said it.
    """

    file: str
    name: str | None
    rows: list[Sequence[Value]]
    epoch: date = EXCEL_DAYS
    year: int | None = None


class Cell(NamedTuple):
    """A cell: its sheet, its row and column from 0, and its value."""

    sheet: Worksheet
    row: int
    column: int
    value: Value

    @property
    def address(self) -> str:
        """The address as spreadsheets show it.

        >>> Cell(Sheet("a.csv", None, []), 6, 2, None).address
        'C7'
        """
        return address(self.row, self.column)

    @property
    def text(self) -> str:
        """The value as a text in one line; empty for an empty cell."""
        value = self.value
        if value is None:
            return ""
        if isinstance(value, str):
            return _short_line(value) if len(value) <= _SHORT else _in_one_line(value)
        if isinstance(value, float) and value.is_integer() and abs(value) < MOST_POINTS:
            return str(int(value))
        return _in_one_line(str(value))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to read."""
        return not self.text.strip(_UNSEEN)

    def whole(self) -> int | None:
        """Return a whole number, None for anything else, an enormous number too."""
        if isinstance(self.value, float):
            return int(self.value) if self.value.is_integer() and abs(self.value) <= MOST_POINTS else None
        if isinstance(self.value, int):
            return self.value if abs(self.value) <= MOST_POINTS else None
        text = self.text
        return _short_whole(text) if len(text) <= _SHORT else _whole(text)

    def day(self) -> date | None:
        """Return a day; None for anything else, and for a day that may be one of two (`3/4/2026`)."""
        if isinstance(self.value, date):
            return self.value
        number = self.whole()
        if number is not None:
            return self.sheet.epoch + timedelta(days=number) if number in _SERIALS else None
        from cardledger.formats.spreadsheets.days import day_in  # it reads words of headings, which are cells

        return day_in(self.text, self.sheet.year)


def _in_one_line(value: str) -> str:
    text = " ".join(value.split())
    # The mark before what looks like a formula (see `harmless`), or before a number that is text, is not part of it.
    marked = text.startswith("'") and (harmless(text[1:]) == text or _WHOLE.fullmatch(text[1:]))
    return text[1:] if marked else text


def _whole(text: str) -> int | None:
    parts = _WHOLE.fullmatch(_UNIT.sub("", re.sub("[−–]", "-", text)))
    number = int(parts[1] + parts[2]) if parts else None
    return number if number is None or abs(number) <= MOST_POINTS else None


_SHORT: Final = 40
"""The longest text that is kept: a sheet is read in many ways, and most of its cells say the same."""
_short_line = lru_cache(4096)(_in_one_line)
_short_whole = lru_cache(4096)(_whole)


class SheetProblem(NamedTuple):
    """What is wrong in a file, where, and what to do about it; without a cell it is about a sheet or the whole file."""

    code: str
    message: Sentence
    file: str
    sheet: str | None = None
    cell: str | None = None

    @property
    def place(self) -> str:
        """File, sheet and cell in words."""
        sheet = f", sheet {self.sheet}" if self.sheet is not None else ""
        return f"{self.file}{sheet}{f', cell {self.cell}' if self.cell else ''}"

    @property
    def row_and_column(self) -> tuple[int, int, str]:
        """A key that sorts problems as they stand on a sheet."""
        letters = (self.cell or "").rstrip("0123456789")
        return int((self.cell or "0")[len(letters) :]), len(letters), letters + self.code + self.message

    def __str__(self) -> str:
        return f"{self.place}: {self.code}: {self.message}"


class SheetError(LedgerError):
    """A file cannot be read, or a plan with problems was to be stored: its problems, and the code of the first."""

    def __init__(self, problems: Sequence[SheetProblem]) -> None:
        first = problems[0]
        super().__init__(first.code, f"{first.place}: {first.message}")
        self.problems = problems


def place_in(cell: Cell) -> int | None:
    """Return the place that a cell says, None for anything else: `2`, `2.`, `2=`, `=2`, `T2`, `2nd`.

    >>> place_in(Cell(Worksheet("a.csv", None, []), 0, 0, "T2")), place_in(Cell(Worksheet("a.csv", None, []), 0, 0, "x2"))
    (2, None)
    """
    parts = _PLACE.fullmatch(cell.text.casefold())
    return None if parts is None else int(parts[1])


def at(cell: Cell, code: str, message: Sentence) -> SheetProblem:
    """Return a problem of a cell."""
    return SheetProblem(code, message, cell.sheet.file, cell.sheet.name, cell.address)


def address(row: int, column: int) -> str:
    """Return the address of a row and a column, from 0.

    >>> address(0, 0), address(9, 25), address(11, 26)
    ('A1', 'Z10', 'AA12')
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def harmless(value: object) -> object:
    """Return a value for a cell, text so that no spreadsheet takes it for a formula.

    >>> harmless("=1+1"), harmless("ana"), harmless(-3)
    ("'=1+1", 'ana', -3)
    """
    if isinstance(value, str) and value.lstrip(_UNSEEN).startswith(_FORMULA):
        return f"'{value}"
    return value
