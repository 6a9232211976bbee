"""Arrangements.

The lines of a sheet, and the ways to lay them so that headings stand above players, one below the other.

Cells keep their addresses, wherever they are laid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.formats.spreadsheets.grids import grid
from cardledger.formats.spreadsheets.headings import FACTS, adds_up, facts_of, hand_of, headings_of, kind_of
from cardledger.formats.spreadsheets.seasons import season
from cardledger.formats.spreadsheets.titles import in_plain_words
from cardledger.formats.spreadsheets.whole_names import with_whole_names
from cardledger.formats.spreadsheets.winners import winners
from cardledger.formats.spreadsheets.wishes import HowItLies
from cardledger.sentence import Sentence

Line = Sequence[Cell]
_NUMBER = re.compile(r"\d+")
_OF_A_PLAYER: Final = ("player", "points", "total", "place", "seat")


class Arrangement(NamedTuple):
    """Lines in the order of reading, what is remarkable of it, and the cells that are read already.

    Of `season` and `winners` (`layout`) each block of lines is an evening: all who came, or the first of them. Nobody
    knows who sat with whom. `problems` are what was found wrong on the way; `fewest`: the places of a season say that the
    fewest points win. What is `guessed` counts only if the sums of the game or of the sheet confirm it; what is `shown` follows from an
    example of the user.
    """

    how: Sentence | None
    lines: list[Line]
    read: tuple[Cell, ...] = ()
    layout: str | None = None
    problems: tuple[SheetProblem, ...] = ()
    fewest: bool = False
    guessed: bool = False
    shown: bool = False


def arrangements(lines: Sequence[Line], said: HowItLies) -> Iterator[Arrangement]:
    """Yield the lines, all of one width, as they stand, then every way to lay them that finds a place to begin.

    What the user says of them may leave only one way.
    """
    for most in (True, False):
        if said.example is not None and (shown := grid(lines, said.example, most=most)) is not None:
            yield Arrangement(shown.how, shown.lines, shown.read, shown=True)
    named, read = with_whole_names(lines)
    for each in _laid_out(in_plain_words(named), said):
        yield each._replace(read=(*each.read, *read))


def _laid_out(whole: Sequence[Line], said: HowItLies) -> Iterator[Arrangement]:
    """Yield the ways to lay lines whose headings are in plain words."""
    yield Arrangement(None, [*whole])
    for arrange in (_beside, _across, _a_match_a_row):
        if (made := arrange(whole)) is not None:
            yield made
    if (of_season := season(whole, said.columns)) is not None:
        yield Arrangement(
            of_season.how, of_season.lines, of_season.read, "season", of_season.problems, of_season.fewest
        )
    if (of_winners := winners(whole)) is not None:
        yield Arrangement(of_winners.how, of_winners.lines, of_winners.read, "winners", of_winners.problems)
    if _spaced(whole):
        yield Arrangement(
            Sentence("without blank rows"), [line for line in whole if not all(cell.empty for cell in line)]
        )
    for across, most in ((False, True), (False, False), (True, True), (True, False)):
        if (guess := grid(whole, None, most=most, across=across)) is None:
            break
        yield Arrangement(guess.how, guess.lines, guess.read, guessed=True)


def _spaced(lines: Sequence[Line]) -> bool:
    """Tell whether several rows stand alone between blank ones, so that these divide no tables."""
    blank = [True, *(all(cell.empty for cell in line) for line in lines), True]
    return sum(not blank[row] and blank[row - 1] and blank[row + 1] for row in range(1, len(blank) - 1)) > 1


# --- tables side by side


def _beside(lines: Sequence[Line]) -> Arrangement | None:
    """Lay tables that stand side by side below each other: a row of headings begins again in the middle."""
    blocks = {row: starts for row, line in enumerate(lines) if (starts := _starts(line))}
    if not any(len(starts) > 1 for starts in blocks.values()):
        return None
    return Arrangement(
        Sentence("tables side by side"),
        [*_laid(lines, blocks, lambda row, end, first, stop: [line[first:stop] for line in lines[row:end]])],
    )


def _starts(line: Line) -> list[int]:
    """Return the columns in which a row of headings begins: that of its first heading, and of every same one."""
    if headings_of(line) is None:
        return []
    kinds = [kind_of(cell.text) for cell in line]
    first = next((kind for kind in kinds if kind is not None), None)
    starts = [column for column, kind in enumerate(kinds) if kind == first]
    parts = zip(starts, [*starts[1:], len(line)], strict=True)
    return starts if all(headings_of(line[start:stop]) for start, stop in parts) else starts[:1]


def _laid(
    lines: Sequence[Line], blocks: dict[int, list[int]], block: Callable[[int, int, int, int], Sequence[Line]]
) -> Iterator[Line]:
    """Yield lines, each block with the lines right above it that say something of it alone, then a blank line."""
    rows = sorted(blocks)
    tops = [_top(lines, row, blocks[row], rows[place - 1] + 1 if place else 0) for place, row in enumerate(rows)]
    yield from lines[: tops[0]]
    for place, row in enumerate(rows):
        end = tops[place + 1] if place + 1 < len(rows) else len(lines)
        starts = blocks[row]
        for start, stop in zip(starts, [*starts[1:], len(lines[row])], strict=True):
            first = 0 if start == starts[0] else start
            yield from (line[first:stop] for line in lines[tops[place] : row])
            yield from block(row, end, first, stop)
            yield ()


def _top(lines: Sequence[Line], row: int, starts: Sequence[int], least: int) -> int:
    """Return the first of the lines right above a row of headings that say something of each block by itself."""
    top = row
    while top > least and any(not cell.empty for cell in lines[top - 1]):
        line = lines[top - 1]
        if any(
            line[start].empty or not facts_of(line[start:stop])
            for start, stop in zip(starts, [*starts[1:], len(line)], strict=True)
        ):
            break
        top -= 1
    return top


# --- players across, hands down


def _across(lines: Sequence[Line]) -> Arrangement | None:
    """Lay a table whose players stand in a row, and hands below them, so that players stand below each other."""
    read: list[Cell] = []
    problems: list[SheetProblem] = []
    blocks: dict[int, list[int]] = {}
    for row, line in enumerate(lines[:-1]):
        below = lines[row + 1]
        starts = [
            column
            for column in range(min(len(line), len(below)) - 2)
            if hand_of(below[column].text) == 1 and _corner(line[column]) and len(_names(line, column + 1)) > 1
        ]
        if starts:
            blocks[row] = starts
    if not blocks:
        return None
    return Arrangement(
        Sentence("players across, hands down"),
        [
            *_laid(
                lines,
                blocks,
                lambda row, end, first, stop: [
                    *_turned(
                        lines,
                        row,
                        end,
                        next(each for each in blocks[row] if first <= each < stop),
                        stop,
                        read,
                        problems,
                    )
                ],
            )
        ],
        (*read,),
        problems=(*problems,),
    )


def _corner(cell: Cell) -> bool:
    return cell.empty or kind_of(cell.text) in ("hand", "round", "player")


def _names(line: Line, start: int) -> list[Cell]:
    """Return the cells of names from a column to the first empty one."""
    names: list[Cell] = []
    for cell in line[start:]:
        if cell.empty or not isinstance(cell.value, str) or cell.whole() is not None or cell.day() is not None:
            break
        names.append(cell)
    return names


def _turned(
    lines: Sequence[Line], row: int, end: int, start: int, stop: int,
    read: list[Cell], problems: list[SheetProblem],
) -> Iterator[Line]:  # fmt: skip
    """Yield headings, a line for each player, and one of sums; then what stands below the hands as it is.

    Running totals between the hands follow from these: they are `read`.
    """
    corner, names = lines[row][start], _names(lines[row][:stop], start + 1)
    hands: list[Line] = []
    below = row + 1
    while below < end and lines[below]:
        if hand_of(lines[below][start].text) == len(hands) + 1:
            hands.append(lines[below])
        elif (
            wrong := _so_far(so_far := lines[below][start : start + 1 + len(names)], names, hands, start)
        ) is not None:
            read += so_far
            problems += wrong
        else:
            break
        below += 1
    sums = lines[below] if below < end and lines[below] and adds_up(lines[below][start].text) else None
    heading = [corner._replace(value="player"), *(hand[start] for hand in hands)]
    yield [*heading, *((sums[start],) if sums else ())]
    for column, name in enumerate(names, start + 1):
        yield [name, *(hand[column] for hand in hands), *((sums[column],) if sums else ())]
    yield from (line[start:stop] for line in lines[below + (sums is not None) : end] if not all(c.empty for c in line))


def _so_far(line: Line, names: Sequence[Cell], hands: Sequence[Line], start: int) -> list[SheetProblem] | None:
    """Return what is wrong in a line without a number of a hand that has the running totals; None for another line."""
    made = [sum(hand[start + place].whole() or 0 for hand in hands) for place in range(1, len(line))]
    wrong = [
        at(cell, "sheet.sum", Sentence("the hands of {name} make {total}, not {written}: correct the total or a hand", name=name.text, total=total, written=cell.text))
        for name, cell, total in zip(names, line[1:], made, strict=True) if cell.whole() != total
    ]  # fmt: skip
    return wrong if line[0].empty and any(made) and 2 * len(wrong) < len(made) else None


# --- one match a row


def _a_match_a_row(lines: Sequence[Line]) -> Arrangement | None:
    """Lay each row as a table, where the headings are `Player 1`, `Score 1`, `Player 2` and so on.

    As forms export them.
    """
    row, columns = next(((row, found) for row, line in enumerate(lines) if (found := _of_players(line))), (0, {}))
    if not columns:
        return None
    line, numbers = lines[row], sorted(columns)
    kinds = [kind for kind in _OF_A_PLAYER if kind in columns[numbers[0]]]
    same = [column for column, cell in enumerate(line) if kind_of(cell.text) in FACTS]
    read = tuple(line[columns[number][kind]] for number in numbers for kind in kinds if kind in columns[number])
    laid: list[Line] = [*lines[:row]]
    headings = [
        *(line[column] for column in same),
        *(line[columns[numbers[0]][kind]]._replace(value=kind) for kind in kinds),
    ]
    for values in lines[row + 1 :]:
        if all(cell.empty for cell in values):
            continue
        laid += [(), headings]
        for number in numbers:
            own = [values[columns[number][kind]] for kind in kinds if kind in columns[number]]
            if not all(cell.empty for cell in own):
                laid.append([*(values[column] for column in same), *own])
    return (
        Arrangement(Sentence("one match a row"), laid, read)
        if all(columns[each].keys() >= {*kinds} for each in numbers)
        else None
    )


def _of_players(line: Line) -> dict[int, dict[str, int]]:
    """Return the columns of each numbered player by what they hold; nothing if the line is no such row of headings."""
    columns: dict[int, dict[str, int]] = {}
    for column, cell in enumerate(line):
        if (found := _numbered(cell.text)) is not None:
            columns.setdefault(found[1], {}).setdefault(found[0], column)
    whole = len(columns) > 1 and all("player" in each and len(each) > 1 for each in columns.values())
    return columns if whole else {}


def _numbered(text: str) -> tuple[str, int] | None:
    """Return what a heading such as `Player 2`, or `Player 2 score`, is of, and the number of the player.

    >>> _numbered("Player 2"), _numbered("Punkte 3"), _numbered("Player 2 Score"), _numbered("Weather 2")
    (('player', 2), ('points', 3), ('points', 2), None)
    """
    *_, number = (None, *_NUMBER.finditer(text))
    if number is None or not number.start() or len(number[0]) > 2:
        return None
    kind = kind_of(text[number.end() :].strip() or text[: number.start()])
    return (kind, int(number[0])) if kind in _OF_A_PLAYER else None
