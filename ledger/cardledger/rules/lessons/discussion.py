"""A discussion of a match: what people said about its events, and the lines that they kept."""

from __future__ import annotations

from typing import Self

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.lessons import discussion_events as ev
from cardledger.sentence import Sentence, advising

MOST_ENTRIES = 2_000
"""The greatest number of comments and lines of a match."""
MOST_LINES = 200
"""The greatest number of lines that are shown of a match: each is played again when it is read."""

Entry = ev.Comment | ev.Line


class DiscussionState:
    """A discussion after the events so far: its comments and lines by their numbers, without those taken back."""

    status = "open"
    totals = ()

    def __init__(self, opening: ev.Discussion) -> None:
        self.opening = opening
        self.entries: dict[int, Entry] = {}
        self.number = 0

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `lesson.phase`, FormatError `format.size`."""
        match event:
            case ev.Comment() | ev.Line():
                if self.number >= MOST_ENTRIES:
                    raise FormatError(
                        "format.size", Sentence("a match has at most {most} comments and lines", most=MOST_ENTRIES)
                    )
                if (
                    isinstance(event, ev.Line)
                    and sum(isinstance(one, ev.Line) for one in self.entries.values()) >= MOST_LINES
                ):
                    raise FormatError(
                        "format.size", Sentence("a match has at most {most} lines: take one back", most=MOST_LINES)
                    )
                self.entries[seq], self.number = event, self.number + 1
            case ev.Withdraw(of=of):
                if of not in self.entries:
                    raise RuleError(
                        "lesson.phase",
                        advising(Sentence("event {of} of the discussion is no comment or line that is shown", of=of)),
                    )
                del self.entries[of]
            case _:
                raise RuleError(
                    "lesson.phase",
                    advising(Sentence("a discussion takes comments and lines, no {kind}", kind=type_of(event))),
                )

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.entries, other.number = self.entries.copy(), self.number
        return other
