"""Files as sheets of values: CSV in the usual encodings, and XLSX within limits."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, time
from typing import Final
from xml.parsers.expat import ExpatError

from cardledger.formats.encoding import has_right_letters
from cardledger.formats.recognition import LOOKED_AT, recognised
from cardledger.formats.spreadsheets.cells import Cell, SheetError, SheetProblem, Value, Worksheet, address
from cardledger.formats.spreadsheets.headings import headings_of
from cardledger.formats.spreadsheets.plain_texts import rows_of_text
from cardledger.formats.spreadsheets.thousands import without_marks
from cardledger.formats.spreadsheets.xlsx import TooLargeError, Xlsx, XlsxCell
from cardledger.sentence import Sentence

MOST_BYTES: Final = 2_000_000
"""The size of a file; an evening of forty tables has some 200 kB."""
MOST_FILES: Final = 20
"""The number of files in one import."""
MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 200
_TOO_WIDE = Sentence("a sheet has at most {most} columns: delete those beyond", most=MOST_COLUMNS)
_CROSSED = Sentence("this is crossed out: delete it if it does not count, or take the line through it away")
MOST_SHEETS: Final = 50
MOST_LETTERS: Final = 500
"""The length of the text in a cell."""
_SCANNED = 5 * MOST_ROWS
"""The number of rows to look through: empty ones with a colour count for spreadsheets."""
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_LOOKED_AT = 40
"""Rows that decide by what the columns of a CSV file are divided."""


def sheets_of(file: str, content: bytes) -> tuple[list[Worksheet], list[str]]:
    """Return the sheets of a file, and the names of those that are hidden.

    Raises SheetError with every problem found.
    """
    if len(content) > MOST_BYTES:
        raise _refusal(
            file,
            "sheet.size",
            Sentence(
                "a file has at most {most_bytes} bytes: import fewer tables at a time", most_bytes=f"{MOST_BYTES:,}"
            ),
        )
    found = recognised(content[:LOOKED_AT])
    if found.kind == "workbook":
        return _workbook(file, content)
    if found.reader != "sheets" and found.kind != "text":
        raise _refusal(file, "file.kind", found.words)
    sheet = Worksheet(file, None, [*_csv(file, _decoded(file, content))])
    _expect_size(sheet)
    return [without_marks(sheet)], []


def cells(sheet: Worksheet, row: int, width: int = 0) -> list[Cell]:
    """Return the cells of a row, with empty ones behind it up to a width."""
    values = sheet.rows[row]
    return [
        *(Cell(sheet, row, column, value) for column, value in enumerate(values)),
        *(Cell(sheet, row, column, None) for column in range(len(values), width)),
    ]


# --- CSV


def _decoded(file: str, content: bytes) -> str:
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if encoding is None and content[:400].count(0) > len(content[:400]) // 4:
        encoding = "utf-16-le" if content[1:2] == b"\0" else "utf-16-be"
    for name in (encoding,) if encoding else ("utf-8", "cp1252", "mac_roman"):
        with suppress(UnicodeError):
            text = content.decode(name)
            if "\0" not in text and (name not in ("cp1252", "mac_roman") or has_right_letters(text)):
                return text.replace("\r", "\n") if name == "mac_roman" and "\n" not in text else text
    raise _refusal(
        file, "sheet.format", Sentence("its letters are in an old encoding: save it as .xlsx, or as CSV in UTF-8")
    )


def _csv(file: str, text: str) -> list[Sequence[Value]]:
    """Return the rows of a text, divided in the way that gives headings, or else the most columns.

    Where few lines are divided so, blanks divide them.
    """
    first, _, _ = text.partition("\n")
    said = first.strip().strip('"').casefold()
    if said.startswith("sep=") and len(said) == 5:
        return [(), *_divided(file, text, said[4])[1:]]

    def fits(delimiter: str) -> tuple[int, int]:
        rows = _divided(file, text, delimiter, _LOOKED_AT)
        sheet = Worksheet(file, None, [*rows])
        headings = [headings_of(cells(sheet, row)) for row in range(len(rows))]
        return max((len(each.columns) + len(each.hands) for each in headings if each), default=0), max(
            map(len, rows), default=0
        )

    best = max(";\t,|", key=fits)
    lines = [line for line in text.splitlines() if line.strip()]
    if not fits(best)[0] and 2 * sum(best in line for line in lines) < len(lines):
        return [*rows_of_text(text.splitlines()[: _SCANNED + 1])]
    rows = _divided(file, text, best)
    _expect_closed_quotes(file, text, best)
    return [() if _is_rule(row) else row for row in map(_within_lines, rows)] if best == "|" else [*rows]


def _within_lines(row: Sequence[str]) -> Sequence[str]:
    """Return a row of a table drawn with lines without what is before the first and behind the last of them."""
    return [cell.strip() for cell in row[1:-1]] if len(row) > 2 and not row[0].strip() and not row[-1].strip() else row


def _is_rule(row: Sequence[str]) -> bool:
    """Tell whether a row is a line between headings and cells: `|---|--:|`."""
    return len(row) > 1 and all(cell and not {*cell} - {*"-:= "} for cell in row)


def _divided(file: str, text: str, delimiter: str, most: int = _SCANNED + 1) -> list[Sequence[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [row for row, _ in zip(reader, range(most), strict=False)]
    except csv.Error:
        why = Sentence(
            "line {line} cannot be read as CSV, or has too long a cell: check its quotes", line=reader.line_num
        )
        raise _refusal(file, "sheet.format", why) from None


def _expect_closed_quotes(file: str, text: str, delimiter: str) -> None:
    """Refuse a text in which a quote is never closed: all rows below it would be one cell; raises SheetError."""
    reader, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 0
    try:
        for _ in reader:
            line = reader.line_num
    except csv.Error as error:
        if "end of data" in str(error):
            why = Sentence("a quote is opened in line {line} and not closed: close it, or delete it", line=line + 1)
            raise _refusal(file, "sheet.format", why) from None


# --- XLSX


def _workbook(file: str, content: bytes) -> tuple[list[Worksheet], list[str]]:
    try:
        return _sheets(file, Xlsx(content))
    except TooLargeError as error:
        raise _refusal(file, "sheet.size", error.said) from None
    except (
        zipfile.BadZipFile, zlib.error, struct.error, ExpatError, LookupError, ValueError, OSError, EOFError,
        NotImplementedError, RuntimeError,
    ) as error:  # fmt: skip
        wrong = Sentence("the file cannot be read as a spreadsheet: open it in your program and save it again as .xlsx")
        raise _refusal(file, "sheet.format", wrong) from error


def _sheets(file: str, book: Xlsx) -> tuple[list[Worksheet], list[str]]:
    """Return the visible sheets with the values that were computed when the file was saved."""
    if len(book.sheets) > MOST_SHEETS:
        raise _refusal(
            file,
            "sheet.size",
            Sentence("a file has at most {most_sheets} sheets: delete the others", most_sheets=MOST_SHEETS),
        )
    sheets, hidden, problems = [], [], []
    for each in book.sheets:
        if not each.shown:
            hidden.append(each.name)
            continue
        sheet = Worksheet(file, each.name, [], book.epoch.date())
        for row, cells in book.rows(each):
            if row > _SCANNED:
                raise _too_large(sheet)
            sheet.rows.extend([()] * (row - len(sheet.rows)))
            width = max(cells, default=-1) + 1
            if width > MOST_COLUMNS:
                problems.append(SheetProblem("sheet.size", _TOO_WIDE, file, sheet.name, address(row, width - 1)))
                width = MOST_COLUMNS
            sheet.rows.append([_value(cells[at].value) if at in cells else None for at in range(width)])
            for column, cell in cells.items():
                if why := _not_computed(cell):
                    problems.append(SheetProblem("sheet.formula", why, file, sheet.name, address(row, column)))
                elif cell.crossed and cell.value is not None:
                    problems.append(SheetProblem("sheet.crossed", _CROSSED, file, sheet.name, address(row, column)))
        _expect_size(sheet)
        sheets.append(without_marks(sheet))
    if problems:
        raise SheetError(problems)
    return sheets, hidden


def _not_computed(cell: XlsxCell) -> Sentence | None:
    """Say why the value of a formula cannot be used; None for values."""
    if cell.error:
        return Sentence("the formula gives {value}: correct it, or write the value", value=cell.value)
    if cell.value is None and cell.formula:
        return Sentence(
            "the file has a formula here and not its value: open it in your program and save it, or write the value"
        )
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
                problems.append((row, column, _TOO_WIDE))
                break
            if isinstance(value, str) and len(value) > MOST_LETTERS:
                why = Sentence("a cell has at most {most} characters: shorten the text", most=MOST_LETTERS)
                problems.append((row, column, why))
    if problems:
        raise SheetError(
            [
                SheetProblem("sheet.size", why, sheet.file, sheet.name, address(row, column))
                for row, column, why in problems
            ]
        )


def _too_large(sheet: Worksheet) -> SheetError:
    why = Sentence(
        "a sheet has at most {most_rows} rows: delete the rows below the results", most_rows=f"{MOST_ROWS:,}"
    )
    return SheetError([SheetProblem("sheet.size", why, sheet.file, sheet.name)])


def _refusal(file: str, code: str, message: Sentence) -> SheetError:
    return SheetError([SheetProblem(code, message, file)])
