"""The arrangement of each sheet under which nothing, or the least, is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.arrangements import Arrangement, arrangements
from cardledger.formats.spreadsheets.cells import SheetError, SheetProblem
from cardledger.formats.spreadsheets.layouts import Paper
from cardledger.formats.spreadsheets.reading import cells
from cardledger.sentence import Sentence

_NOTHING_LEFT: Final = (False, 0, 0)
"""The cost of an arrangement with tables, without numbers left out, and without problems."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.formats.spreadsheets.cells import Worksheet
    from cardledger.formats.spreadsheets.wishes import HowItLies


def papers_of(sheets: Sequence[Worksheet], said: HowItLies) -> list[Paper]:
    """Return the tables of sheets, each laid so that as little as possible is left out; as it stands, if that is equal.

    Others follow if numbers of a sheet would be left out, and guesses leave out none: one counts only if the sums confirm
    it. `said` is what the user says of how the results lie.
    """
    ways = [_ways(sheet, said) for sheet in sheets]
    if (example := said.example) is not None and sheets and not any(found[0].shown for found in ways):
        why = Sentence("{name} and {score} are no name and number of one player: show a name and a number in its row or column", name=example.name, score=example.score)  # fmt: skip
        raise SheetError([SheetProblem("sheet.layout", why, sheets[0].file, sheets[0].name)])
    return [
        Paper(
            [(sheet, found[min(number, len(found) - 1)]) for sheet, found in zip(sheets, ways, strict=True)],
            said.ignore,
        )
        for number in range(max(map(len, ways), default=1))
    ]


def _ways(sheet: Worksheet, said: HowItLies) -> list[Arrangement]:
    """Return the best way to lay a sheet, and guesses if they are better."""
    found: list[tuple[tuple[bool, int, int], Arrangement]] = []
    guesses, shown = [], []
    width = max(map(len, sheet.rows), default=0)
    for each in arrangements([cells(sheet, row, width) for row in range(len(sheet.rows))], said):
        if each.shown:
            shown.append(each)
            continue
        if shown:
            return shown
        trial = Paper([(sheet, each)], said.ignore)
        cost = (not trial.tables, trial.left + trial.lonely, len(trial.problems))
        if not each.guessed and not found and cost == _NOTHING_LEFT:
            return [each]
        if not each.guessed:
            found.append((cost, each))
        elif cost == _NOTHING_LEFT:
            guesses.append(each)
    least, best = min(found, key=lambda pair: pair[0])
    return [best, *(guesses if least > _NOTHING_LEFT else ())]
