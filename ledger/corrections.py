"""A match as recorded: the stream of all events, and the table that follows from those that count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ledger import events as ev
from ledger.errors import FormatError, LedgerError, RuleError
from ledger.games import start
from ledger.table import Table


@dataclass(frozen=True, slots=True)
class Counting:
    """A link of the chain of events that count: event number `seq` as amended, and what counted before it."""

    seq: int
    event: ev.Event
    before: Counting | None

    def unroll(self) -> list[tuple[int, ev.Event]]:
        """Return the chain in order, from the opening."""
        chain = []
        link: Counting | None = self
        while link is not None:
            chain.append((link.seq, link.event))
            link = link.before
        return chain[::-1]


class Stream:
    """The recorded events of one match, folded as they come.

    `heads[k]` is the chain of events that counted right after event number k + 1; `table` the state now. A retract
    or an amend makes a new chain and plays it again; if that fails, the correction is refused at its own number.
    With `audit` the table keeps its trail of rulings.
    """

    __slots__ = ("audit", "heads", "table")

    def __init__(self, event: ev.Event, audit: bool = False) -> None:
        """Begin with the opening; raises what `ledger.games.start` raises, and FormatError `format.open`."""
        if not isinstance(event, ev.Open):
            raise FormatError("format.open", f"a match starts with open, not with {ev.type_of(event)}")
        self.audit = audit
        self.table: Table = start(event)
        self.table.trail = [] if audit else None
        self.heads = [Counting(1, event, None)]

    @property
    def seq(self) -> int:
        """Number of the last event recorded."""
        return len(self.heads)

    def append(self, event: ev.Event) -> None:
        """Take in the next event; raises RuleError or FormatError and changes nothing then."""
        seq = len(self.heads) + 1
        if event.seq is not None and event.seq != seq:
            raise FormatError("format.seq", f"seq is {event.seq}, but this is event {seq} of the match")
        kind = type(event)
        if kind is ev.Note:
            if event.about is not None:  # type: ignore[attr-defined]
                self._look_up("about", event.about)  # type: ignore[attr-defined]
            head = self.heads[-1]
        elif kind is ev.Retract:
            head = self._look_up("to", event.to)  # type: ignore[attr-defined]
            self._play_again(head, f"event {event.to} is the last that counts")  # type: ignore[attr-defined]
        elif kind is ev.Amend:
            assert isinstance(event, ev.Amend)
            head = self._amended(event)
            self._play_again(head, f"event {event.about} counts as amended")
        elif kind is ev.Open:
            raise RuleError("table.phase", "the match is open already")
        else:
            self.table.apply(event, seq)
            head = Counting(seq, event, self.heads[-1])
        self.heads.append(head)

    def copy(self) -> Self:
        """Return a stream that can go on without changing this one."""
        other = object.__new__(type(self))
        other.audit = self.audit
        other.heads = self.heads.copy()
        other.table = self.table.copy()
        return other

    def _look_up(self, key: str, seq: int) -> Counting:
        if not 1 <= seq <= len(self.heads):
            raise RuleError("table.range", f"{key} is {seq}, but events so far are 1 to {len(self.heads)}")
        return self.heads[seq - 1]

    def _amended(self, amend: ev.Amend) -> Counting:
        about, event = amend.about, amend.event
        if event.seq not in (None, about):
            raise FormatError("format.seq", f"the event within says seq {event.seq}, but it is to replace event {about}")
        self._look_up("about", about)
        chain = self.heads[-1].unroll()
        place = next((i for i, (seq, _) in enumerate(chain) if seq == about), None)
        if place is None:
            raise RuleError("table.phase", f"event {about} does not count, so it cannot be amended")
        old = chain[place][1]
        if _kind(old) != _kind(event):
            raise RuleError("table.phase", f"a {ev.type_of(old)} cannot be amended into a {ev.type_of(event)}")
        if isinstance(old, ev.Open) and isinstance(event, ev.Open):
            if (old.game, len(old.players)) != (event.game, len(event.players)):
                raise RuleError("table.phase", "an amended opening keeps the game and the number of players")
        chain[place] = (about, event)
        head = None
        for seq, counts in chain:
            head = Counting(seq, counts, head)
        assert head is not None
        return head

    def _play_again(self, head: Counting, why: str) -> None:
        (_, opening), *rest = head.unroll()
        seq = 1
        try:
            assert isinstance(opening, ev.Open)
            table = start(opening)
            table.trail = [] if self.audit else None
            for seq, event in rest:
                table.apply(event, seq)
        except LedgerError as error:
            error.message = f"if {why}, event {seq} breaks: {error.message}"
            raise
        self.table = table


def _kind(event: ev.Event) -> str:
    """What an event may be amended into: an opening, a deal, any event of play, or nothing."""
    if isinstance(event, ev.Open | ev.Deal | ev.End):
        return ev.type_of(event)
    return "event of play"


def fold(events: list[ev.Event], audit: bool = False) -> Stream:
    """Return the stream of a whole match; raises as `Stream.append` does."""
    stream = Stream(events[0], audit)
    for event in events[1:]:
        stream.append(event)
    return stream
