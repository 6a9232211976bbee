"""One seat for each person: two ids that were merged into one person do not play in the same round of an evening."""

from __future__ import annotations

from collections.abc import Sequence

from cardledger.errors import RuleError
from cardledger.record.people.people import People
from cardledger.record.recording.appended import after_each
from cardledger.rules.engine.events import Amend, Event, Retract
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stream import EveningStream
from cardledger.sentence import Sentence, advising

SEATING = (ev.Entry, ev.Movement, ev.Table, Amend, Retract)
"""The events that can change who plays in a round."""


def expect_one_seat_each(stream: EveningStream | None, events: Sequence[Event], people: People) -> None:
    """Refuse events of an evening by which a person plays twice in a round, under two ids.

    Raises RuleError `people.table`.

    The error has the index of the event. A round in which it was so before is let be: the two may have been merged
    in an older version. What the rules of evenings refuse is left to them.
    """
    if not people.merged() or not any(isinstance(event, SEATING) for event in events):
        return
    before = _doubled(stream, people) if stream else {}
    for index, event, after in after_each(stream, events):
        if isinstance(event, SEATING):
            now = _doubled(after, people)
            if new := now.keys() - before.keys():
                (one, other), (round, _) = now[min(new)], min(new)
                error = RuleError(
                    "people.table",
                    advising(
                        Sentence(
                            "{one} and {other} are two ids of one person, and would both play in round {round}: "
                            "seat one of them, or split the two if they are two people",
                            one=one,
                            other=other,
                            round=round,
                        )
                    ),
                )
                error.index = index
                raise error
            before = now


def _doubled(evening: EveningStream, people: People) -> dict[tuple[int, str], tuple[str, str]]:
    """Return who plays under two ids in a round: the ids by round and person."""
    session = evening.state
    if not isinstance(session, SessionState):
        return {}
    twice = {}
    for round in session.rounds:
        ids: dict[str, str] = {}
        for player in session.table_of_each(round):
            first = ids.setdefault(people.person(player), player)
            if first != player:
                twice[round, people.person(player)] = first, player
    return twice
