"""Latecomers: who comes after the first round takes a number that the movement planned and nobody has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cardledger.errors import RuleError
from cardledger.record.recording.known_players import guests_among
from cardledger.record.recording.moment import session_of
from cardledger.record.recording.rounds import matches_have_boards
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.match_of_table import match_opening
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import games
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.lineup import Seated

Sits = Literal["now", "next"]
"""When who comes late sits down: in the round under way, or with the next one."""


class EmptyPlace(NamedTuple):
    """A number that nobody has, and the table at which it sits in the round under way; None if it sits out then."""

    number: int
    round: int
    table: int | None


def empty_places(state: SessionState) -> list[EmptyPlace]:
    """Return the numbers that the movement seats from the round under way on and nobody has.

    None before the first round.
    """
    if not state.round or state.status == "closed":
        return []
    planned = {
        entry
        for (round, _), seated in state.planned.items()
        if round >= state.round
        for entry in seated.seats
        if entry and entry not in state.entries
    }
    return [EmptyPlace(number, state.round, _table_of(state, number)) for number in sorted(planned)]


def _table_of(state: SessionState, number: int) -> int | None:
    """Return the table at which a number meets somebody in the round under way."""
    for (round, table), seated in state.planned.items():
        others = [entry for entry in seated.seats if entry != number]
        if round == state.round and number in seated.seats and all(entry in state.entries for entry in others):
            return table
    return None


def seat_latecomers(
    ledger: Ledger, session: str, number: int, players: Sequence[str], sits: Sits, by: Recorder
) -> EmptyPlace:
    """Enter players under a number that nobody has, all or nothing; return the place they took.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        number: the number they take; `empty_places` lists those there are.
        players: their ids.
        sits: `now` opens the table of the round under way; with `next` its boards are not played there.
        by: who records it.

    Raises RuleError `session.seats` for a number that is not empty, `session.*` for players who cannot be entered,
    ConflictError.
    """
    stream = ledger.evenings.stream(session)
    state = session_of(stream, session)
    place, events = latecomers(ledger, session, state, number, players, sits, by)
    ledger.evenings.record(session, events, stream.seq, by, as_written=False)
    return place


def latecomers(
    ledger: Ledger,
    session: str,
    state: SessionState,
    number: int,
    players: Sequence[str],
    sits: Sits,
    by: Recorder,
) -> tuple[EmptyPlace, list[Event]]:
    """Return the place that latecomers take in a state of an evening, and the events that enter them.

    As `seat_latecomers`.
    """
    places = {place.number: place for place in empty_places(state)}
    if number not in places:
        empty = ", ".join(map(str, places)) or Sentence("none")
        raise RuleError(
            "session.seats",
            Sentence("number {number} is no empty place: those are {empty}", number=number, empty=empty),
        )
    place = places[number]
    came = dict.fromkeys(player for player in players if player not in state.here)
    guests = guests_among(ledger, state.opening.club, state.opening.date, came)
    events: list[Event] = [
        *(ev.Arrive(player=player, guest=player in guests, after=state.round) for player in came),
        ev.Entry(number=number, players=(*players,)),
    ]
    after = state.copy()
    for event in events:
        after.apply(event, 0)  # refused before a match is opened
    if place.table is not None and after.tables(place.round)[place.table].plays:
        if sits == "now":
            events += _opened(ledger, session, after, place.round, place.table, by)
        elif (place.round, place.table, None) not in state.absences:
            events.append(ev.Absent(round=place.round, table=place.table, why="not-played"))
    return place, events


def _opened(ledger: Ledger, session: str, state: SessionState, round: int, table: int, by: Recorder) -> list[Event]:
    """Open the match of a table that was not opened with the others, and return the results that name it."""
    seated: Seated = state.tables(round)[table]
    game = seated.game or state.opening.game
    if game is None or not matches_have_boards(games().get(game)) or not seated.boards:
        return []
    name, boards = state.table_name(round, table), len(seated.boards)
    first = match_opening(state.opening, game, name, state.by_seat(round, seated), boards=boards)
    match = ledger.evenings.rounds.match_id(session, round, first)
    if not ledger.store.lengths([match]):
        ledger.record(match, [first], 0, by)
    return [ev.Result(round=round, table=table, board=board, match=match) for board in seated.boards]
