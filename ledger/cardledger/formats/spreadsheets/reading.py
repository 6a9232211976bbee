"""Files as sheets of values: CSV in the usual encodings, and XLSX within limits."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import closing
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final

from cardledger.formats.spreadsheets.cells import Cell, SheetError, SheetProblem, Value, Worksheet, address
from cardledger.formats.spreadsheets.headings import headings_of

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MOST_BYTES: Final = 2_000_000
"""The size of a file; an evening of forty tables has some 200 kB."""
MOST_FILES: Final = 20
"""The number of files in one import."""
MOST_UNPACKED: Final = 20_000_000
"""The size of an XLSX file unpacked: a small file can be packed from a huge one."""
MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 200
MOST_SHEETS: Final = 50
MOST_LETTERS: Final = 500
"""The length of the text in a cell."""
_SCANNED = 5 * MOST_ROWS
"""The number of rows to look through: empty ones with a colour count for spreadsheets."""
_MOST_CELLS = 2_000_000
"""The number of cells to look through, also empty ones before the last of a row."""
_PACKED, _OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_LOOKED_AT = 40
"""Rows that decide by what the columns of a CSV file are divided."""


def sheets_of(file: str, content: bytes) -> tuple[list[Worksheet], list[str]]:
    """Return the sheets of a file, and the names of those that are hidden; raises SheetError with every problem found."""
    if len(content) > MOST_BYTES:
        raise _refusal(file, "sheet.size", f"a file has at most {MOST_BYTES:,} bytes: import fewer tables at a time")
    if content.startswith(_OLD):
        raise _refusal(
            file, "sheet.format", "this is an old Excel file, or one with a password: save it as .xlsx or CSV"
        )
    if content.startswith(_PACKED):
        return _workbook(file, content)
    sheet = Worksheet(file, None, _csv(file, _decoded(file, content)))
    _expect_size(sheet)
    return [sheet], []


def cells(sheet: Worksheet, row: int) -> list[Cell]:
    """Return the cells of a row."""
    return [Cell(sheet, row, column, value) for column, value in enumerate(sheet.rows[row])]


# --- CSV


def _decoded(file: str, content: bytes) -> str:
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if encoding is None and content[:400].count(0) > len(content[:400]) // 4:
        encoding = "utf-16-le" if content[1:2] == b"\0" else "utf-16-be"
    for name in (encoding,) if encoding else ("utf-8", "cp1252"):
        try:
            text = content.decode(name)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise _refusal(file, "sheet.format", "this is neither text nor a spreadsheet: save it as .xlsx, or as CSV in UTF-8")


def _csv(file: str, text: str) -> list[Sequence[Value]]:
    """Return the rows of a text, divided in the way that gives headings, or else the most columns."""
    first, _, _ = text.partition("\n")
    said = first.strip().strip('"').casefold()
    if said.startswith("sep=") and len(said) == 5:
        return [(), *_divided(file, text, said[4])[1:]]

    def fits(delimiter: str) -> tuple[int, int]:
        rows = _divided(file, text, delimiter, _LOOKED_AT)
        sheet = Worksheet(file, None, rows)
        headings = [headings_of(cells(sheet, row)) for row in range(len(rows))]
        return max((len(each.columns) + len(each.hands) for each in headings if each), default=0), max(
            map(len, rows), default=0
        )

    return _divided(file, text, max(";\t,", key=fits))


def _divided(file: str, text: str, delimiter: str, most: int = _SCANNED + 1) -> list[Sequence[Value]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [row for row, _ in zip(reader, range(most), strict=False)]
    except csv.Error as error:
        raise _refusal(
            file, "sheet.format", f"line {reader.line_num} cannot be read as CSV ({error}): check its quotes"
        ) from None


# --- XLSX


def _workbook(file: str, content: bytes) -> tuple[list[Worksheet], list[str]]:
    wrong = "the file cannot be read as a spreadsheet: open it in your program and save it again as .xlsx"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            unpacked = sum(each.file_size for each in packed.infolist())
            if "[Content_Types].xml" not in packed.namelist():
                raise _refusal(file, "sheet.format", "this is no .xlsx file: save it as .xlsx or CSV")
        if unpacked > MOST_UNPACKED:
            raise _refusal(
                file, "sheet.size", f"unpacked, the file has {unpacked:,} bytes, more than {MOST_UNPACKED:,}: copy the results into a new file"
            )  # fmt: skip
        return _sheets(file, content)
    except SheetError:
        raise
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, EOFError, SyntaxError,
            NotImplementedError, RuntimeError, AssertionError) as error:  # fmt: skip
        # openpyxl trusts a file and fails in many ways on a broken one; SyntaxError is that of XML.
        raise _refusal(file, "sheet.format", wrong) from error


def _sheets(file: str, content: bytes) -> tuple[list[Worksheet], list[str]]:
    """Return the visible sheets with the values that were computed when the file was saved."""
    with closing(_opened(content, data_only=True)) as values, closing(_opened(content, data_only=False)) as formulas:
        if len(values.worksheets) > MOST_SHEETS:
            raise _refusal(file, "sheet.size", f"a file has at most {MOST_SHEETS} sheets: delete the others")
        sheets, hidden, problems, width = [], [], [], 0
        for shown, written in zip(values.worksheets, formulas.worksheets, strict=True):
            if shown.sheet_state != "visible":
                hidden.append(shown.title)
                continue
            sheet = Worksheet(file, shown.title, [], values.epoch.date())
            for row, (computed, source) in enumerate(zip(shown.iter_rows(), written.iter_rows(), strict=False)):
                width += len(computed)
                if row > _SCANNED or width > _MOST_CELLS:
                    raise _too_large(sheet)
                sheet.rows.append([_value(cell.value) for cell in computed])
                for column, (cell, formula) in enumerate(zip(computed, source, strict=False)):
                    if why := _not_computed(cell, formula):
                        problems.append(SheetProblem("sheet.formula", why, file, sheet.name, address(row, column)))
            _expect_size(sheet)
            sheets.append(sheet)
    if problems:
        raise SheetError(problems)
    return sheets, hidden


def _opened(content: bytes, *, data_only: bool) -> Workbook:
    from openpyxl import load_workbook  # here, as it takes a fifth of a second

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions that do not matter here
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=data_only, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what a file says of its own size need not be true
    return book


def _not_computed(cell: Any, formula: Any) -> str | None:
    """Say why the value of a formula cannot be used; None for values."""
    if cell.data_type == "e":
        return f"the formula gives {cell.value}: correct it, or write the value"
    if cell.value is None and formula.data_type == "f":
        return "the file has a formula here and not its value: open it in your program and save it, or write the value"
    return None


def _value(value: object) -> Value:
    """Return a value as it is handled from here on: times of day are left out of days, the rest is text."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, bool | time) or not isinstance(value, str | int | float | date | None):
        return str(value)
    return value


# --- limits


def _expect_size(sheet: Worksheet) -> None:
    """Take empty rows from the end, and refuse a sheet that is too large; raises SheetError."""
    rows = sheet.rows
    while rows and all(value is None or value == "" for value in rows[-1]):
        rows.pop()
    if len(rows) > MOST_ROWS:
        raise _too_large(sheet)
    problems = []
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            if value is None or value == "":
                continue
            if column >= MOST_COLUMNS:
                problems.append((row, column, f"a sheet has at most {MOST_COLUMNS} columns: delete those beyond"))
                break
            if isinstance(value, str) and len(value) > MOST_LETTERS:
                problems.append((row, column, f"a cell has at most {MOST_LETTERS} characters: shorten the text"))
    if problems:
        raise SheetError(
            [
                SheetProblem("sheet.size", why, sheet.file, sheet.name, address(row, column))
                for row, column, why in problems
            ]
        )


def _too_large(sheet: Worksheet) -> SheetError:
    why = f"a sheet has at most {MOST_ROWS:,} rows: delete the rows below the results"
    return SheetError([SheetProblem("sheet.size", why, sheet.file, sheet.name)])


def _refusal(file: str, code: str, message: str) -> SheetError:
    return SheetError([SheetProblem(code, message, file)])
