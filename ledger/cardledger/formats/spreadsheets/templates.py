"""Templates: an empty sheet with headings that are recognised, as CSV and as XLSX."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.cells import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The kinds of files, with their media types."""
_TABLES, _PLAYERS, _HANDS = 3, 4, 8
_WIDE = 18


def template(kind: str, rows: Sequence[Sequence[object]] | None = None) -> bytes:
    """Return an empty sheet of a kind with a column for each hand, or one with other rows.

    No text is taken for a formula.
    """
    rows = blank() if rows is None else rows
    if kind == "csv":
        text = io.StringIO(newline="")
        csv.writer(text).writerows([harmless(value) for value in row] for row in rows)
        # Without this mark spreadsheets do not recognise UTF-8.
        return b"\xef\xbb\xbf" + text.getvalue().encode()
    return _workbook(rows)


def blank(day: str = "", game: str = "", tables: int = _TABLES) -> list[list[object]]:
    """Return the rows of an empty sheet: day and game, and for each table its players with a column for each hand."""
    rows: list[list[object]] = [["Date", day], ["Game", game], []]
    for table in range(1, tables + 1):
        rows += [["Table", table], ["Player", *range(1, _HANDS + 1), "Total"], *[[] for _ in range(_PLAYERS + 1)]]
    return rows


def _workbook(rows: Sequence[Sequence[object]]) -> bytes:
    from openpyxl import Workbook  # here, as it takes a fifth of a second
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Evening")
    sheet.column_dimensions["A"].width = _WIDE
    for row in rows:
        shown = []
        for place, value in enumerate(row):
            cell = WriteOnlyCell(sheet, value=value)
            if isinstance(value, str):
                cell.data_type = "s"  # a text, even one that begins with =
            if place == 0 or len(row) > 2:
                cell.font = Font(bold=row[0] == "Player" or (place == 0 and len(row) == 2))
            shown.append(cell)
        sheet.append(shown)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()
