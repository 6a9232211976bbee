"""The sheet of one hand of a drive: all tables with their tricks; and the events that a drive and its tricks become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.score_sheet import ScoreSheet
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_rules import (
    AT_TABLE,
    drives,
    expect_points,
    in_pairs,
    last_round,
    tricks_of,
    trump_of,
)
from cardledger.rules.evenings.movement import refusal
from cardledger.rules.evenings.other_game import game_of
from cardledger.rules.games import games, start
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.session import SessionState

Moves = Literal["winners_up", "ladies_up"]
Trump = Literal["C", "D", "H", "S", "NT"]


class HandTable(NamedTuple):
    """A table of a hand: its number, its entries N E S W, and their points, None as long as there are none.

    `event` is the number of the result in the stream, 0 without one.
    """

    number: int
    entries: tuple[int, ...]
    points: tuple[int, ...] | None
    event: int


class DrivenHand(NamedTuple):
    """A hand of a drive.

    Its round, its number of all hands, its trump, its tables, who sits out, the tricks of a hand. `in_pairs`: two pairs
    play at each table.
    """

    round: int
    number: int
    hands: int
    trump: str | None
    tricks: int | None
    tables: tuple[HandTable, ...]
    sitting_out: tuple[int, ...]
    in_pairs: bool

    @property
    def missing(self) -> tuple[int, ...]:
        """The tables that have no tricks yet."""
        return tuple(table.number for table in self.tables if table.points is None)


def driven_hand(session: SessionState, round: int | None = None) -> DrivenHand:
    """Return the sheet of a round of a drive, of the last one with tables unless given; before any, one without tables.

    Raises RuleError `session.movement` without a drive, `session.seats` for a round that is none of its.
    """
    latest = max((each for each in session.rounds if session.drive(each)), default=session.round + 1)
    at = latest if round is None else round
    movement = session.drive(at)
    if movement is None and round is None:
        raise refusal("this evening has no drive: choose one for it first")
    if movement is None or not movement.start <= at <= max(latest, movement.start):
        raise RuleError(
            "session.seats",
            advising(Sentence("nobody has sat down for hand {at}: choose a hand up to {latest}", at=at, latest=latest)),
        )
    tables, resting = [], []
    for number, seated in session.tables(at).items():
        seq, result = session.results.get((at, number, None), (0, None))
        if seated.plays:
            tables.append(HandTable(number, seated.seats, result.points if result is not None else None, seq))
        else:
            resting += [entry for entry in seated.seats if entry]
    return DrivenHand(
        at, at - movement.start + 1, movement.rounds or 0, trump_of(movement, at), movement.tricks, (*tables,), (*resting,),
        in_pairs(movement, session.opening),
    )  # fmt: skip


def is_over(sheet: DrivenHand) -> bool:
    """Tell whether all hands of the drive are played."""
    return sheet.number >= sheet.hands and bool(sheet.tables) and not sheet.missing


def points_of(session: SessionState, round: int, table: int, tricks: Sequence[int]) -> tuple[int, ...]:
    """Return the points by seat that were entered for a table.

    One number is the tricks of north and south, two are those of both pairs, four are one for each seat. Raises
    RuleError `session.tricks` for numbers that a hand cannot give.
    """
    movement = session.drive(round)
    whole = movement.tricks if movement is not None else None
    points = (*tricks,)
    if whole is not None and len(points) == 1:
        points = (points[0], whole - points[0])
    if movement is not None and len(points) == 2 and in_pairs(movement, session.opening):
        points = (*points, *points)
    if movement is not None:
        expect_points(movement, table, round, points)
    _expect_possible(session, round, table, points)
    return points


def _expect_possible(session: SessionState, round: int, table: int, points: tuple[int, ...]) -> None:
    """Refuse points that the game cannot give where everybody plays alone."""
    where = Sentence("table {table} in hand {round}", table=table, round=round)
    if len(points) != AT_TABLE:
        raise RuleError(
            "session.tricks",
            advising(
                Sentence(
                    "{where} has {players} players: give a number for each, not {given}",
                    where=where,
                    players=AT_TABLE,
                    given=len(points),
                )
            ),
        )
    game = games().get(session.opening.game or "")
    movement = session.drive(round)
    if game is None or game.sheet.check is None or movement is None or movement.tricks is not None:
        return
    options = start(
        match_events.Open(game=game.id, players=("a", "b", "c", "d"), options=session.opening.options)
    ).options
    why = game.sheet.check(ScoreSheet(points, options, [None] * AT_TABLE, [0] * AT_TABLE))
    if why is not None:
        raise RuleError("session.tricks", Sentence("{where}: {why}", where=where, why=why))


def tricks_entered(session: SessionState, round: int, given: Mapping[int, Sequence[int]]) -> list[Event]:
    """Return the events that enter the tricks of some tables of a round, or correct them.

    None for what is there already.

    A correction leaves the hands after it seated as they were played. Raises RuleError `session.tricks`,
    `session.seats` for a table where nobody plays.
    """
    sheet = driven_hand(session, round)
    tables = {table.number: table for table in sheet.tables}
    events: list[Event] = []
    for number, tricks in given.items():
        if number not in tables:
            raise RuleError(
                "session.seats",
                Sentence(
                    "nobody plays at table {table} in hand {round}: tables are 1 to {last}",
                    table=number,
                    round=round,
                    last=max(tables, default=0),
                ),
            )
        points = points_of(session, round, number, tricks)
        known, result = tables[number], ev.Result(round=round, table=number, points=points)
        if known.points is None:
            events.append(result)
        elif known.points != points:
            events.append(ev.EveningAmend(about=known.event, event=result))
    return events


def drive_begun(
    session: SessionState,
    hands: int,
    moves: Moves = "winners_up",
    trumps: Sequence[Trump] = (),
    plays_as: Mapping[str, Literal["lady", "gentleman"]] | None = None,
) -> list[Event]:
    """Return the events with which a drive begins: everybody who is here gets a number, then the movement.

    `plays_as` says what players play as, by player id. Raises RuleError `session.movement` for a game that cannot be
    played as a drive.
    """
    game = game_of(session.opening)
    if not drives(game):
        raise refusal(
            "a drive needs a game of tricks, or one without rules, for four at a table: open an evening of such a game"
        )
    movement = ev.Movement(
        kind="drive", rounds=hands, tricks=tricks_of(game), moves=moves, trumps=(*trumps,), start=session.round + 1
    )
    return [*numbered(session, plays_as or {}), movement]


def numbered(session: SessionState, plays_as: Mapping[str, Literal["lady", "gentleman"]]) -> list[Event]:
    """Return the entries of those who are here and have no number, or who play as something else from now on."""
    known = {lineups[-1].players[0]: number for number, lineups in session.entries.items()}
    fresh = max(session.entries, default=0)
    events: list[Event] = []
    for player in session.here:
        number = known.get(player)
        kind = plays_as.get(player, session.plays_as(number) if number else None)
        if number is not None and kind == session.plays_as(number):
            continue
        if number is None:
            fresh += 1
            number = fresh
        events.append(ev.Entry(number=number, players=(player,), plays_as=kind))  # type: ignore[arg-type]  # lady or gentleman
    return events


def described_hand(session: SessionState, sheet: DrivenHand) -> dict[str, Any]:
    """Return a hand as JSON data, with the players of each table by seat."""

    def players(entries: Sequence[int]) -> list[str]:
        return [player for entry in entries for player in session.players(entry, sheet.round)]

    return {
        "round": sheet.round,
        "hand": sheet.number,
        "hands": sheet.hands,
        "trump": sheet.trump,
        "tricks": sheet.tricks,
        "over": is_over(sheet),
        "missing": sheet.missing,
        "tables": [
            {"table": table.number, "entries": table.entries, "players": players(table.entries), "points": table.points}
            for table in sheet.tables
        ],
        "sitting_out": players(sheet.sitting_out),
    }


def last_hand(session: SessionState) -> int:
    """Return the last round of the drive of a session, 0 without one."""
    movement = session.movements[-1] if session.movements else None
    return last_round(movement) if movement is not None and movement.kind == "drive" else 0
