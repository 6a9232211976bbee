"""A club: its members and guests, the layouts of its sheets, and the points that it gives for places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.masterpoint_table import MOST_TABLES
from cardledger.rules.evenings.shape import refuse_shape
from cardledger.sentence import Sentence, advising

MOST_LAYOUTS = 100
"""The number of layouts that a club keeps."""


class ClubState:
    """A club after the events so far; players in the order in which they became known."""

    status = "open"
    totals = ()

    def __init__(self, opening: ev.Club) -> None:
        self.opening = opening
        self.players: dict[str, ev.Member] = {}
        self.layouts: dict[str, ev.Layout] = {}
        self.masterpoints: dict[str, ev.Masterpoints] = {}

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `session.phase`, FormatError `format.value`, `format.size`."""
        refuse_shape(event)
        match event:
            case ev.Member():
                self.players[event.player] = event
            case ev.Layout(name=name):
                self._learn(name, event)
            case ev.Masterpoints(name=name):
                self._give(name, event)
            case _:
                raise RuleError(
                    "session.phase",
                    advising(
                        Sentence("a club takes no {kind}: record it in its session or league", kind=type_of(event))
                    ),
                )

    def _learn(self, name: str, layout: ev.Layout) -> None:
        if layout.shape is None:
            if name not in self.layouts:
                raise FormatError("format.value", Sentence("the club has no layout {name}", name=name))
            del self.layouts[name]
            return
        if name not in self.layouts and len(self.layouts) >= MOST_LAYOUTS:
            raise FormatError(
                "format.size", Sentence("a club has at most {most} layouts: forget one", most=MOST_LAYOUTS)
            )
        self.layouts[name] = layout

    def _give(self, name: str, table: ev.Masterpoints) -> None:
        if not table.rows:
            if name not in self.masterpoints:
                raise FormatError("format.value", Sentence("the club gives no masterpoints {name}", name=name))
            del self.masterpoints[name]
            return
        if name not in self.masterpoints and len(self.masterpoints) >= MOST_TABLES:
            raise FormatError(
                "format.size",
                Sentence("a club has at most {most} tables of masterpoints: forget one", most=MOST_TABLES),
            )
        self.masterpoints[name] = table

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.players = self.players.copy()
        other.layouts = self.layouts.copy()
        other.masterpoints = self.masterpoints.copy()
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
