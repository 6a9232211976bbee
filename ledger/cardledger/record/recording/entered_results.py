"""Entered results: what is typed for a table from paper. Partners have it together, and hands of the game can give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.record.matches.results_only import doubtful_totals
from cardledger.record.recording.appended import after_each
from cardledger.rules.engine.events import Amend
from cardledger.rules.engine.game import Game
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import game_played
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream


def expect_possible(stream: EveningStream | None, events: Sequence[Event], *, as_written: bool) -> None:
    """Refuse points or places of a table in which partners differ, and points that no number of hands can give.

    * stream: the evening before the events, None for a new one
    * events: what is to be recorded; one with its own time is an old one, and stays as it is
    * as_written: somebody has looked, and says that the points count as they are written

    Raises RuleError `session.partners`, `session.sum`, with the index of the event. What the rules of evenings refuse is
    left to them.
    """
    if not any(_entered(event) for event in events):
        return
    for index, event, after in after_each(stream, events):
        result = _entered(event)
        if result and isinstance(after.state, SessionState):
            try:
                _expect_same(after.state, result)
                why = None if as_written else doubt_about(after.state, result)
                if why:
                    raise RuleError(
                        "session.sum",
                        Sentence(
                            "these points are doubtful: {why}; correct them, or say that they count as written", why=why
                        ),
                    )
            except RuleError as error:
                error.index = index
                raise


def doubt_about(session: SessionState, result: ev.Result) -> str | None:
    """Say why no number of hands can give the points of a result; None if one can, or nobody knows."""
    if result.points is None or result.board is not None or session.drive(result.round) is not None:
        return None
    seated = session.tables(result.round).get(result.table)
    game = game_played(session, seated.game if seated else None)
    n = len(result.points)
    if not isinstance(game, Game) or n not in game.sizes or seated is None or len(seated.seats) != n:
        return None
    sides = game.sides(n)
    totals = [result.points[sides.index(side)] for side in dict.fromkeys(sides)]
    agreed = session.opening.options if game.id == session.opening.game else {}
    return doubtful_totals(game, agreed, totals, n)


def _entered(event: Event) -> ev.Result | None:
    """Return the result by points or places that a new event gives, also as a correction."""
    within = event.event if isinstance(event, Amend) else event
    return within if event.at is None and isinstance(within, ev.Result) and _values(within) else None


def _values(result: ev.Result) -> tuple[int, ...]:
    return result.points if result.points is not None else result.places or ()


_TOGETHER = {
    "points": Sentence(
        "{one} and {other} are partners in {title} and have their points together: "
        "give both {points} or both {number}, not {points} and {number}"
    ),
    "places": Sentence(
        "{one} and {other} are partners in {title} and have their place together: "
        "give both {points} or both {number}, not {points} and {number}"
    ),
}


def _expect_same(session: SessionState, result: ev.Result) -> None:
    seated = session.tables(result.round).get(result.table)
    points = _values(result)
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
                    Sentence(
                        _TOGETHER["places" if result.points is None else "points"].template,
                        one=names[0],
                        other=names[1],
                        title=Sentence(game.title),
                        points=points[partner],
                        number=number,
                    )
                ),
            )
