"""The audit trail of a match as its page shows it.

A page of events with their rulings, and the effects of corrections.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cardledger.record.matches.changes import changes
from cardledger.record.matches.describe import phrase
from cardledger.record.matches.hand_replay import corrected_by
from cardledger.record.matches.replay import rulings
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger.sentence import Called, Face
from cardledger_web.dates import in_words, local
from cardledger_web.languages import N_, _, here, recorded_name, translated
from cardledger_web.views.cards import drawn
from cardledger_web.views.wording import in_glyphs, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardledger.record.matches.changes import Change, HandChange
    from cardledger.record.recording.secrecy import Secrets
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.rulebook import Ruling
    from cardledger.rules.engine.state import Trick
    from cardledger.rules.stream import Stream

SHOWN = {"all": N_("Everything"), "broken": N_("Rules broken"), "corrections": N_("Corrections")}
"""The filters of the trail, in words."""
LISTED = 12
"""The most events that a retract lists; the rest is only counted."""
LONGEST = 100
"""The most hands that a correction shows; the rest is only counted."""
_PAGE = 150
"""Events after which the next deal begins a new page; after twice as many a page ends anywhere."""

Parts = list[tuple[str, Any]]
"""An event in words, part by part: `text`, `player` with a name, `card` with what is drawn."""


@dataclass(frozen=True, slots=True)
class TrailEvent:
    """An event of the trail.

    `heading` is the title of the part it begins, `counts` the amended event in its place, `by` the number of the
    correction that took it back or amended it. `withheld` means that its rulings are still hidden.
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
    """The effects of a correction; totals and points are None if they did not change or are still hidden."""

    was: Parts | None
    gone: list[tuple[int, Parts]]
    gone_more: int
    back: str
    hands: list[HandChangeRow]
    hands_more: int
    totals: tuple[list[int], list[int]] | None
    status: tuple[str, str] | None
    ceased: list[tuple[int, str, str]]
    arisen: list[tuple[int, str, str]]
    withheld: bool

    @property
    def nothing(self) -> bool:
        """Whether only the words of the event changed, as far as can be shown."""
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


def alike(entries: Sequence[TrailEvent]) -> list[list[TrailEvent]]:
    """Return events in runs: those in a row of one kind that the same rules allowed, or whose rulings are still hidden.

    All other events stand alone, and so do those that begin a part of the match.
    """
    runs: list[list[TrailEvent]] = []
    before: tuple[object, ...] | None = None
    for entry in entries:
        plain = not (entry.counts or entry.taken_back or entry.change) and all(
            ruling.verdict == "allowed" for ruling in entry.rulings
        )
        same = (
            (entry.kind, entry.withheld, *(ruling.rule for ruling in entry.rulings))
            if plain and (entry.rulings or entry.withheld)
            else None
        )
        if same is not None and same == before and entry.heading is None:
            runs[-1].append(entry)
        else:
            runs.append([entry])
        before = same
    return runs


@dataclass(frozen=True, slots=True)
class TrailPart:
    """A hand of the trail, folded until it is asked for; what comes before the first deal has no `heading`."""

    heading: str | None
    runs: list[list[TrailEvent]]

    @property
    def first(self) -> int:
        """The number of its first event on the page."""
        return self.runs[0][0].seq

    @property
    def last(self) -> int:
        """The number of its last event on the page."""
        return self.runs[-1][-1].seq

    @property
    def broken(self) -> int:
        """How many of its events broke a rule."""
        return sum(any(ruling.verdict == "broken" for ruling in one.rulings) for run in self.runs for one in run)

    @property
    def corrections(self) -> int:
        """How many of its events correct others."""
        return sum(one.change is not None for run in self.runs for one in run)


def by_hand(runs: Sequence[list[TrailEvent]]) -> list[TrailPart]:
    """Return the runs of a page in parts: each deal begins one."""
    parts: list[TrailPart] = []
    for run in runs:
        if not parts or run[0].heading is not None:
            parts.append(TrailPart(run[0].heading, []))
        parts[-1].runs.append(run)
    return parts


