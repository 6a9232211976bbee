"""A file as plain lines: what is typed as lines, such as a club's masterpoints, comes as CSV or XLSX too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.reading import sheets_of

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.cells import Value


def lines_in_file(name: str, content: bytes) -> str:
    r"""Return the first sheet of a file as lines, their cells with semicolons between; read as every sheet is.

    * name: the name of the file
    * content: CSV, XLSX or a text, in any encoding that sheets may have

    Raises FormatError with the code of a sheet (`file.kind`, `sheet.*`).

    >>> lines_in_file("club.csv", b"entries,1,2\n8,0.30,0.20\n")
    'entries;1;2\n8;0.30;0.20'
    """
    try:
        sheets, _ = sheets_of(name, content)
    except SheetError as error:
        raise FormatError(error.code, error.problems[0].message) from None
    return "\n".join(";".join(map(_as_typed, row)) for row in (sheets[0].rows if sheets else ()))


def _as_typed(value: Value) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
