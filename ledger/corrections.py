"""A match as recorded: the stream of all events, and the table that follows from those that count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.errors import FormatError, LedgerError, RuleError
from ledger.games import start
from ledger.table import Table
from ledger.tricks import PLAY

Chain = tuple[int, ev.Event, Any]
"""The events that count, last first: number as first recorded, event as amended, and the chain before it, or None."""
CORRECTIONS: Final = frozenset({ev.Open, ev.Note, ev.Retract, ev.Amend})
"""Events that are not for the table: what counts is another question after them, or refused."""


class Correction(NamedTuple):
    """A retract or an amend: its number, the event that an amend replaced, and the totals before and after it."""

    seq: int
    event: ev.Retract | ev.Amend
    replaced: ev.Event | None
    before: tuple[int, ...]
    after: tuple[int, ...]


def unroll(chain: Chain | None) -> list[tuple[int, ev.Event]]:
    """Return the events that count in order, from the opening."""
    events = []
    while chain is not None:
        seq, event, chain = chain
        events.append((seq, event))
    return events[::-1]


@mypyc_attr(allow_interpreted_subclasses=True)
class Stream:
    """The recorded events of one match, folded as they come.

    `events` are all that were recorded, `table` is the state now. A retract or an amend makes a new chain of what
    counts and plays it again; if that fails, the correction is refused at its own number. `corrections` are those that
    were made. With `audit` the table keeps its trail of rulings.
    """

    __slots__ = ("_heads", "audit", "corrections", "events", "table")

    def __init__(self, event: ev.Event, audit: bool = False) -> None:
        """Begin with the opening; raises what `ledger.games.start` raises, and FormatError `format.open`."""
        if not isinstance(event, ev.Open):
            raise FormatError("format.open", f"a match starts with open, not with {ev.type_of(event)}")
        self.audit = audit
        self.corrections: tuple[Correction, ...] = ()
        self.table = self._start(event)
        self.events: list[ev.Event] = [event]
        self._heads: list[Chain] = [(1, event, None)]

    @classmethod
    def of(cls, events: Sequence[ev.Event], audit: bool = False) -> Self:
        """Return the stream of a whole match; raises as `append` does."""
        stream = cls(events[0], audit)
        stream.extend(events[1:])
        return stream

    @property
    def seq(self) -> int:
        """Number of the last event recorded."""
        return len(self.events)

    @property
    def heads(self) -> list[Chain]:
        """The chains of events that counted: number k right after event number k + 1."""
        # Linked when somebody asks, into a list of its own: others may be reading the one before.
        if len(self._heads) < len(self.events):
            heads = self._heads.copy()
            head = heads[-1]
            for seq in range(len(heads) + 1, len(self.events) + 1):
                head = (seq, self.events[seq - 1], head)
                heads.append(head)
            self._heads = heads
        return self._heads

    @property
    def corrected(self) -> int:
        """Number of the last retract or amend, 0 for none."""
        return self.corrections[-1].seq if self.corrections else 0

    def append(self, event: ev.Event) -> None:
        """Take in the next event; raises RuleError or FormatError and changes nothing then."""
        seq = len(self.events) + 1
        if event.seq is not None and event.seq != seq:
            raise FormatError("format.seq", f"seq is {event.seq}, but this is event {seq} of the match")
        if type(event) in CORRECTIONS:
            self._heads = [*self.heads, self._correct(event)]
        else:
            self.table.apply(event, seq)
        self.events.append(event)

    def extend(self, events: Sequence[ev.Event]) -> None:
        """Take in several events; raises as `append` does, with the events before the wrong one taken in."""
        taken, table = self.events, self.table
        for seq, event in enumerate(events, len(taken) + 1):
            kind = type(event)
            if kind is not PLAY and kind in CORRECTIONS or (event.seq != seq and event.seq is not None):
                self.append(event)
                table = self.table
            else:
                table.apply(event, seq)
                taken.append(event)

    def _correct(self, event: ev.Event) -> Chain:
        """Return what counts after a note or a correction, with the table set to it."""
        if isinstance(event, ev.Retract):
            head = self._look_up("to", event.to)
            self._play_again(event, head, None, f"event {event.to} is the last that counts")
        elif isinstance(event, ev.Amend):
            head, replaced = self._amended(event)
            self._play_again(event, head, replaced, f"event {event.about} counts as amended")
        elif isinstance(event, ev.Note):
            if event.about is not None:
                self._look_up("about", event.about)
            head = self.heads[-1]
        else:
            raise RuleError("table.phase", "the match is open already")
        return head

    def copy(self) -> Self:
        """Return a stream that can go on without changing this one."""
        other = type(self).__new__(type(self))
        other.audit = self.audit
        other.corrections = self.corrections
        other.events = self.events.copy()
        other._heads = self._heads
        other.table = self.table.copy()
        return other

    def _start(self, opening: ev.Open) -> Table:
        """Return a new table, with a trail in an audit."""
        table = start(opening)
        if self.audit:
            table.trail = []
            table.cite("table.range", f"{table.n} players and these options fit the game", "allowed")
        return table

    def _look_up(self, key: str, seq: int) -> Chain:
        if not 1 <= seq <= self.seq:
            raise RuleError("table.range", f"{key} is {seq}, but events so far are 1 to {self.seq}")
        return self.heads[seq - 1]

    def _amended(self, amend: ev.Amend) -> tuple[Chain, ev.Event]:
        """Return what counts after an amendment, and the event that no longer does."""
        about, event = amend.about, amend.event
        if event.seq not in (None, about):
            raise FormatError(
                "format.seq", f"the event within says seq {event.seq}, but it is to replace event {about}"
            )
        self._look_up("about", about)
        chain = unroll(self.heads[-1])
        place = next((i for i, (seq, _) in enumerate(chain) if seq == about), None)
        if place is None:
            raise RuleError("table.phase", f"event {about} does not count, so it cannot be amended")
        old = chain[place][1]
        if _kind(old) != _kind(event):
            raise RuleError("table.phase", f"a {ev.type_of(old)} cannot be amended into a {ev.type_of(event)}")
        if isinstance(old, ev.Open) and isinstance(event, ev.Open) and _frame(old) != _frame(event):
            raise RuleError("table.phase", "an amended opening keeps the game and the number of players")
        chain[place] = (about, event)
        head: Chain | None = None
        for seq, counts in chain:
            head = (seq, counts, head)
        assert head is not None
        return head, old

    def _play_again(self, event: ev.Retract | ev.Amend, head: Chain, replaced: ev.Event | None, why: str) -> None:
        (_, opening), *rest = unroll(head)
        seq = 1
        try:
            assert isinstance(opening, ev.Open)
            table = self._start(opening)
            for seq, counts in rest:
                table.apply(counts, seq)
        except LedgerError as error:
            error.message = f"if {why}, event {seq} breaks: {error.message}"
            raise
        made = Correction(self.seq + 1, event, replaced, tuple(self.table.totals), tuple(table.totals))
        self.corrections = (*self.corrections, made)
        self.table = table


def _frame(opening: ev.Open) -> tuple[str, int]:
    """What of an opening cannot be amended."""
    return opening.game, len(opening.players)


def _kind(event: ev.Event) -> str:
    """What an event may be amended into: an opening, a deal, any event of play, or nothing."""
    if isinstance(event, ev.Open | ev.Deal | ev.End):
        return ev.type_of(event)
    return "event of play"
