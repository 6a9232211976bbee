"""The stream of a club, a session or a league: all its events, and the state after those that count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as events
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.shape import refuse_shape
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Iterator

State = ClubState | SessionState | LeagueState
"""What a stream folds to."""
HIDDEN_TABLE = "hidden table:"
"""How a note begins that says which table of a drive is the hidden one."""
ENTERED = (events.Result, events.Absent)
"""What is entered for a table; an amend can make one of the other, if a board was not played after all."""

TAKEN_BACK = (events.EveningAdjust, events.Absent)
"""What an amend into a note takes back; all that was recorded after it stays."""


def begin(opening: ev.Event) -> State:
    """Return the state after an opening; raises FormatError `format.open`."""
    match opening:
        case events.Club():
            return ClubState(opening)
        case events.Session():
            return SessionState(opening)
        case events.League():
            return LeagueState(opening)
    raise FormatError(
        "format.open",
        Sentence("a stream starts with club, session or league, not with {kind}", kind=ev.type_of(opening)),
    )


class EveningStream(Stream):
    """The recorded events of a club, a session or a league, folded as they come; corrections work as for a match.

    `table` is the present state. Raises RuleError `session.*` and FormatError, and changes nothing then.
    """

    @property
    def state(self) -> State:
        """The present state."""
        state: State = self.table
        return state

    @property
    def corrected(self) -> int:
        """Number of the last correction, 0 for none."""
        return self.corrections[-1].seq if self.corrections else 0

    @property
    def lot(self) -> tuple[int, ...]:
        """The entries in the order in which the director drew lots.

        From the last note `lot: 7 3` that was not taken back.
        """
        return self._noted("lot:")

    @property
    def hidden_table(self) -> int | None:
        """The hidden table of a drive.

        From the last note `hidden table: 5` that was not taken back, None without one.
        """
        return next(iter(self._noted(HIDDEN_TABLE)), None)

    def _noted(self, heading: str) -> tuple[int, ...]:
        """Return the numbers in the last note that begins with a heading and was not taken back."""
        for text in self.notes():
            if text.startswith(heading):
                words = text.removeprefix(heading).replace(",", " ").split()
                return tuple(int(word) for word in words if word.isdecimal())
        return ()

    def notes(self) -> Iterator[str]:
        """Yield the texts of the notes that were not taken back, the last first."""
        seq = self.seq
        while seq > 0:
            event = self.events[seq - 1]
            if isinstance(event, ev.Note):
                yield event.text
            seq = event.to if isinstance(event, ev.Retract) else seq - 1

    def _start(self, opening: ev.Event) -> State:
        refuse_shape(opening)
        return begin(opening)

    def _corrects(self, event: ev.Event) -> bool:
        return event.corrects or not event.counts

    def _expect_known(self, event: ev.Event) -> None:
        """Take all events beside the play.

        No package brings events of evenings, so reading them tells which there are.
        """

    def _replacing(self, old: ev.Event, event: ev.Event) -> ev.Event:
        entered = isinstance(old, ENTERED) and isinstance(event, ENTERED)
        back = isinstance(old, TAKEN_BACK) and isinstance(event, ev.Note)
        if type(old) is not type(event) and not entered and not back:
            raise RuleError(
                "session.phase",
                advising(
                    Sentence(
                        "a {kind} cannot be amended into a {other}: retract it, then record the other",
                        kind=ev.type_of(old),
                        other=ev.type_of(event),
                    )
                ),
            )
        return event
