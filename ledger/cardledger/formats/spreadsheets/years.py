"""Days without a year: the user says the year, or the title does and is asked about; it is never guessed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, Worksheet, at
from cardledger.formats.spreadsheets.days import SOME_YEAR, has_no_year
from cardledger.formats.spreadsheets.reading import cells
from cardledger.formats.spreadsheets.titles import said_in
from cardledger.sentence import Sentence

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)", re.ASCII)
_ONLY_YEAR = re.compile(r"\D*(?<!\d)((?:19|20)\d\d)(?:\s?[-/–]\s?(?:\d\d)?\d\d)?\D*", re.ASCII)
FROM_YEARS: Final = frozenset(("sheet.date", "sheet.unread", "sheet.layout", "sheet.empty"))
"""Problems that may follow from a day without its year."""
_LOOKED_AT: Final = 200
"""Rows of a sheet in which days are looked for."""
_AUTUMN, _SPRING = 9, 4


def yearless(cell: Cell) -> SheetProblem:
    """Return the problem of a day without a year, with the year that the sheet or its title says."""
    said = year_said(cell.sheet)
    if said is None:
        why = Sentence(
            "{day!r} has no year: write it, or give the year beside the file (--date 2026)", day=cell.text[:40]
        )
    else:
        why = Sentence(
            "{day!r} has no year: write it, or give {said} beside the file (--date {said}); the title says {said}",
            day=cell.text[:40],
            said=said,
        )
    return at(cell, "sheet.year", why)


def year_said(sheet: Worksheet) -> int | None:
    """Return the only year in the texts and names of a sheet, None if there is none, or there are several."""
    texts = [sheet.file, sheet.name or ""]
    for row in range(min(len(sheet.rows), _LOOKED_AT)):
        texts += [cell.text for cell in cells(sheet, row) if isinstance(cell.value, str)]
    found = {year for text in texts for year in _YEAR.findall(text)}
    return int(found.pop()) if len(found) == 1 else None


def problems_of_years(sheets: Sequence[Worksheet], wrong: Sequence[SheetProblem]) -> list[SheetProblem]:
    """Return problems with the first day of each sheet that has no year, where it is why others are there.

    With a year that the user gives: where a new one seems to begin.
    """
    found: list[SheetProblem] = []
    for sheet in sheets:
        days = [*_days(sheet)]
        if sheet.year is not None:
            found += _new_year(days)
        elif days and (first := next((cell for cell in days if _is_why(cell, wrong)), None)) is not None:
            found.append(yearless(first))
    return found


def titles_of_years(sheet: Worksheet, years: Collection[int]) -> Iterator[Cell]:
    """Yield the texts of a sheet whose only figures are one of some years, or a season of it: `Whist 2025/26`."""
    for row in range(min(len(sheet.rows), _LOOKED_AT)):
        for cell in cells(sheet, row):
            parts = _ONLY_YEAR.fullmatch(cell.text) if isinstance(cell.value, str) else None
            if parts is not None and int(parts[1]) in years:
                yield cell


def _days(sheet: Worksheet) -> Iterator[Cell]:
    """Yield the cells with a day without a year, alone or in a title, as they are with the year of the sheet."""
    tried = sheet._replace(year=SOME_YEAR)
    for row in range(min(len(sheet.rows), _LOOKED_AT)):
        line = cells(sheet, row)
        yield from (cell for cell in line if isinstance(cell.value, str) and has_no_year(cell.text))
        title = said_in([cell._replace(sheet=tried) for cell in line]).get("date")
        if title is not None and isinstance(title.value, str) and has_no_year(title.value):
            whole = line[title.column]
            if whole.text != title.value:
                yield whole._replace(value=title.value)


def _is_why(cell: Cell, wrong: Sequence[SheetProblem]) -> bool:
    """Tell whether a problem is about this cell, or about a sheet on which no results or no day were found."""
    return any(
        each.cell == cell.address or each.cell is None and each.code in ("sheet.layout", "sheet.date", "sheet.empty")
        for each in wrong
        if each.file == cell.sheet.file and each.sheet in (None, cell.sheet.name)
    )


def _new_year(days: Sequence[Cell]) -> Iterator[SheetProblem]:
    """Yield where January or so follows on December or so: one year is not that of all days."""
    before = None
    for cell in days:
        day = cell.day()
        if day is not None and before is not None and before.month >= _AUTUMN and day.month <= _SPRING:
            yield at(
                cell,
                "sheet.year",
                Sentence(
                    "a new year seems to begin here: write the year with each day, not only {year}", year=day.year
                ),
            )
            return
        before = day or before