class Trail:
    """The audit trail of a match; `secrets` is what must stay hidden, None for users who see all.

    `persons` sat at the seats, `names` are their names.
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
        self._by_seat = dict(zip(stream.table.players, names, strict=False))
        self.stream = stream
        self.events = events
        self._secrets = secrets
        self._table = stream.table
        self._cards = drawn(stream.table.pack)
        self._wording = wording(stream.table.game)
        self._by = corrected_by(stream)
        self._hands = {hand.first: hand.number for hand in stream.table.hands}
        self._counting = dict(unroll(stream.heads[-1]))

    def entries(self, among: Iterable[int]) -> list[TrailEvent]:
        """Return the entries of some events, by their numbers in order."""
        wanted = list(among)
        span = range(wanted[0], wanted[-1] + 1) if wanted else range(0)
        by_number = set(wanted)
        by_event = rulings(self.stream, span) if wanted else {}
        changed = {change.seq: change for change in changes(self.events, span) if change.seq in by_number}
        entries, day = [], ""
        for seq in wanted:
            entry = self._entry(seq, by_event.get(seq, ()), changed.get(seq), day)
            day = _day(entry.at)
            entries.append(entry)
        return entries

    def broken(self) -> list[int]:
        """Return the numbers of events that broke a rule, without hidden ones."""
        numbers = {violation.seq for violation in self._table.violations}
        return sorted(seq for seq in numbers if not self._covers(seq))

    def corrections(self) -> list[int]:
        """Return the numbers of all retracts, amendments and voids."""
        return [correction.seq for correction in self.stream.corrections]

    def _covers(self, seq: int) -> bool:
        return self._secrets is not None and self._secrets.covers(seq)

    def _public(self, event: ev.Event, seq: int) -> ev.Event:
        return event if self._secrets is None else self._secrets.public(event, seq)

    def _named(self, player: str) -> str:
        return self._by_seat.get(player) or recorded_name(player)

    def _words(self, event: ev.Event, seq: int) -> Parts:
        players = self._persons
        parts: Parts = []
        for part in phrase(self._public(event, seq), self._named, here()):
            if isinstance(part, int):
                parts.append(("player", players[part]))
            elif isinstance(part, Face) and part in self._cards:
                parts.append(("card", self._cards[part]))
            elif isinstance(part, Called):
                parts.append(("text", self._wording.call(part)))
            else:
                parts.append(("text", str(part)))
        return parts

    def _entry(self, seq: int, cited: Sequence[Ruling], change: Change | None, day: str) -> TrailEvent:
        event, counts = self.events[seq - 1], self._counting.get(seq)
        withheld = self._covers(seq)
        kind = ev.type_of(event)
        heading = None
        if isinstance(event, ev.Deal):
            heading = (
                _("Hand %(number)s", number=self._hands[seq])
                if seq in self._hands
                else _("A deal that no longer counts")
            )
        beside = not event.counts
        at = event.at or ""
        return TrailEvent(
            seq=seq,
            kind=kind,
            heading=heading,
            words=self._words(event, seq),
            counts=self._words(counts, seq)
            if counts is not None and counts is not self.stream.events[seq - 1]
            else None,
            by=self._by.get(seq),
            taken_back=counts is None and not beside,
            rulings=() if withheld else [self._as_shown(ruling) for ruling in cited],
            withheld=withheld and event.counts and not event.corrects,
            change=None if change is None else self._change(change),
            recorder=_recorder(event),
            at=at,
            when=_when(at, day),
        )

    def _as_shown(self, ruling: Ruling) -> Ruling:
        """Return a ruling in the language of the page, with its cards and calls as they are drawn."""
        named = ruling.with_names(self._names)
        return replace(named, text=in_glyphs(named.text, self._table, self._names))

    def _change(self, change: Change) -> ChangeRow:
        event = self.events[change.seq - 1]
        was = None
        if isinstance(event, ev.Amend) and change.replaced is not None:
            was = self._words(change.replaced, event.about)
        # What was scored and then taken back is shown again when the match is over (recording/secrecy.py).
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
            hands=[self._hand(hand) for hand in change.hands[:LONGEST]],
            hands_more=max(0, len(change.hands) - LONGEST),
            totals=None if covered or before.totals == after.totals else (before.totals, after.totals),
            status=None if before.status == after.status else (self._ended(before), self._ended(after)),
            ceased=[
                (violation.seq, self._persons[violation.seat], violation.rule)
                for violation in change.ceased
                if not self._covers(violation.seq)
            ],
            arisen=[
                (violation.seq, self._persons[violation.seat], violation.rule)
                for violation in change.arisen
                if not self._covers(violation.seq)
            ],
            withheld=covered,
        )

    def _hand(self, hand: HandChange) -> HandChangeRow:
        before, after = hand.scores
        covered = any(some is not None and self._covers(some.first) for some in (hand.before, hand.after))
        hidden = self._secrets is not None and any(
            some is not None and self._secrets.hides_all(some.first) for some in (hand.before, hand.after)
        )
        fate = _("is gone") if hand.after is None else _("is there again") if hand.before is None else ""
        return HandChangeRow(
            hand.number,
            fate,
            spans(place for place, _, new in hand.tricks if new is None),
            spans(place for place, old, _ in hand.tricks if old is None),
            ()
            if hidden
            else tuple((place, self._trick(old), self._trick(new)) for place, old, new in hand.tricks if old and new),
            None if covered or before == after else (before, after),
        )

    def _trick(self, trick: Trick) -> TrickText:
        _, cards, taker, rule = trick
        faces = self._table.pack.faces
        who = None if taker is None else self._persons[taker]
        return TrickText(tuple(self._cards[faces[card]] for card in cards), who, rule)

    def _ended(self, table: Match[Any]) -> str:
        """Return in words whether a match is over, and who won."""
        if table.status != "complete":
            return translated({"open": N_("under way"), "ended": N_("ended early"), "void": N_("void")}[table.status])
        return _("complete, won by %(names)s", names=_(" and ").join(self._names[seat] for seat in table.winners))


def spans(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order as people write them.

    >>> spans([1, 2, 3, 7])
    '1 to 3, 7'
    """
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    stretches: Iterator[list[int]] = ([number for _, number in run] for _, run in runs)
    return ", ".join(
        _("%(first)s to %(last)s", first=run[0], last=run[-1]) if len(run) > 1 else str(run[0]) for run in stretches
    )


def _recorder(event: ev.Event) -> str:
    """Return the names of an event's recorder and importer."""
    return ", ".join(
        part for part in (event.by, event.imported_by and _("imported by %(name)s", name=event.imported_by)) if part
    )


def _when(at: str, day: str) -> str:
    """Return a time as written beside an event; with the day if it differs from the one before."""
    try:
        time = f"{local(at):%H:%M:%S}"
    except ValueError:
        return at
    return time if _day(at) == day else f"{in_words(_day(at))}, {time}"


def _day(at: str) -> str:
    """Return the day of a time in the server's zone, "" if it is not a time."""
    try:
        return local(at).date().isoformat()
    except ValueError:
        return ""
