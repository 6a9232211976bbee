"""Seasons: a matrix of players and days holds the points of an evening in each cell. Its own totals are the judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at, place_in
from cardledger.formats.spreadsheets.matrices import LaidLines, Line, Matrix, is_nothing, matrix_in
from cardledger.formats.spreadsheets.readings import PLAIN, Reading, number_of, of_numbers
from cardledger.formats.spreadsheets.summaries import MOST_SUMMARIES, is_summary
from cardledger.rules.evenings.places import places
from cardledger.sentence import Sentence, in_one

if TYPE_CHECKING:
    from collections.abc import Mapping

Points = dict[tuple[int, int], int]
"""The points by the places of player and day: who was not there has none."""
LEAST_SUMMED = 2
"""So many players and days there are before numbers that are the sums of all others are taken for sums."""


def season(lines: Sequence[Line], columns: str | None) -> LaidLines | None:
    """Return a season as a block of lines for each evening: how it is read, the cells read besides, and problems.

    `columns` is what the user said: the points of each evening (`hands`), or `running` totals. None for no season.
    """
    matrix = matrix_in(lines)
    if matrix is None or not any(number_of(cell, PLAIN) is not None for _, _, cell in matrix.filled()):
        return None
    if all(number_of(cell, PLAIN) is None for player, _, cell in matrix.filled() if player == 0):
        return None
    doubt = _find_sums(matrix) if columns is None else None
    _find_summaries(matrix)
    reading, points, problems = _read(matrix, columns)
    problems += [] if doubt is None else [doubt]
    laid = [*lines[: matrix.top], *_laid(matrix, points), (), *lines[matrix.end :]]
    nothing = [cell for cell in matrix.cells.values() if is_nothing(cell)]
    read = [
        *matrix.read,
        *matrix.days,
        *matrix.totals.values(),
        *matrix.ranks.values(),
        *matrix.sums.values(),
        *nothing,
    ]
    read += [] if matrix.total is None else [matrix.total]
    read += _summaries_beside(matrix)
    first, last = matrix.names[0].address, matrix.names[-1].address
    how = Sentence(
        "the names from {first} to {last}, an evening for each day from {day} on",
        first=first,
        last=last,
        day=matrix.days[0].address,
    )
    return LaidLines(in_one(how, *filter(None, [reading.how])), laid, (*read,), (*problems,), _fewest(matrix, points))


def _laid(matrix: Matrix, points: Points) -> Iterator[Line]:
    """Yield a blank line, headings and a line for each player who came, day by day; players by name.

    So a sheet that is sorted again each week says the same of an evening.
    """
    in_order = sorted(range(len(matrix.names)), key=lambda player: matrix.names[player].text)
    corner = matrix.names[0]
    for day, heading in enumerate(matrix.days):
        facts = [(said, cell) for said, cell in matrix.facts.get(day, ()) if not cell.empty]
        if not any((player, day) in points for player in in_order):
            continue
        yield ()
        yield [corner._replace(value="player"), heading._replace(value="points"), heading._replace(value="date"), *(said for said, _ in facts)]  # fmt: skip
        for player in in_order:
            if (player, day) in points:
                own = matrix.cells[player, day]._replace(value=points[player, day])
                yield [matrix.names[player], own, heading, *(cell for _, cell in facts)]


def _find_sums(matrix: Matrix) -> SheetProblem | None:
    """Take the last line of players for that of the sums, if it is the sum of all others on every day.

    Whatever it is called. On one day somebody may have so many points: then return the question.
    """
    last = len(matrix.names) - 1
    if matrix.sums or last < LEAST_SUMMED:
        return None
    sums = [matrix.cells[last, day].whole() or 0 for day in range(len(matrix.days))]
    if sums != [_sum(matrix, day, last) for day in range(len(matrix.days))]:
        return None
    if len(matrix.days) < LEAST_SUMMED:
        name = matrix.names[last]
        why = Sentence("{name} has as many points as all others: write Total if this is a row of sums, or say that the columns are hands if this is a player", name=name.text)  # fmt: skip
        return at(name, "sheet.ambiguous", why)
    matrix.read.append(matrix.names.pop())
    matrix.sums = {day: matrix.cells.pop((last, day)) for day in range(len(matrix.days))}
    matrix.total = matrix.totals.pop(last, None)
    if (rank := matrix.ranks.pop(last, None)) is not None and not rank.empty:
        matrix.ranks[last] = rank
    return None


def _find_summaries(matrix: Matrix) -> None:
    """Let lines that are no player's, as they follow from all others or say what is no number, be left over."""
    days = range(len(matrix.days))
    for _ in range(MOST_SUMMARIES):
        if (last := len(matrix.names) - 1) < LEAST_SUMMED:
            return
        own = [matrix.cells[last, day] for day in days]
        others = [[matrix.cells[player, day] for player in range(last)] for day in days]
        if not is_summary(matrix.names[last], own, others):
            return
        matrix.names.pop()
        for day in days:
            del matrix.cells[last, day]
        matrix.totals.pop(last, None)
        matrix.ranks.pop(last, None)


def _summaries_beside(matrix: Matrix) -> Iterator[Cell]:
    """Yield the cells of columns that say of each player what follows from the evenings: how many they were, say."""
    days = range(len(matrix.days))
    for column, cells in matrix.beside.items():
        own = [cells[player] for player in range(len(matrix.names))]
        if is_summary(None, own, [[matrix.cells[player, day] for day in days] for player in range(len(own))]):
            yield from (matrix.headings[column], *own)


