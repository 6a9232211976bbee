"""A club: its members and guests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from cardledger.errors import RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.shape import refuse_shape
from cardledger.sentence import Sentence


class ClubState:
    """A club after the events so far; players in the order in which they became known."""

    status = "open"
    totals = ()

    def __init__(self, opening: ev.Club) -> None:
        self.opening = opening
        self.players: dict[str, ev.Member] = {}

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `session.phase`, FormatError `format.value`."""
        if not isinstance(event, ev.Member):
            raise RuleError(
                "session.phase",
                Sentence("a club takes no {kind}: record it in its session or league", kind=type_of(event)),
            )
        refuse_shape(event)
        self.players[event.player] = event

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.players = self.players.copy()
        return other

    def members(self, day: str) -> Iterator[str]:
        """Yield the members on a day (ISO)."""
        for player, member in self.players.items():
            if not is_guest(member) and (member.since or "") <= day <= (member.until or "9999"):
                yield player

    def guests(self) -> Iterator[str]:
        """Yield the players who are known as guests."""
        return (player for player, member in self.players.items() if is_guest(member))


def is_guest(member: ev.Member) -> bool:
    """Tell whether a player is known without being a member: there is no number and no day."""
    return member.number is None and member.since is None and member.until is None
