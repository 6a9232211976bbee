"""Lines below headings: the rows of results of a sheet, each with the facts and headings above it."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, Worksheet
from cardledger.formats.spreadsheets.headings import FACTS, Headings, fact_in, facts_of, headings_of, kind_of
from cardledger.formats.spreadsheets.leftovers import Leftovers, has_figures
from cardledger.formats.spreadsheets.matrices import is_nothing
from cardledger.formats.spreadsheets.readings import may_be_number
from cardledger.formats.spreadsheets.titles import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.formats.spreadsheets.arrangements import Line


class ResultLine(NamedTuple):
    """A row of results: the cells by what they hold, those of hands by number, and the block of rows it stands in.

    `numbered` tells whether the row has a column for the table.
    """

    layout: str
    cells: dict[str, Cell]
    hands: dict[int, Cell]
    block: int
    numbered: bool


def result_lines(
    sheet: Worksheet, lines: Sequence[Line], blocks: Iterator[int], seen: list[tuple[Line, Headings]], left: Leftovers,
) -> Iterator[ResultLine]:  # fmt: skip
    """Yield the rows of results of a sheet; note its headings, and take what is no result.

    `blocks` numbers blocks of rows.
    """
    title = Cell(sheet, -1, -1, sheet.name)
    named = fact_in(title) or (("date", title) if title.day() is not None else None)
    facts: dict[str, Cell] = {named[0]: named[1]} if named else {}
    headings: Headings | None = None
    above: dict[str, Cell] = {}
    block = next(blocks)
    words = False
    for row, line in enumerate(lines):
        if all(cell.empty for cell in line):
            block, above = next(blocks), {}
            words = headings is not None and not any(map(_has_numbers, takewhile(_filled, lines[row + 1 :])))
            continue
        if (new_headings := headings_of(line)) is not None:
            headings, block, above = new_headings, next(blocks), {}
            seen.append((line, new_headings))
            read = {*new_headings.columns.values(), *new_headings.hands.values()}
            left.take(line[column] for column in read)
            for cell in new_headings.unknown:
                left.name_column(cell, repeated=cell in new_headings.repeated)
        elif said := facts_of(line):
            # A day or a game is taken by the first row of results below it; a table may be prepared and stay empty.
            left.take(cell for cell in line if kind_of(cell.text) in FACTS)
            left.take(said[kind] for kind in ("table", "round") if kind in said)
            facts |= said
            block, above = next(blocks), {}
        elif headings is not None and not _numbers_of(line, headings) and (said := said_in(line)):
            facts |= said  # of the next evening or game; taken by its first row, left over without one
            block, above, words = next(blocks), {}, False
        elif not words and headings is not None and (own := _line(line, headings, facts, above, block, left)):
            above = {kind: cell for kind, cell in own.cells.items() if kind in headings.columns}
            yield own
        elif headings is None and (said := said_in(line)):
            left.take(said.values())
            facts |= said


def _filled(line: Line) -> bool:
    return not all(cell.empty for cell in line)


def _numbers_of(line: Line, headings: Headings) -> list[Cell]:
    """Return what stands in the columns of a line that may hold numbers."""
    columns = [
        *headings.hands.values(),
        *(at for kind, at in headings.columns.items() if kind not in ("player", *FACTS)),
    ]
    return [line[column] for column in columns if column < len(line) and not line[column].empty]


def _has_numbers(line: Line) -> bool:
    """Tell whether a line has a number, or headings or facts of what is below it."""
    return bool(facts_of(line)) or headings_of(line) is not None or any(has_figures(cell) for cell in line[1:])


def _line(
    line: Line, headings: Headings, facts: dict[str, Cell], above: dict[str, Cell],
    block: int, left: Leftovers,
) -> ResultLine | None:  # fmt: skip
    """Return a row of results below its headings; None if it has nothing in their columns."""

    def at_column(column: int) -> Cell:
        return line[column] if column < len(line) else line[0]._replace(column=line[0].column + column, value=None)

    own = {kind: at_column(column) for kind, column in headings.columns.items()}
    hands = {number: at_column(column) for number, column in headings.hands.items()}
    filled = [cell for cell in (*own.values(), *hands.values()) if not cell.empty]
    if not filled or (own["player"].empty and not any(map(has_figures, filled))):
        return None  # a remark between the rows
    if not any(map(may_be_number, hands.values())) and sum(not is_nothing(cell) for cell in hands.values()) > 1:
        return None  # who dealt each hand, say
    if own["player"].empty and all(cell is own.get("total") for cell in filled):
        if own["total"].whole() == 0:
            left.take(filled)  # prepared for a player who did not come: its formula gives 0
        return None
    # Joined cells, and those that people leave empty below a first one, say the same as the cell above.
    for kind in (*FACTS, "hand"):
        if kind in own and own[kind].empty and kind in above:
            own[kind] = above[kind]
    assert headings.layout is not None
    return ResultLine(headings.layout, facts | own, hands, block, "table" in own or "round" in own)
