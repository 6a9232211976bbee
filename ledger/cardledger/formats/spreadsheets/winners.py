"""Winners: sheets that name who won each evening, the first, the second and so on, with points perhaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at, place_in
from cardledger.formats.spreadsheets.headings import FACTS, kind_of
from cardledger.formats.spreadsheets.matrices import LaidLines, Line, is_day, is_name, is_nothing, tops
from cardledger.formats.spreadsheets.readings import Reading, number_of
from cardledger.rules.games.names import plain
from cardledger.sentence import Sentence

PLACES: Final = (
    ("winner", "winners", "won", "first", "gold", "sieger", "siegerin", "gewinner", "erster", "erste", "vainqueur", "gagnant",
     "gagnante", "premier", "premiere", "or"),
    ("runner up", "second", "silver", "zweiter", "zweite", "silber", "deuxieme", "seconde", "argent"),
    ("third", "bronze", "dritter", "dritte", "troisieme"),
    ("fourth", "vierter", "vierte", "quatrieme"),
    ("fifth", "funfter", "funfte", "cinquieme"),
    ("sixth", "sechster", "sechste", "sixieme"),
)  # fmt: skip
"""Words for places in English, German and French: small letters, without accents."""
_WITH_POINTS = re.compile(r"(\D*[^\W\d_][.']?) ?[:,;=]? ([(\[]?[+−–-]?\d{1,6}[)\]]?)(?: ?(\D+))?")
_SEVERAL = re.compile(r"[/&+;]|\b(?:and|und|et)\b")


class _Column(NamedTuple):
    """The column of a place: its number, and that of the points beside it."""

    place: int
    name: int
    points: int | None


class _Winner(NamedTuple):
    """A name with its place and points, each in a cell."""

    name: Cell
    place: Cell
    points: Cell | None


def place_of(cell: Cell) -> int | None:
    """Return the place that a heading says, None if it says none: `2nd`, `3.`, `Runner-up`, `Platz 1`."""
    words = [word for word in plain(cell.text).split() if kind_of(word) != "place"]
    named = next((place for place, all_of in enumerate(PLACES, 1) if " ".join(words) in all_of), None)
    return named or place_in(cell._replace(value=" ".join(words))) or None


def winners(lines: Sequence[Line]) -> LaidLines | None:
    """Return a block of lines for each evening of which only the first places are written, or None.

    With how it is read, the cells read besides, and problems. Evenings stand below each other, or beside each other.
    """
    for top, end in tops(lines):
        line, grid = lines[top], lines[top:end]
        for turned in (grid, [*zip(*grid, strict=True)]):
            if (columns := _columns(turned)) is not None:
                read: list[Cell] = []
                problems: list[SheetProblem] = []
                laid = [*lines[:top], *_evenings(turned, columns, read, problems), (), *lines[end:]]
                return LaidLines(
                    Sentence("places and names from {cell} on", cell=line[0].address), laid, (*read,), (*problems,)
                )
    return None


def _columns(grid: Sequence[Line]) -> list[_Column] | None:
    """Return the columns of places under a line of headings: 1, 2, 3 and so on, with names below them."""
    head = grid[0]
    found = []
    for column, cell in enumerate(head):
        place = None if cell.empty or is_day(cell) else place_of(cell)
        if place is None or not all(is_name(line[column]) or is_nothing(line[column]) for line in grid[1:]):
            continue
        beside = column + 1 < len(head) and kind_of(head[column + 1].text) in ("points", "total")
        unnamed = column + 1 < len(head) and head[column + 1].empty and any(
            line[column + 1].whole() is not None for line in grid[1:]
        )  # fmt: skip
        found.append(_Column(place, column, column + 1 if beside or unnamed else None))
    named = any(is_name(line[each.name]) for line in grid[1:] for each in found)
    return found if named and [each.place for each in found] == [*range(1, len(found) + 1)] else None


def _evenings(
    grid: Sequence[Line], columns: Sequence[_Column], read: list[Cell], problems: list[SheetProblem]
) -> Iterator[Line]:
    """Yield a blank line, headings and a line for each winner, evening by evening."""
    head = grid[0]
    taken = {column for each in columns for column in (each.name, each.points) if column is not None}
    facts = {}
    for column, cell in enumerate(head):
        below = [line[column] for line in grid[1:] if not line[column].empty]
        kind = "date" if below and all(map(is_day, below)) else kind_of(cell.text)
        if column not in taken and kind in FACTS and kind not in facts:
            facts[kind] = column
            read.append(cell)
    for line in grid[1:]:
        of_line = _shared([*_winners(head, line, columns, problems)])
        read += [line[column] for column in taken if is_nothing(line[column])]
        said = {kind: line[column] for kind, column in facts.items() if not line[column].empty}
        if not of_line:
            continue
        with_points = all(winner.points is not None for winner in of_line)
        if not with_points:
            problems += [
                at(winner.points, "sheet.empty", Sentence("only some of the winners have points: write those of all, or of none"))
                for winner in of_line if winner.points is not None
            ][:1]  # fmt: skip
        first = of_line[0].name
        yield ()
        yield [
            *(head[facts[kind]]._replace(value=kind) for kind in said), first._replace(value="player"),
            head[columns[0].name]._replace(value="place"),
            *([first._replace(value="points")] if with_points else []),
        ]  # fmt: skip
        for winner in of_line:
            points = [winner.points] if with_points and winner.points is not None else []
            yield [*said.values(), winner.name, winner.place, *points]
    read += [head[column] for column in taken]


def _shared(winners: Sequence[_Winner]) -> list[_Winner]:
    """Return winners in the order of their places, those with the same points at the same place."""
    made: list[_Winner] = []
    for winner in winners:
        same = made and winner.points is not None and made[-1].points is not None and (
            made[-1].points.whole() == winner.points.whole()
        )  # fmt: skip
        made.append(winner._replace(place=winner.place._replace(value=made[-1].place.value)) if same else winner)
    return made


def _winners(head: Line, line: Line, columns: Sequence[_Column], problems: list[SheetProblem]) -> Iterator[_Winner]:
    for each in columns:
        cell = line[each.name]
        if is_nothing(cell):
            continue
        name, points = _parted(cell)
        beside = None if each.points is None else line[each.points]
        if beside is not None and not is_nothing(beside):
            points = beside
        if _SEVERAL.search(name.text):
            why = Sentence(
                "{name!r} looks like several names: write each in a cell of its own, with its place",
                name=name.text[:40],
            )
            problems.append(at(cell, "sheet.name", why))
        yield _Winner(name, cell._replace(value=each.place), points)


def _parted(cell: Cell) -> tuple[Cell, Cell | None]:
    """Return a name, and the points behind it if there are any: `Ann 26`, `Ann (26)`, `Ann: 26 points`."""
    parts = _WITH_POINTS.fullmatch(cell.text)
    if parts is None or (parts[3] and kind_of(parts[3]) != "points"):
        return cell, None
    number = cell._replace(value=parts[2])
    points = number_of(number, Reading(marks=True))
    return cell._replace(value=parts[1]), number if points is None else number._replace(value=points)
