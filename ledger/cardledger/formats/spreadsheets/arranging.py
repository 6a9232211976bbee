"""The arrangement of each sheet under which nothing, or the least, is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.arrangements import Arrangement, arrangements
from cardledger.formats.spreadsheets.layouts import Paper
from cardledger.formats.spreadsheets.reading import cells

_NOTHING_LEFT: Final = (False, 0, 0)
"""The cost of an arrangement with tables, without numbers left out, and without problems."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.formats.spreadsheets.cells import Worksheet
    from cardledger.formats.spreadsheets.wishes import Said


def papers_of(sheets: Sequence[Worksheet], said: Said) -> list[Paper]:
    """Return the tables of sheets, each laid so that as little as possible is left out; as it stands, if that is equal.

    A second one follows if numbers of a sheet would be left out, and a guess leaves out none: that counts only if the
    sums confirm it. `said` is what the user says of how the results lie.
    """
    ways = [_ways(sheet, said) for sheet in sheets]
    laid = [Paper([(sheet, found[0]) for sheet, found in zip(sheets, ways, strict=True)], said.ignore)]
    if any(len(found) > 1 for found in ways):
        laid.append(Paper([(sheet, found[-1]) for sheet, found in zip(sheets, ways, strict=True)], said.ignore))
    return laid


def _ways(sheet: Worksheet, said: Said) -> list[Arrangement]:
    """Return the best way to lay a sheet, and a guess if that is better."""
    found: list[tuple[tuple[bool, int, int], Arrangement]] = []
    for each in arrangements([cells(sheet, row) for row in range(len(sheet.rows))], said):
        trial = Paper([(sheet, each)], said.ignore)
        cost = (not trial.tables, trial.left + trial.lonely, len(trial.problems))
        if each.guessed:
            best = min(found, key=lambda pair: pair[0])
            return [best[1], each] if cost == _NOTHING_LEFT < best[0] else [best[1]]
        if not found and cost == _NOTHING_LEFT:
            return [each]
        found.append((cost, each))
    return [min(found, key=lambda pair: pair[0])[1]]
