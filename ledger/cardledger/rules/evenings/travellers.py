"""Travellers: every result of a board, with rulings, as it is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.engine.events import Award as Ruled
from cardledger.rules.engine.events import Weighted
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.awards import Artificial, Award, BoardRow, plain
from cardledger.rules.evenings.contract import score
from cardledger.rules.evenings.played_boards import PlayedBoard
from cardledger.rules.evenings.rounding import exact
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence

AVERAGE = Artificial(Fraction(50))
"""What both lines get for a board that is absent with the average."""


class Outcome(NamedTuple):
    """What a match gave: points and places by seat, and the hands played.

    `score` are the points for north-south if it was a board, `boards` what became of each board of bridge.
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    hands: int = 1
    score: int | None = None
    boards: Mapping[int, PlayedBoard] = {}


ResultOf = Callable[[str], Outcome]
"""Gives the outcome of a match by its id, as it stands now: so a correction in the match corrects the evening."""


class TravellerLine(NamedTuple):
    """A line of a traveller.

    Where the board was played, the entries of the two lines, how it is compared, and its events.

    `played` is what the table made of it before the rulings of the evening, None if it was not played.
    """

    round: int
    table: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    row: BoardRow
    events: tuple[int, ...]
    played: PlayedBoard | None = None


def travellers(session: SessionState, result_of: ResultOf) -> dict[int, list[TravellerLine]]:
    """Return the traveller of each board, by round and table; raises what `result_of` raises."""
    rulings: dict[tuple[int, int, int], list[tuple[int, ev.EveningAdjust]]] = {}
    for seq, ruling in session.rulings:
        if ruling.round and ruling.table and ruling.board:
            rulings.setdefault((ruling.round, ruling.table, ruling.board), []).append((seq, ruling))
    played = _played(session, result_of)
    averages = _averages(session)
    tables = {round: session.tables(round) for round in session.rounds}
    by_board: dict[int, list[TravellerLine]] = {}
    for round, table, board in sorted(played.keys() | averages.keys() | rulings.keys()):
        at = round, table, board
        entered, made = played.get(at) or (averages.get(at), None)
        row = made.row if made else None if entered is None else BoardRow(AVERAGE, AVERAGE)
        ruled = rulings.get(at, [])
        row = _ruled_row(row, [ruling for _, ruling in ruled], board)
        if row is not None:
            seats = tables[round][table].seats
            numbers = (*(() if entered is None else (entered,)), *(seq for seq, _ in ruled))
            by_board.setdefault(board, []).append(
                TravellerLine(round, table, seats[::2], seats[1::2], row, numbers, made)
            )
    return dict(sorted(by_board.items()))


def outcome_of(result: ev.Result, result_of: ResultOf) -> Outcome:
    """Return the outcome of the match that a result names.

    Raises what `result_of` raises, a RuleError with round and table.
    """
    try:
        return result_of(str(result.match))
    except RuleError as error:
        where = Sentence("at table {table} in round {round}", table=result.table, round=result.round)
        raise RuleError(error.code, Sentence("{where}, {message}", where=where, message=error.message)) from None


def _played(session: SessionState, result_of: ResultOf) -> dict[tuple[int, int, int], tuple[int, PlayedBoard]]:
    """Return what each table made of each board, with the event that says so; a board not played yet has nothing."""
    played: dict[tuple[int, int, int], tuple[int, PlayedBoard]] = {}
    for (round, table, board), (seq, result) in session.results.items():
        if board is not None and (made := _made(result, board, result_of)) is not None:
            played[round, table, board] = seq, made
    return played


def _averages(session: SessionState) -> dict[tuple[int, int, int], int]:
    """Return the boards for which both lines get the average, each with the event that says so."""
    return {
        (round, table, one): seq
        for (round, table, board), (seq, absent) in session.absences.items()
        if absent.why == "average"
        for one in ((board,) if board is not None else session.tables(round)[table].boards)
    }


def _made(result: ev.Result, board: int, result_of: ResultOf) -> PlayedBoard | None:
    if result.score is not None:
        return PlayedBoard(plain(result.score), result.score)
    if result.contract is not None:
        points = score(result.contract, result.declarer, result.tricks, board)
        return PlayedBoard(plain(points), points, result.contract, result.declarer, None, result.tricks)
    outcome = outcome_of(result, result_of)
    if board in outcome.boards:
        return outcome.boards[board]
    if not outcome.hands or any(outcome.boards):
        return None
    if outcome.boards:
        return outcome.boards[0]  # the one hand of a match whose boards have no numbers
    # A game without boards of its own, played as a duplicate: the difference between the lines.
    points = outcome.score if outcome.score is not None else outcome.points[0] - outcome.points[1]
    return PlayedBoard(plain(points), points)


def _ruled_row(row: BoardRow | None, rulings: Iterable[ev.EveningAdjust], board: int) -> BoardRow | None:
    """Return a row after the rulings of the evening, later ones before earlier ones."""
    ns, ew, group = (row.ns, row.ew, row.group) if row is not None else (None, None, 0)
    before = ns, ew
    for ruling in rulings:
        group = ruling.group if ruling.group is not None else group
        if ruling.ns is not None or ruling.ew is not None:
            ns, ew = _ruled(ruling.ns, ruling.ew, before[0], board), _ruled(ruling.ew, ruling.ns, before[1], board)
    return BoardRow(ns, ew, group) if ns is not None and ew is not None else None


def _ruled(mine: Ruled | None, theirs: Ruled | None, award: Award | None, board: int) -> Award:
    """Return the award to a side: as ruled.

    Else the same results as the other side, the result, or what remains of 100 %.
    """
    if isinstance(mine, tuple):
        return tuple((Fraction(each.weight, 100), _points(each, board)) for each in mine)
    if mine is not None:
        return Artificial(exact(mine))
    if isinstance(theirs, tuple):
        return _ruled(theirs, None, award, board)
    assert theirs is not None
    return award if award is not None else Artificial(100 - exact(theirs))


def _points(result: Weighted, board: int) -> int:
    if result.score is not None:
        return result.score
    return score(str(result.contract), result.declarer, result.tricks, board)
