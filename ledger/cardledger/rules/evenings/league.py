"""A league: the sessions that count, and its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from cardledger.errors import RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.rounding import exact
from cardledger.rules.evenings.season import LeagueLine, Night, table
from cardledger.sentence import Sentence, advising


class LeagueState:
    """A league after the events so far; `sessions` are the weights of those that count, in their order."""

    status = "open"
    totals = ()

    def __init__(self, opening: ev.League) -> None:
        self.opening = opening
        self.sessions: dict[str, int | float] = {}
        self.published: list[tuple[int, ev.Publish]] = []

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `session.phase`, `session.twice`."""
        match event:
            case ev.Counts(session=session, weight=weight):
                if session in self.sessions:
                    raise RuleError(
                        "session.twice",
                        advising(
                            Sentence("session {session} counts already: amend that event instead", session=session)
                        ),
                    )
                self.sessions[session] = weight
            case ev.Publish():
                self.published.append((seq, event))
            case _:
                raise RuleError(
                    "session.phase",
                    advising(
                        Sentence("a league takes no {kind}: record it in its club or session", kind=type_of(event))
                    ),
                )

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.sessions, other.published = self.sessions.copy(), self.published.copy()
        return other

    def table(self, night_of: Callable[[str], Night]) -> list[LeagueLine]:
        """Return the table; `night_of(session)` gives the evening as it counts (`standings.night`)."""
        return table(self.nights(night_of), self.opening.count)

    def nights(self, night_of: Callable[[str], Night]) -> list[Night]:
        """Return the evenings that count, with their weights, by day."""
        nights = [
            night_of(session)._replace(weight=exact(weight)) for session, weight in self.sessions.items() if weight
        ]
        return sorted(nights, key=lambda night: night.date)
