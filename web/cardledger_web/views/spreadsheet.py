"""An evening from a spreadsheet as its page shows it: the sheets with their problems marked, and the tables."""

from __future__ import annotations

import base64
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.formats.spreadsheets.cells import Cell, address
from cardledger.formats.spreadsheets.matrices import MARKED, is_name
from cardledger.formats.spreadsheets.reading import MOST_BYTES, MOST_FILES
from cardledger.formats.spreadsheets.readings import number_of
from cardledger_web.languages import _, evening_called

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.formats.spreadsheets.cells import SheetProblem, Worksheet
    from cardledger.formats.spreadsheets.preview import Preview, PreviewEvening

MOST_KEPT = 400_000
"""The most letters of files that a form carries on; larger files are chosen again."""
_ROWS, _COLUMNS, _SHEETS = 150, 30, 6


class MarkedCell(NamedTuple):
    """A cell: its text, its address with the sheet, the numbers of its problems in the list, and what it may be.

    That is `name` or `score`, None for a cell of neither.
    """

    text: str
    address: str
    problems: tuple[int, ...]
    may_be: str | None


class MarkedSheet(NamedTuple):
    """A sheet: file and name, the letters of its columns, and its rows with their numbers."""

    file: str
    name: str | None
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[MarkedCell, ...]], ...]
    cut: bool


def evening_said(evening: PreviewEvening) -> str:
    """Return the evening that results belong to, or open, in one sentence of the page's language."""
    opening = evening.opening
    assert opening is not None
    kind = "new" if evening.opens else "recorded" if not evening.new else "under way"
    sentences = {
        ("new", "total"): _("%(name)s (%(day)s): a new evening, points are added up"),
        ("new", "places"): _("%(name)s (%(day)s): a new evening, points for places"),
        ("recorded", "total"): _("%(name)s (%(day)s): recorded already, points are added up"),
        ("recorded", "places"): _("%(name)s (%(day)s): recorded already, points for places"),
        ("under way", "total"): _("%(name)s (%(day)s): an evening under way, points are added up"),
        ("under way", "places"): _("%(name)s (%(day)s): an evening under way, points for places"),
    }
    return sentences[kind, opening.scoring.kind] % {"name": evening_called(opening.name), "day": opening.date}


def marked(preview: Preview) -> list[MarkedSheet]:
    """Return the first sheets, their problems marked."""
    numbers: dict[tuple[str, str | None, str], list[int]] = {}
    for number, problem in enumerate(preview.problems, 1):
        if problem.cell is not None:
            numbers.setdefault((problem.file, problem.sheet, problem.cell), []).append(number)
    wanted = {(file, name) for file, name, _ in numbers}
    in_order = sorted(preview.sheets, key=lambda sheet: (sheet.file, sheet.name) not in wanted)
    return [_marked(sheet, numbers) for sheet in in_order[:_SHEETS]]


def _marked(sheet: Worksheet, numbers: Mapping[tuple[str, str | None, str], Sequence[int]]) -> MarkedSheet:
    width = min(max(map(len, sheet.rows), default=0), _COLUMNS)
    rows = []
    for row, values in enumerate(sheet.rows[:_ROWS]):
        cells = []
        for column in range(width):
            value = values[column] if column < len(values) else None
            cell = Cell(sheet, row, column, value)
            cells.append(
                MarkedCell(
                    cell.text[:60],
                    in_file(sheet.name, cell.address),
                    (*numbers.get((sheet.file, sheet.name, cell.address), ()),),
                    "name" if is_name(cell) else "score" if number_of(cell, MARKED) is not None else None,
                )
            )
        rows.append((row + 1, (*cells,)))
    letters = tuple(address(0, column)[:-1] for column in range(width))
    return MarkedSheet(sheet.file, sheet.name, letters, (*rows,), len(sheet.rows) > _ROWS)


def in_file(sheet: str | None, cell: str) -> str:
    """Return the address of a cell, with its sheet if the file has sheets of names."""
    return cell if sheet is None else f"{sheet}!{cell}"


def anchored(problem: SheetProblem, preview: Preview) -> bool:
    """Tell whether a problem has its cell on the page."""
    letters = (problem.cell or "").rstrip("0123456789")
    row = int((problem.cell or "0")[len(letters) :])
    return problem.cell is not None and row <= _ROWS and any(
        (sheet.file, sheet.name) == (problem.file, problem.sheet) for sheet in marked(preview)
    )  # fmt: skip


def kept(files: Sequence[tuple[str, bytes]]) -> str:
    """Return files as a text that a form carries on, empty if they are too large for that."""
    packed = base64.b64encode(zlib.compress(msgspec.msgpack.encode([*files]), 9)).decode()
    return packed if len(packed) <= MOST_KEPT else ""


def unkept(text: str) -> list[tuple[str, bytes]]:
    """Return the files that a form carried on, none of them if the text was altered."""
    with suppress(ValueError, zlib.error, msgspec.DecodeError):
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b64decode(text.encode(), validate=True), 2 * MOST_BYTES)
        if not unpacker.unconsumed_tail:
            return msgspec.msgpack.decode(content, type=list[tuple[str, bytes]])[:MOST_FILES]
    return []
