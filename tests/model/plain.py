"""A ledger as simple as possible: a dict of lists; the counting events are computed from the first event each time."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.games import start
from cardledger.rules.stream import Stream
from tests.tables import state

if TYPE_CHECKING:
    from collections.abc import Sequence

PEOPLE = "people"


@dataclass
class Plain:
    """The events of every match as they were given, and in which order of the whole ledger."""

    matches: dict[str, list[ev.Event]] = field(default_factory=dict)
    people: list[ev.Event] = field(default_factory=list)
    log: list[tuple[str, ev.Event]] = field(default_factory=list)

    def refusal(self, match: str | None, events: Sequence[ev.Event], expected: int) -> str | None:
        """Return the code with which events should be refused, None if they should be recorded."""
        known = self.matches.get(match or "", [])
        if not known and expected:
            return "store.unknown"
        if len(known) != expected:
            return "store.conflict"
        try:
            stream = Stream.of(known) if known else Stream(events[0])
            stream.extend(events if known else events[1:])
        except LedgerError as error:
            return error.code
        return None

    def record(self, match: str, events: Sequence[ev.Event]) -> None:
        """Take in events."""
        (self.people if match == PEOPLE else self.matches.setdefault(match, [])).extend(events)
        self.log += [(match, event) for event in events]

    def plays(self, player: str) -> bool:
        """Tell whether somebody plays in a match that counts."""
        streams = [Stream.of(events) for events in self.matches.values()]
        return any(player in stream.table.players and not stream.void for stream in streams)

    def cut(self, count: int) -> Plain:
        """Return the state after this many events."""
        other = Plain()
        for match, event in self.log[:count]:
            other.record(match, [event])
        return other

    def until(self, time: datetime) -> int:
        """Return how many events there were at a time, as the longest run of times tells that never goes back."""
        times = [datetime.fromisoformat(str(event.at)) for _, event in self.log]
        lengths: list[int] = []
        for place, at in enumerate(times):
            lengths.append(1 + max((lengths[i] for i in range(place) if times[i] <= at), default=0))
        run: list[int] = []
        for place in reversed(range(len(times))):
            if lengths[place] == (lengths[run[-1]] - 1 if run else max(lengths)):
                run.append(place)
        return min((place for place in run if times[place] > time), default=len(times))

    def copy(self) -> Plain:
        """Return a copy of the current state."""
        return deepcopy(self)


def counting(events: Sequence[ev.Event]) -> list[tuple[int, ev.Event]]:
    """Return the events that count with their numbers, by the simplest reading of each kind of correction."""
    after: list[list[tuple[int, ev.Event]]] = []
    for seq, event in enumerate(events, 1):
        now = after[-1] if after else []
        match event:
            case ev.Retract(to=to):
                now = after[to - 1]
            case ev.Amend(about=about, event=instead):
                now = [(number, instead if number == about else other) for number, other in now]
            case ev.Note():
                pass
            case _:
                now = [*now, (seq, event)]
        after.append(now)
    return after[-1]


def table_of(events: Sequence[ev.Event]) -> Any:
    """Return the state of a match, from its first event on a fresh table."""
    (_, opening), *rest = counting(events)
    assert isinstance(opening, ev.Open)
    table: Any = start(opening)
    for seq, event in rest:
        table.apply(event, seq)
    return table


def state_of(events: Sequence[ev.Event]) -> Any:
    """Return the state of a match as plain values."""
    return state(table_of(events))
