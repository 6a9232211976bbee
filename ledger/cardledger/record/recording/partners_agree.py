"""Partners agree: points of a table entered from paper are the same for partners, as a side has them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.record.recording.appended import after_each
from cardledger.rules.engine.events import Amend
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream


def expect_partners_agree(stream: EveningStream | None, events: Sequence[Event]) -> None:
    """Refuse points of a table in which partners differ; raises RuleError `session.partners`.

    The error has the index of the event. An event with its own time is an old one, and stays as it is. What the rules
    of evenings refuse is left to them.
    """
    if not any(_points(event) for event in events):
        return
    for index, event, after in after_each(stream, events):
        result = _points(event)
        if result and isinstance(after.state, SessionState):
            try:
                _expect_same(after.state, result)
            except RuleError as error:
                error.index = index
                raise


def _points(event: Event) -> ev.Result | None:
    """Return the result by points that a new event gives, also as a correction."""
    within = event.event if isinstance(event, Amend) else event
    return within if event.at is None and isinstance(within, ev.Result) and within.points is not None else None


def _expect_same(session: SessionState, result: ev.Result) -> None:
    seated = session.tables(result.round).get(result.table)
    points = result.points or ()
    game = games().get((seated and seated.game) or session.opening.game or "")
    if seated is None or game is None or len(points) not in game.sizes or len(seated.seats) != len(points):
        return
    side = game.sides(len(points))
    for seat, number in enumerate(points):
        partner = side.index(side[seat])
        if number != points[partner]:
            names = [", ".join(session.players(seated.seats[each], result.round)) for each in (partner, seat)]
            raise RuleError(
                "session.partners",
                f"{names[0]} and {names[1]} are partners in {game.title} and have their points together: "
                f"give both {points[partner]} or both {number}, not {points[partner]} and {number}",
            )
