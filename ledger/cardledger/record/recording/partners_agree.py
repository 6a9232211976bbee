"""Partners agree: what is entered for a table from paper is the same for partners, as a side has it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.record.recording.appended import after_each
from cardledger.rules.engine.events import Amend
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import game_played
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream


def expect_partners_agree(stream: EveningStream | None, events: Sequence[Event]) -> None:
    """Refuse points or places of a table in which partners differ; raises RuleError `session.partners`.

    The error has the index of the event. An event with its own time is an old one, and stays as it is. What the rules
    of evenings refuse is left to them.
    """
    if not any(_entered(event) for event in events):
        return
    for index, event, after in after_each(stream, events):
        result = _entered(event)
        if result and isinstance(after.state, SessionState):
            try:
                _expect_same(after.state, result)
            except RuleError as error:
                error.index = index
                raise


def _entered(event: Event) -> ev.Result | None:
    """Return the result by points or places that a new event gives, also as a correction."""
    within = event.event if isinstance(event, Amend) else event
    return within if event.at is None and isinstance(within, ev.Result) and _values(within) else None


def _values(result: ev.Result) -> tuple[int, ...]:
    return result.points if result.points is not None else result.places or ()


def _expect_same(session: SessionState, result: ev.Result) -> None:
    seated = session.tables(result.round).get(result.table)
    points, what = _values(result), "points" if result.points is not None else "place"
    game = game_played(session, seated.game if seated else None)
    if seated is None or game is None or len(points) not in game.sizes or len(seated.seats) != len(points):
        return
    side = game.sides(len(points))
    for seat, number in enumerate(points):
        partner = side.index(side[seat])
        if number != points[partner]:
            names = [", ".join(session.players(seated.seats[each], result.round)) for each in (partner, seat)]
            raise RuleError(
                "session.partners",
                advising(
                    f"{names[0]} and {names[1]} are partners in {game.title} and have their {what} together: "
                    f"give both {points[partner]} or both {number}, not {points[partner]} and {number}"
                ),
            )
