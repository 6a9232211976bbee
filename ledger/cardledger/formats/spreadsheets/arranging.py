"""The arrangement of each sheet under which nothing, or the least, is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.formats.spreadsheets.arrangements import Arrangement, arrangements
from cardledger.formats.spreadsheets.layouts import Paper
from cardledger.formats.spreadsheets.reading import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.formats.spreadsheets.cells import Worksheet


def paper_of(sheets: Sequence[Worksheet], columns: str | None) -> Paper:
    """Return the tables of sheets, each laid so that as little as possible is left out.

    As it stands, if that is equal. `columns` is what the user said of the columns of numbers.
    """
    return Paper([(sheet, _best(sheet, columns)) for sheet in sheets])


def _best(sheet: Worksheet, columns: str | None) -> Arrangement:
    found: list[tuple[tuple[bool, int, int], Arrangement]] = []
    for each in arrangements([cells(sheet, row) for row in range(len(sheet.rows))], columns):
        trial = Paper([(sheet, each)])
        cost = (not trial.tables, trial.left, len(trial.problems))
        if not found and cost == (False, 0, 0):
            return each
        found.append((cost, each))
    return min(found, key=lambda pair: pair[0])[1]
