"""Readings: what the numbers of a table may mean: hands or running totals, an empty cell or a 0, marks at a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell
from cardledger.sentence import Sentence, in_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.formats.spreadsheets.tables_on_paper import HandOnPaper, TableOnPaper

_MARKED = re.compile(r"[(\[*_ ]*([+-]?\d{1,6})[)\]*_!°† ]*")
_BRACKETS = re.compile(r"\(\s*(\d{1,6})\s*\)")
_ZEROS = frozenset("øØ∅⌀o")
"""Zeros that are crossed out, or that are typed as letters."""
_NOTHING = frozenset("-–—./x")


class Reading(NamedTuple):
    """What the numbers of all tables mean.

    `running`: each column holds the sum of all hands so far; `blanks`: an empty cell, or a dash, among the points of a
    hand is a 0; `marks`: a number may have marks, such as `26*` or `(13)`; `negative`: a number in brackets is below 0,
    as in accounts.
    """

    running: bool = False
    blanks: bool = False
    marks: bool = False
    negative: bool = False

    @property
    def how(self) -> Sentence | None:
        """What is remarkable of it, in words; None for numbers as they stand."""
        said = (
            (self.running, Sentence("the columns are running totals")),
            (self.blanks, Sentence("an empty cell is 0")),
            (self.marks and not self.negative, Sentence("marks at numbers are left out")),
            (self.negative, Sentence("numbers in brackets are below 0")),
        )
        true = [text for does, text in said if does]
        return in_one(*true) if true else None


PLAIN = Reading()


def readings(tables: Sequence[TableOnPaper], running: bool | None = None) -> Iterator[Reading]:
    """Yield the readings that make a difference, the simplest first; `running` is what the user said of that."""
    cells = [cell for table in tables for hand in table.hands.values() for cell in hand.points.values()]
    cells += [player.total for table in tables for player in table.players if player.total is not None]
    blanks = any(_is_nothing(cell) for cell in cells)
    several = any(len(table.hands) > 1 for table in tables)
    for numbers in of_numbers(cells):
        for with_blanks in (False, True)[: 1 + blanks]:
            for is_running in (False, True)[: 1 + several] if running is None else (running,):
                yield numbers._replace(running=is_running, blanks=with_blanks)


def of_numbers(cells: Sequence[Cell]) -> Iterator[Reading]:
    """Yield the readings of single numbers that make a difference: with marks, and in brackets."""
    yield PLAIN
    if any(_unmarked(cell, negative=False) is not cell for cell in cells):
        yield Reading(marks=True)
    if any(_BRACKETS.fullmatch(cell.text) for cell in cells):
        yield Reading(marks=True, negative=True)


def number_of(cell: Cell, reading: Reading) -> int | None:
    """Return the number of a cell under a reading, None for anything else."""
    return (_unmarked(cell, negative=reading.negative) if reading.marks else cell).whole()


def may_be_number(cell: Cell) -> bool:
    """Tell whether a cell holds figures, or a letter that may be a crossed-out zero."""
    return cell.text in _ZEROS or any(char.isnumeric() for char in cell.text)


def read(reading: Reading, table: TableOnPaper) -> TableOnPaper:
    """Return a table with the numbers that a reading gives; the cells keep their addresses."""
    made = table
    if reading.marks:
        made = _changed(made, partial(_unmarked, negative=reading.negative))
    if reading.running:
        made = replace(made, hands=_differences(made.hands))
    elif reading.blanks:
        made = replace(made, players=[replace(player, total=_nothing(player.total)) for player in made.players])
        hands = {
            number: replace(
                hand, points={place: _zero(cell) for place, cell in hand.points.items()}, sum=_nothing(hand.sum)
            )
            for number, hand in made.hands.items()
            if any(not _is_nothing(cell) for cell in hand.points.values())
        }
        made = replace(made, hands=made.hands | hands)
    return made


def _changed(table: TableOnPaper, change: Callable[[Cell], Cell]) -> TableOnPaper:
    """Return a table with every number changed."""
    players = [
        replace(player, total=None if player.total is None else change(player.total)) for player in table.players
    ]
    hands = {
        number: replace(hand, points={place: change(cell) for place, cell in hand.points.items()})
        for number, hand in table.hands.items()
    }
    return replace(table, players=players, hands=hands)


def _differences(hands: Mapping[int, HandOnPaper]) -> dict[int, HandOnPaper]:
    """Return hands with what each added to the one before; a column of nothing stays."""
    made = {}
    before: dict[int, int] = {}
    sum_before = 0
    for number in sorted(hands):
        hand = hands[number]
        points = {}
        for place, cell in hand.points.items():
            now = cell.whole()
            points[place] = cell if now is None else cell._replace(value=now - before.get(place, 0))
            before[place] = before.get(place, 0) if now is None else now
        total = None if hand.sum is None else hand.sum.whole()
        sum = hand.sum
        if sum is not None and total is not None and not all(cell.empty for cell in hand.points.values()):
            sum, sum_before = sum._replace(value=total - sum_before), total
        made[number] = replace(hand, points=points, sum=sum)
    return made


def _unmarked(cell: Cell, *, negative: bool) -> Cell:
    """Return the cell of a number without its marks, the same one if it has none; in brackets it may be below 0."""
    if negative and (bracketed := _BRACKETS.fullmatch(cell.text)):
        return cell._replace(value=-int(bracketed[1]))
    if cell.text in _ZEROS:
        return cell._replace(value=0)
    parts = _MARKED.fullmatch(cell.text) if isinstance(cell.value, str) and cell.whole() is None else None
    return cell if parts is None else cell._replace(value=int(parts[1]))


def _is_nothing(cell: Cell) -> bool:
    return cell.empty or cell.text in _NOTHING


def _nothing(cell: Cell | None) -> Cell | None:
    """Return no cell in place of a total or a sum that has no number."""
    return None if cell is None or _is_nothing(cell) else cell


def _zero(cell: Cell) -> Cell:
    return cell._replace(value=0) if _is_nothing(cell) else cell
