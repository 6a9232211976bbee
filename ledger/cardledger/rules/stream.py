"""A match as recorded: the stream of all events, and the table after those that count.

Other records with corrections (an evening, say) are streams too: they say what their opening is, which of their events
are corrections, and what may be amended into what (`_start`, `_corrects`, `_replacing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Self

import msgspec
from mypy_extensions import mypyc_attr

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.engine.match import PLAY, Match
from cardledger.rules.engine.phases.whole_tricks import play_tricks
from cardledger.rules.games import start
from cardledger.sentence import Sentence

Chain = tuple[int, ev.Event, Any]
"""The events that count, last first: number as first recorded, event as amended, and the chain before it, or None."""
STRIDE: Final = 32
"""Events between two saved tables when events are replayed."""


class Correction(NamedTuple):
    """A retract, an amend or a void.

    Its number, the event that an amend replaced, and the totals before and after it.
    """

    seq: int
    event: ev.Retract | ev.Amend | ev.Void
    replaced: ev.Event | None
    before: tuple[int, ...]
    after: tuple[int, ...]


def unroll(chain: Chain | None) -> list[tuple[int, ev.Event]]:
    """Return the events that count, in order, from the opening on."""
    events = []
    while chain is not None:
        seq, event, chain = chain
        events.append((seq, event))
    return events[::-1]


@mypyc_attr(allow_interpreted_subclasses=True)
class Stream:
    """The recorded events of one match, folded one by one.

    `events` are all recorded events, `table` is the present state. A retract or an amend makes a new chain of
    counting events and replays it from the nearest saved table; if that fails, the correction is refused at its own
    number. A void counts like an event of play, so a retract to before it restores the match. `corrections` lists the
    corrections, `amended` is the number of events replayed by amends. With `audit` the table keeps its trail of
    rulings. `begin` opens a match, under another edition if requested.
    """

    __slots__ = ("_begin", "_heads", "_kept", "amended", "audit", "corrections", "events", "table")

    def __init__(self, event: ev.Event, audit: bool = False, begin: Callable[[Any], Any] = start) -> None:
        """Begin with the opening; raises like `begin`, and FormatError `format.open`."""
        self.audit = audit
        self._begin = begin
        self.corrections: list[Correction] = []
        self.amended = 0
        self.table: Any = self._start(event)
        self.events: list[ev.Event] = [event]
        self._heads: list[Chain] = [(1, event, None)]
        # Tables saved after some counting events, by the identity of the chain, which they keep alive.
        self._kept: dict[int, tuple[Chain, Any]] = {}

    @classmethod
    def of(cls, events: Sequence[ev.Event], audit: bool = False, begin: Callable[[Any], Any] = start) -> Self:
        """Return the stream of a whole match; raises like `append`."""
        corrected = audit and any(isinstance(event, ev.Retract | ev.Amend) for event in events)
        stream = cls(events[0], audit and not corrected, begin)
        stream.extend(events[1:])
        if corrected:
            stream.begin_audit()
        return stream

    def begin_audit(self) -> None:
        """Keep the trail of rulings from now on, including the events that count so far."""
        (_, opening), *events = unroll(self.heads[-1])
        self.audit = True
        self._kept = {}
        self.table = self._start(opening)
        for seq, event in events:
            self.table.apply(event, seq)

    def end_audit(self) -> None:
        """Stop keeping a trail."""
        self.audit = False
        self.table.trail = None

    @property
    def seq(self) -> int:
        """Number of the last event recorded."""
        return len(self.events)

    @property
    def heads(self) -> list[Chain]:
        """The chains of counting events; number k is the one right after event number k + 1."""
        # Linked on demand, into a new list, as other threads may be reading the old one.
        if len(self._heads) < len(self.events):
            heads = self._heads.copy()
            self._link(heads)
            self._heads = heads
        return self._heads

    def _link(self, heads: list[Chain]) -> None:
        """Add the chains of the events applied since."""
        head = heads[-1]
        for seq in range(len(heads) + 1, len(self.events) + 1):
            event = self.events[seq - 1]
            if event.counts:
                head = (seq, event, head)
            heads.append(head)

    @property
    def corrected(self) -> int:
        """Number of the last event that changed what earlier ones gave, 0 for none.

        A correction, or a ruling on a hand.
        """
        ruled_at: int = self.table.ruled_at
        return max(self.corrections[-1].seq if self.corrections else 0, ruled_at)

    def counted(self, seq: int) -> int:
        """Return the number of counting events right after event `seq`.

        The opening, and play that is not taken back.
        """
        return len(unroll(self.heads[seq - 1]))

    @property
    def void(self) -> int:
        """Number of the event that made the match void, 0 if the match counts.

        A retract to before it brings the match back.
        """
        return self.heads[-1][0] if self.table.status == VOID else 0

    def append(self, event: ev.Event) -> None:
        """Append the next event; raises RuleError or FormatError and then changes nothing."""
        seq = len(self.events) + 1
        if event.seq is not None and event.seq != seq:
            raise FormatError("format.seq", f"seq is {event.seq}, but this is event {seq} of the match")
        if self._corrects(event):
            # Only one writer has the stream, and so the list.
            self._link(self._heads)
            self._heads.append(self._correct(event))
        else:
            self.table.apply(event, seq)
        self.events.append(event)

    def extend(self, events: Sequence[ev.Event]) -> None:
        """Append several events; raises like `append`, after appending the events before the wrong one."""
        recorded, table, at, of_match = self.events, self.table, 0, isinstance(self.table, Match)
        while at < len(events):
            event = events[at]
            if type(event) is PLAY:
                if of_match and table.playing is not None and table.playing.whole and not table.hand.trick:
                    begun, at = at, play_tricks(table, table.playing, recorded, events, at)
                    if at > begun:
                        continue
            elif self._corrects(event):
                self.append(event)
                table = self.table
                at += 1
                continue
            seq = len(recorded) + 1
            if event.seq is not None and event.seq != seq:
                self.append(event)  # which refuses it
            else:
                table.apply(event, seq)
                recorded.append(event)
            at += 1

    def _corrects(self, event: ev.Event) -> bool:
        """Tell whether an event stands beside the play or can change which events count.

        So the table alone cannot apply it.
        """
        return event.corrects or not event.counts or type(event) is ev.Open

    def _correct(self, event: ev.Event) -> Chain:
        """Return the counting events after a note or a correction, and set the table to them."""
        if isinstance(event, ev.Retract):
            head = self._look_up("to", event.to)
            table = self._played(head, f"event {event.to} is the last that counts")
            self._made(event, None, table)
        elif isinstance(event, ev.Amend):
            head, replaced, amended = self._amended(event)
            table = self._played(head, f"event {event.about} counts as amended")
            self.amended += amended
            self._made(event, replaced, table)
        elif isinstance(event, ev.Void):
            head = (self.seq + 1, event, self._heads[-1])
            table = self.table.copy()
            table.apply(event, self.seq + 1)
            self._made(event, None, table)
        elif isinstance(event, ev.Open):
            raise RuleError("table.phase", Sentence("the match is open already"))
        else:
            self._expect_known(event)
            about = getattr(event, "about", None)
            if about is not None:
                self._look_up("about", about)
            head = self._heads[-1]
        return head

    def _expect_known(self, event: ev.Event) -> None:
        """Refuse an event beside the play that the game does not have; raises RuleError `table.phase`."""
        game = self.table.game
        if type(event) is not ev.Note and type(event) not in game.events:
            raise RuleError(
                "table.phase", Sentence("there is no {kind} in {game}", kind=ev.type_of(event), game=game.id)
            )

    def copy(self) -> Self:
        """Return a copy that can change without changing this stream."""
        other = type(self).__new__(type(self))
        other.audit = self.audit
        other._begin = self._begin
        other.corrections = self.corrections.copy()
        other.amended = self.amended
        other.events = self.events.copy()
        other._heads = self._heads.copy()
        other._kept = self._kept.copy()
        other.table = self.table.copy()
        return other

    def _start(self, opening: ev.Event) -> Any:
        """Return a new table, with a trail in an audit; raises like `begin`, and FormatError `format.open`."""
        if not isinstance(opening, ev.Open):
            raise FormatError("format.open", f"a match starts with open, not with {ev.type_of(opening)}")
        table: Match[Any] = self._begin(opening)
        if self.audit:
            table.trail = []
            table.cite(
                "table.range", Sentence("{players} players and these options fit the game", players=table.n), "allowed"
            )
        return table

    def _look_up(self, key: str, seq: int) -> Chain:
        if not 1 <= seq <= self.seq:
            raise RuleError(
                "table.range",
                Sentence("{key} is {given}, but events so far are 1 to {last}", key=key, given=seq, last=self.seq),
            )
        return self._heads[seq - 1]

    def _amended(self, amend: ev.Amend) -> tuple[Chain, ev.Event, int]:
        """Return the counting events after an amendment, the replaced event, and the number of events to replay."""
        about, given = amend.about, amend.event
        if self.table.status == VOID:
            raise RuleError("table.phase", Sentence("the match is void: bring it back before you amend it"))
        if given.seq not in (None, about):
            raise FormatError("format.seq", f"the event within has seq {given.seq}, but replaces event {about}")
        self._look_up("about", about)
        later: list[Chain] = []
        chain: Chain | None = self._heads[-1]
        while chain is not None and chain[0] > about:
            later.append(chain)
            chain = chain[2]
        if chain is None or chain[0] != about:
            raise RuleError(
                "table.phase", Sentence("event {about} does not count, so it cannot be amended", about=about)
            )
        old = chain[1]
        event = self._replacing(old, given)
        head: Chain = (about, event, chain[2])
        for seq, counts, _ in reversed(later):
            head = (seq, counts, head)
        return head, old, len(later) + 1

    def _replacing(self, old: ev.Event, event: ev.Event) -> ev.Event:
        """Return the event that an amend puts in the place of another; raises RuleError `table.phase`."""
        if _kind(old) != _kind(event):
            raise RuleError(
                "table.phase",
                Sentence(
                    "a {kind} cannot be amended into a {other}",
                    kind=ev.type_of(old),
                    other=ev.type_of(event),
                ),
            )
        if isinstance(old, ev.Open) and isinstance(event, ev.Open):
            if _frame(old) != _frame(event):
                raise RuleError("table.phase", Sentence("an amended opening keeps the game and the number of players"))
            if event.rules is None:  # the edition does not change
                return msgspec.structs.replace(event, rules=self.table.game.book.edition)
        return event

    def _played(self, head: Chain, why: str) -> Any:
        """Return the table after the events of a chain, replayed from the nearest saved table or from the opening.

        Tables are saved on the way, so that taking back events needs little replay. Raises like folding.
        """
        if head is self._heads[-1]:
            return self.table.copy()
        path: list[Chain] = []
        chain: Chain | None = head
        while chain is not None and id(chain) not in self._kept:
            path.append(chain)
            chain = chain[2]
        tables: dict[int, tuple[Chain, Any]] = {}
        seq = 1
        try:
            if chain is not None:
                table = self._kept[id(chain)][1].copy()
            else:
                opening = path.pop()[1]
                table = self._start(opening)
            for place, node in enumerate(reversed(path), 1):
                seq = node[0]
                table.apply(node[1], seq)
                if place % STRIDE == 0 and not self.audit:  # a trail is long: one copy is enough
                    tables[id(node)] = node, table.copy()
        except LedgerError as error:
            error.message = f"if {why}, event {seq} breaks: {error.message}"
            raise
        self._kept.update(tables)
        return table

    def _made(self, event: ev.Retract | ev.Amend | ev.Void, replaced: ev.Event | None, table: Any) -> None:
        """Continue with the table after a correction."""
        correction = Correction(self.seq + 1, event, replaced, tuple(self.table.totals), tuple(table.totals))
        self.corrections.append(correction)
        self.table = table


def _frame(opening: ev.Open) -> tuple[str, int]:
    """The parts of an opening that cannot be amended."""
    return opening.game, len(opening.players)


def _kind(event: ev.Event) -> str:
    """What an event and the one in its place have in common: both are of play, or of one type."""
    return "event of play" if event.replaces == "play" else ev.type_of(event)