def _sum(matrix: Matrix, day: int, before: int) -> int:
    return sum(matrix.cells[player, day].whole() or 0 for player in range(before))


# --- what the numbers mean


def _read(matrix: Matrix, columns: str | None) -> tuple[Reading, Points, list[SheetProblem]]:
    """Return the reading whose sums hold, its points, and what is wrong with it; two that hold are asked about."""
    numbers = [cell for _, _, cell in matrix.filled()]
    running = {"hands": (False,), "running": (True,)}.get(columns or "", (False, True))
    tried = []
    for reading in of_numbers([*numbers, *matrix.totals.values()]):
        for runs in running:
            each = reading._replace(running=runs)
            points, problems = _points(matrix, each, said=columns is not None)
            tried.append((each, points, problems or [*_wrong(matrix, points, each)]))
    fits = [each for each in tried if not each[2]]
    if not fits:
        return min(tried, key=lambda each: (any(one.code != "sheet.ambiguous" for one in each[2]), len(each[2])))
    first = fits[0]
    for other in fits[1:]:
        differ = [at for at in first[1] if first[1][at] != other[1].get(at)]
        if differ:
            cell = matrix.cells[differ[0]]
            way, other_way = (each[0].how or Sentence("each number is of one evening") for each in (first, other))
            why = Sentence("this may be {first} or {other}, as all sums hold both ways: say whether {way} or {other_way}", first=first[1][differ[0]], other=other[1][differ[0]], way=way, other_way=other_way)  # fmt: skip
            return first[0], first[1], [at(cell, "sheet.ambiguous", why)]
    return first


def _points(matrix: Matrix, reading: Reading, *, said: bool) -> tuple[Points, list[SheetProblem]]:
    """Return the points that a reading gives, and a problem for each cell that is no number under it.

    Running totals that neither the user nor totals confirm never sink; one that stays may be of somebody not there.
    """
    points: Points = {}
    problems = []
    before: dict[int, int] = {}
    totalled = bool(matrix.totals) and not any(cell.empty for cell in matrix.totals.values())
    for player, day, cell in sorted(matrix.filled(), key=lambda each: each[:2]):
        number = number_of(cell, reading)
        if number is None:
            why = Sentence(
                "{cell!r} are no points: write a whole number, or nothing for who was not there", cell=cell.text[:40]
            )
            problems.append(at(cell, "sheet.number", why))
            continue
        points[player, day] = number - before.get(player, 0) if reading.running else number
        rise = points[player, day]
        if reading.running and not said and rise < 0 and not totalled:
            problems.append(at(cell, "sheet.sum", Sentence("a running total sinks here: say what the columns are")))
        elif reading.running and not said and rise == 0 and player in before:
            name = matrix.names[player].text
            why = Sentence("the running total of {name} stays {number}: leave the cell empty if {name} was not there, or say that the columns are running totals if these are 0 points", name=name, number=number)  # fmt: skip
            problems.append(at(cell, "sheet.ambiguous", why))
        before[player] = number
    if reading.running and len(before) == len(points):
        problems.append(at(matrix.days[0], "sheet.sum", Sentence("nobody has two numbers, so none is a running total")))
    return points, problems


def _wrong(matrix: Matrix, points: Points, reading: Reading) -> Iterator[SheetProblem]:
    """Yield each total, sum and place of the season that does not follow from the points."""
    made = dict.fromkeys(range(len(matrix.names)), 0)
    for (player, _), number in points.items():
        made[player] += number
    yield from _unequal(matrix.totals, made, reading, {at: name.text for at, name in enumerate(matrix.names)})
    of_day = {
        day: sum(number for (_, when), number in points.items() if when == day) for day in range(len(matrix.days))
    }
    if reading.running:
        of_day = {day: sum(of_day[earlier] for earlier in range(day + 1)) for day in of_day}
    yield from _unequal(matrix.sums, of_day, reading, {at: day.text for at, day in enumerate(matrix.days)})
    if matrix.total is not None:
        yield from _unequal({0: matrix.total}, {0: sum(made.values())}, reading, {0: Sentence("all")})
    if any(not cell.empty for cell in matrix.ranks.values()) and not any(_ranked(matrix, points)):
        yield at(next(iter(matrix.ranks.values())), "sheet.place", Sentence("these are not the places by the points of all evenings: correct them, or delete the column"))  # fmt: skip


def _ranked(matrix: Matrix, points: Points) -> tuple[bool, bool]:
    """Tell whether the places of a season follow from its points if the most win, and if the fewest do."""
    written = [place_in(cell) for cell in matrix.ranks.values()]
    totals = [sum(number for (who, _), number in points.items() if who == player) for player in matrix.ranks]
    most, fewest = (written == [*places(totals, low=low)] for low in (False, True))
    return most, fewest


def _fewest(matrix: Matrix, points: Points) -> bool:
    return bool(matrix.ranks) and _ranked(matrix, points) == (False, True)


def _unequal(
    cells: Mapping[int, Cell], due: Mapping[int, int], reading: Reading, names: Mapping[int, str]
) -> Iterator[SheetProblem]:
    for place, cell in cells.items():
        if cell.empty or (is_nothing(cell) and not due.get(place)):
            continue
        if number_of(cell, reading) != due.get(place):
            why = Sentence(
                "the points of {name} make {made}, not {written}: correct the sum or the points",
                name=names[place],
                made=due.get(place),
                written=cell.text,
            )
            yield at(cell, "sheet.sum", why)
