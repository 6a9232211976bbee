"""The audit trail of a match as its page shows it: a page of events with their rulings, and what corrections changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ledger import events as ev
from ledger.changes import changes
from ledger.corrections import unroll
from ledger.replay import rulings
from ledger.steps import corrected_by
from ledger.words import Face, phrase
from web.cards import drawn
from web.pages.dates import in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from api.secrecy import Secrets
    from ledger.changes import Change, HandChange
    from ledger.corrections import Stream
    from ledger.hand import Trick
    from ledger.rulebook import Ruling
    from ledger.table import Table

SHOWN = {"all": "Everything", "broken": "Rules broken", "corrections": "Corrections"}
"""What of the trail may be shown, in words."""
MARKS = {"allowed": "ok", "broken": "broken", "resolved": "decided"}
"""Verdicts in words."""
LISTED = 12
"""Events that a retract's list names before it only counts the rest."""
_PAGE = 150
"""Events after which the next deal begins a new page; twice as many end one anywhere."""

Parts = list[tuple[str, Any]]
"""An event in words, part by part: `text`, `player` with a name, `card` with what is drawn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the trail.

    `heading` is what begins with it, `counts` what counts in its place as amended, `by` the number of the correction
    that took it back or amended it. `withheld` says that its rulings may not be seen yet.
    """

    seq: int
    kind: str
    heading: str | None
    words: Parts
    counts: Parts | None
    by: int | None
    taken_back: bool
    rulings: Sequence[Ruling]
    withheld: bool
    change: ChangeRow | None
    recorder: str
    at: str
    when: str


@dataclass(frozen=True, slots=True)
class HandChangeRow:
    """A hand before and after a correction; `gone` and `new` are the numbers of tricks that are in only one of them."""

    number: int
    fate: str
    gone: str
    new: str
    tricks: tuple[tuple[int, TrickText, TrickText], ...]
    scores: tuple[list[int] | None, list[int] | None] | None


