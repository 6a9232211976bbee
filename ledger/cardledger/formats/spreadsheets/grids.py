"""Grids: names in one line and numbers beside them, whatever the headings say, if they say anything.

What the numbers are is a guess, unless the user has shown one; the sums of the game and of the sheet must confirm it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import Cell, address
from cardledger.formats.spreadsheets.headings import FACTS, adds_up, facts_of, hand_of, headings_of, kind_of
from cardledger.formats.spreadsheets.leftovers import has_figures
from cardledger.formats.spreadsheets.matrices import MARKED, LaidLines, Line, is_name, is_nothing
from cardledger.formats.spreadsheets.readings import number_of
from cardledger.formats.spreadsheets.titles import said_in
from cardledger.sentence import Sentence

MEANINGS: Final = ("hand", "running", "total")
"""What a number may be that the user shows: the points of a hand, a running total, or the total."""


class Example(NamedTuple):
    """What the user shows: the cell of a player's name, that of a number of this player, and what the number is.

    Cells are addresses, behind the name of their sheet and a `!` where a file has several.
    """

    name: str
    score: str
    what: str


class _Shown(NamedTuple):
    """An example on a sheet: its cells by row and column."""

    name: tuple[int, int]
    score: tuple[int, int]
    what: str


def grid(lines: Sequence[Line], example: Example | None, *, most: bool, across: bool = False) -> LaidLines | None:
    """Return the lines with headings that follow from what stands below them; None if there is no grid.

    `most` takes a column that no heading explains for the totals, if it is the sum of all others, else for a hand. With
    an example it takes all columns of numbers, else that of a total alone, or no hands before the one that is shown.
    Names stand below each other, or else beside each other; with `across` this is tried first.
    """
    shown = None if example is None else _shown(lines, example)
    if example is not None and shown is None:
        return None
    laid: list[Line] = []
    read: list[Cell] = []
    first, start = None, 0
    while start < len(lines):
        end = start
        while end < len(lines) and not _ends(lines[end]):
            end += 1
        region = lines[start:end]
        beside = [*_side_by_side(region, shown)] if region else []
        blocks = [_block(part, moved, most, across) for part, moved in beside]
        for found in filter(None, blocks):
            laid += [(), *found.lines]
            read += found.read
            first = first or found.how
        if not any(blocks) and (first is None or any(map(headings_of, region))):
            laid += region
        laid += lines[end : end + 1]
        start = end + 1
    return None if first is None else LaidLines(first, laid, (*read,), ())


def _ends(line: Line) -> bool:
    return all(cell.empty for cell in line) or bool(facts_of(line)) or bool(said_in(line))


def _shown(lines: Sequence[Line], example: Example) -> _Shown | None:
    """Return an example in rows and columns, None if it is of another sheet, or shows cells that cannot be it."""
    at: list[tuple[int, int]] = []
    for text in (example.name, example.score):
        title, _, cell = text.rpartition("!")
        for row, line in enumerate(lines):
            at += [(row, column) for column, each in enumerate(line)
                   if address(each.row, each.column) == cell.upper() and title in ("", each.sheet.name)]  # fmt: skip
    if len(at) != 2 or (at[0][0] == at[1][0]) == (at[0][1] == at[1][1]):
        return None
    name, score = (lines[row][column] for row, column in at)
    return _Shown(at[0], at[1], example.what) if is_name(name) and number_of(score, MARKED) is not None else None


def _side_by_side(region: Sequence[Line], shown: _Shown | None) -> Iterator[tuple[Sequence[Line], _Shown | None]]:
    """Yield the tables of a region that stand side by side, each with what is shown as if it were shown of it.

    One ends at a blank column, or where names stand in a column again behind numbers, and have numbers of their own.
    """
    columns = [*zip(*region, strict=True)]
    numbered = [_numbered(line) for line in region]
    names = [sum(has and _named(cell) for has, cell in zip(numbered, column, strict=True)) > 1 for column in columns]
    counted = [any(number_of(cell, MARKED) is not None for cell in column) for column in columns]
    starts = [0]
    for at in range(len(columns)):
        blank = at > 0 and all(cell.empty for cell in columns[at - 1]) and not all(cell.empty for cell in columns[at])
        if any(counted[starts[-1] : at]) and any(counted[at:]) and (blank or names[at] and any(names[starts[-1] : at])):
            starts.append(at)
    where = 0 if shown is None else max(start for start in starts if start <= shown.name[1])
    for start, stop in zip(starts, [*starts[1:], len(columns)], strict=True):
        part = [line[start:stop] for line in region]
        if shown is None:
            yield part, None
            continue
        moved = [(row, column - where) for row, column in (shown.name, shown.score)]
        yield part, _Shown(moved[0], moved[1], shown.what)


def _block(region: Sequence[Line], shown: _Shown | None, most: bool, across: bool) -> LaidLines | None:
    """Return the block of a region, its players down or else across."""
    if across and (found := _down([*zip(*region, strict=True)], None, None, most)) is not None:
        return found
    if shown is None or shown.name[0] == shown.score[0]:
        column = None if shown is None else (shown.name[1], shown.score[1])
        if (found := _down(region, column, shown, most)) is not None:
            return found
    if shown is None or shown.name[1] == shown.score[1]:
        turned = [*zip(*region, strict=True)]
        top = region[0][0].row
        here = shown is not None and top <= shown.name[0] < top + len(region)
        rows = (shown.name[0] - top, shown.score[0] - top) if shown is not None and here else None
        return _down(turned, rows, shown, most)
    return None


def _down(
    region: Sequence[Line], shown_at: tuple[int, int] | None, shown: _Shown | None, most: bool
) -> LaidLines | None:
    """Return headings and a line for each player of a region whose names stand in a column.

    `shown_at` are the columns of a name and of a number that the user has shown.
    """
    width = len(region[0])
    if shown_at is not None and not 0 <= shown_at[0] < width:
        return None
    columns = range(width) if shown_at is None else shown_at[:1]
    numbered = [_numbered(line) for line in region]
    plays = [[has and _named(line[column]) for has, line in zip(numbered, region, strict=True)] for column in columns]
    corner = next((column for column, rows in zip(columns, plays, strict=True) if sum(rows) > 1), None)
    if corner is None:
        return None
    here = plays[[*columns].index(corner)]
    top = here.index(True)
    after = (row for row in range(top, len(region)) if not here[row] and not adds_up(region[row][corner].text))
    end = next(after, len(region))
    head, rows = region[:top], [*region[top:end]]
    sums = next((line for line in rows if adds_up(line[corner].text)), None)
    rows = [line for line in rows if line is not sums]
    kinds = _kinds(head[-1] if head else None, rows, corner, most, strict=shown is None)
    if kinds is None:
        return None
    if shown_at is not None and shown is not None and not _as_shown(kinds, shown_at[1], shown.what, most):
        return None
    used = [corner, *kinds]
    first = rows[0][corner]
    headings = [first._replace(value="player")]
    headings += [rows[0][column]._replace(value=kind) for column, kind in kinds.items()]
    made: list[Line] = [headings, *([line[column] for column in used] for line in (*rows, *([sums] if sums else [])))]
    # A heading with figures is read if it counts; a day is of something else.
    read = [head[-1][at] for at in used if hand_of(head[-1][at].text) or not has_figures(head[-1][at])] if head else []
    how = Sentence(
        "names from {first} to {last} beside their numbers", first=first.address, last=rows[-1][corner].address
    )
    return LaidLines(how, made, (*read,), ())


def _numbered(line: Line) -> bool:
    """Tell whether a line has numbers that are no numbers of hands."""
    numbers = [number for cell in line if (number := number_of(cell, MARKED)) is not None]
    return bool(numbers) and not (len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)])


def _named(cell: Cell) -> bool:
    return is_name(cell) and kind_of(cell.text) is None


def _kinds(
    head: Line | None, rows: Sequence[Line], corner: int, most: bool, *, strict: bool
) -> dict[int, str | int] | None:
    """Return what each column of numbers is: its kind by its heading, the total of the others, or the number of a hand.

    None if another column has texts among numbers, or holds something else; without `strict` such columns are left out.
    """
    kinds: dict[int, str | int] = {}
    hands: list[int] = []
    for column in range(len(rows[0])):
        cells = [line[column] for line in rows]
        if column == corner or all(number_of(cell, MARKED) is None for cell in cells):
            continue
        mixed = any(number_of(cell, MARKED) is None and not is_nothing(cell) for cell in cells)
        kind = None if head is None else kind_of(head[column].text)
        if mixed or kind in FACTS or kind in ("hand", "bid", "tricks"):
            if strict:
                return None
            continue
        if kind in ("seat", "place", "total"):
            kinds[column] = kind
        else:
            hands.append(column)
    named = head is not None and any(hand_of(head[column].text) for column in hands)
    if most and "total" not in kinds.values() and len(hands) > 1:
        for total in (hands[-1], hands[0]):
            others = [column for column in hands if column != total]
            if not (named and head is not None and hand_of(head[total].text)) and all(
                _sum(line, others) == _sum(line, [total]) for line in rows
            ):
                kinds[total] = "total"
                hands = others
                break
    if len(hands) == 1 and "total" not in kinds.values():
        kinds[hands.pop()] = "total"
    return kinds | {column: number for number, column in enumerate(hands, 1)}


def _sum(line: Line, columns: Sequence[int]) -> int:
    return sum(number_of(line[column], MARKED) or 0 for column in columns)


def _as_shown(kinds: dict[int, str | int], column: int, what: str, most: bool) -> bool:
    """Let the columns be as the user shows one of them; tell whether they can be. What is left out is listed."""
    if column not in kinds:
        return False
    if what == "total":
        for each in [each for each, kind in kinds.items() if kind == "total" or not (most or isinstance(kind, str))]:
            del kinds[each]
        kinds[column] = "total"
    else:
        kinds[column] = kinds[column] if isinstance(kinds[column], int) else 0
        for each in [each for each, kind in kinds.items() if isinstance(kind, int) and each < column and not most]:
            del kinds[each]
    hands = sorted(each for each, kind in kinds.items() if isinstance(kind, int))
    kinds |= {each: number for number, each in enumerate(hands, 1)}
    return True


def columns_of(example: Example | None) -> str | None:
    """Return what an example says of the columns: `hands` or `running`, None for a total."""
    return None if example is None else {"hand": "hands", "running": "running"}.get(example.what)


def example_of(name: str | None, score: str | None, what: str | None) -> Example | None:
    """Return what a user shows, None if nothing; raises FormatError `format.value` for a part of it."""
    if name is None and score is None and what is None:
        return None
    if name is None or score is None or what not in MEANINGS:
        raise FormatError(
            "format.value", f"show a name, a score and what it is ({', '.join(MEANINGS)}), or none of them"
        )
    return Example(name, score, what)