@dataclass(frozen=True, slots=True)
class TrickText:
    """A trick of a correction: its cards, who took it (None: tied), and the rule that decided it."""

    cards: tuple[Any, ...]
    taker: str | None
    rule: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What a correction changed; totals and points are None where they did not change or may not be seen yet."""

    was: Parts | None
    gone: list[tuple[int, Parts]]
    gone_more: int
    back: str
    hands: list[HandChangeRow]
    totals: tuple[list[int], list[int]] | None
    status: tuple[str, str] | None
    ceased: list[tuple[int, str, str]]
    arisen: list[tuple[int, str, str]]
    withheld: bool

    @property
    def nothing(self) -> bool:
        """Whether nothing that can be seen changed but the words of the event."""
        return not (self.gone or self.back or self.hands or self.totals or self.status or self.ceased or self.arisen)


def page_of(events: Sequence[ev.Event], seq: int) -> range:
    """Return the numbers of the events on the page that has event `seq`: pages begin with deals, and never change."""
    first = 1
    for number, event in enumerate(events, 1):
        length = number - first
        if length >= 2 * _PAGE or (length >= _PAGE and isinstance(event, ev.Deal)):
            if number > seq:
                return range(first, number)
            first = number
    return range(first, len(events) + 1)


class Trail:
    """The audit trail of a match; `secrets` are what may not be shown, None for whoever sees all.

    `persons` are those who sat at the seats, `names` what they are called.
    """

    def __init__(
        self,
        stream: Stream,
        events: Sequence[ev.Event],
        secrets: Secrets | None,
        persons: Sequence[str],
        names: Sequence[str],
    ) -> None:
        self._persons = persons
        self._names = names
        self.stream = stream
        self.events = events
        self._secrets = secrets
        self._table = stream.table
        self._cards = drawn(stream.table.pack)
        self._by = corrected_by(stream, events)
        self._hands = {hand.first: hand.number for hand in stream.table.hands}
        self._counting = dict(unroll(stream.heads[-1]))

    def entries(self, among: Iterable[int]) -> list[Entry]:
        """Return the entries of some events, by their numbers in order."""
        wanted = list(among)
        span = range(wanted[0], wanted[-1] + 1) if wanted else range(0)
        by_number = set(wanted)
        said = rulings(self.stream, span) if wanted else {}
        changed = {change.seq: change for change in changes(self.events, span) if change.seq in by_number}
        found, day = [], ""
        for seq in wanted:
            entry = self._entry(seq, said.get(seq, ()), changed.get(seq), day)
            day = entry.at[:10]
            found.append(entry)
        return found

    def broken(self) -> list[int]:
        """Return the numbers of the events that broke a rule, as far as they may be seen."""
        found = {violation.seq for violation in self._table.violations}
        return sorted(seq for seq in found if not self._covers(seq))

    def corrections(self) -> list[int]:
        """Return the numbers of all retracts and amendments."""
        return [correction.seq for correction in self.stream.corrections]

    def _covers(self, seq: int) -> bool:
        return self._secrets is not None and self._secrets.covers(seq)

    def _public(self, event: ev.Event, seq: int) -> ev.Event:
        return event if self._secrets is None else self._secrets.public(event, seq)

    def _words(self, event: ev.Event, seq: int) -> Parts:
        players = self._persons
        parts: Parts = []
        for part in phrase(self._public(event, seq)):
            if isinstance(part, int):
                parts.append(("player", players[part]))
            elif isinstance(part, Face) and part in self._cards:
                parts.append(("card", self._cards[part]))
            else:
                parts.append(("text", str(part)))
        return parts

    def _entry(self, seq: int, said: Sequence[Ruling], change: Change | None, day: str) -> Entry:
        event, counts = self.events[seq - 1], self._counting.get(seq)
        withheld = self._covers(seq)
        kind = ev.type_of(event)
        heading = None
        if isinstance(event, ev.Deal):
            heading = f"Hand {self._hands[seq]}" if seq in self._hands else "A deal that no longer counts"
        beside = isinstance(event, ev.Note | ev.Retract | ev.Amend)
        at = event.at or ""
        return Entry(
            seq=seq,
            kind=kind,
            heading=heading,
            words=self._words(event, seq),
            counts=self._words(counts, seq) if counts is not None and counts is not event else None,
            by=self._by.get(seq),
            taken_back=counts is None and not beside,
            rulings=() if withheld else said,
            withheld=withheld and not beside,
            change=None if change is None else self._change(change),
            recorder=event.by or "",
            at=at,
            when=_when(at, day),
        )

    def _change(self, change: Change) -> ChangeRow:
        event = self.events[change.seq - 1]
        was = None
        if isinstance(event, ev.Amend) and change.replaced is not None:
            was = self._words(change.replaced, event.about)
        # What was scored and then taken back is shown again when the match is over (api/secrecy.py).
        covered = any(
            hand is not None and hand.scores is not None and self._covers(hand.first)
            for table in (change.before, change.after)
            for hand in table.hands
        )
        before, after = change.before, change.after
        return ChangeRow(
            was=was,
            gone=[(seq, self._words(self.events[seq - 1], seq)) for seq in change.gone[:LISTED]],
            gone_more=max(0, len(change.gone) - LISTED),
            back=spans(change.back),
            hands=[self._hand(hand) for hand in change.hands],
            totals=None if covered or before.totals == after.totals else (before.totals, after.totals),
            status=None if before.status == after.status else (self._ended(before), self._ended(after)),
            ceased=[
                (found.seq, self._persons[found.seat], found.rule)
                for found in change.ceased
                if not self._covers(found.seq)
            ],
            arisen=[
                (found.seq, self._persons[found.seat], found.rule)
                for found in change.arisen
                if not self._covers(found.seq)
            ],
            withheld=covered,
        )

    def _hand(self, hand: HandChange) -> HandChangeRow:
        before, after = hand.scores
        covered = any(some is not None and self._covers(some.first) for some in (hand.before, hand.after))
        fate = "is gone" if hand.after is None else "is there again" if hand.before is None else ""
        return HandChangeRow(
            hand.number,
            fate,
            spans(place for place, _, new in hand.tricks if new is None),
            spans(place for place, old, _ in hand.tricks if old is None),
            tuple((place, self._trick(old), self._trick(new)) for place, old, new in hand.tricks if old and new),
            None if covered or before == after else (before, after),
        )

    def _trick(self, trick: Trick) -> TrickText:
        _, cards, taker, rule = trick
        faces = self._table.pack.faces
        who = None if taker is None else self._persons[taker]
        return TrickText(tuple(self._cards[faces[card]] for card in cards), who, rule)

    def _ended(self, table: Table) -> str:
        """Return in words whether a match is over, and who won."""
        if table.status != "complete":
            return {"open": "under way", "ended": "ended early"}[table.status]
        return f"complete, won by {' and '.join(self._names[seat] for seat in table.winners)}"


def spans(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order as people write them.

    >>> spans([1, 2, 3, 7])
    '1 to 3, 7'
    """
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    found: Iterator[list[int]] = ([number for _, number in run] for _, run in runs)
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in found)


def _when(at: str, day: str) -> str:
    """Return a time as written beside an event; the day only where it is another than before."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    time = f"{moment:%H:%M:%S}"
    return time if at[:10] == day else f"{in_words(at[:10])}, {time}"
