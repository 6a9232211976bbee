"""Two records of one hand, compared card by card: what was recorded, and what a phone without a connection kept meanwhile.

Both begin after the same event. They are compared as they count, after all corrections, and aligned by trick; what is
no trick is aligned by the bidding and by turns, so that every game has its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from cardledger.errors import FormatError, LedgerError
from cardledger.record.matches.table_state import place_asked
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream, unroll
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cardledger.rules.engine.state import Hand

MAX_ENTRIES: Final = 10_000
"""How many entries a phone may compare."""
Outcome = Literal["contained", "goes on", "differs"]
"""Whether all that the phone kept is recorded already, goes on where the record ends, or says something else."""
Counting = tuple[int, ev.Event]
"""An event that counts, with its number."""


class HandPart(NamedTuple):
    """A part of a match: a hand, in it the deal, the bidding, a trick, a turn or the result, and its number from 1."""

    hand: int
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A part in both records. `first` is the place at which they begin to differ in it, None if they are the same."""

    part: HandPart
    theirs: tuple[ev.Event, ...]
    mine: tuple[ev.Event, ...]

    @property
    def first(self) -> int | None:
        """The place of the first difference, None for none."""
        return None if self.theirs == self.mine else _alike(self.theirs, self.mine)


class WayStep(NamedTuple):
    """An event to record, numbered as if it were recorded next.

    `of` is the place of the entry that it comes from, None for a new event; `as_made` says that only its numbers differ
    from that entry. `turn` and `next` are how many events count before it and after it.
    """

    of: int | None
    event: ev.Event
    as_made: bool = False
    turn: int = 0
    next: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """A way to settle two records: what is recorded next; the other entries of the phone are given up.

    `known` are entries that are the same as recorded events, with the numbers of these. `more` is how many entries of
    the phone follow what others recorded.
    """

    known: tuple[tuple[int, int], ...]
    steps: tuple[WayStep, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class TwoRecords:
    """What was recorded after an event (`theirs`) beside what a phone kept (`mine`): rows in their order, and two ways on.

    `keep` keeps what is recorded, `replace` takes it back and records what the phone has. Nobody has to be asked unless
    the outcome is `differs`: then `keep` loses nothing. Two amendments of one event that say different things differ, too.
    """

    outcome: Outcome
    rows: tuple[BesideRow, ...]
    keep: Way
    replace: Way


def two_records(stream: Stream, at: int, entries: Sequence[ev.Event]) -> TwoRecords:
    """Compare what was recorded after event `at` with the entries that a phone made after it.

    Args:
        stream: the match as it is recorded.
        at: the last event that both know.
        entries: those of the phone, numbered as if they were recorded next. From one on that the rules refuse they
            are not compared; they follow, if the phone's record is kept.

    Raises:
        RuleError: `table.range`, if there is no event `at`.
        FormatError: `format.size`, for too many entries.
    """
    place_asked(at, stream.seq)
    if len(entries) > MAX_ENTRIES:
        raise FormatError("format.size", Sentence("at most {most} entries can be compared", most=f"{MAX_ENTRIES:,}"))
    return _Comparison(stream, at, entries).made()


def as_told(found: TwoRecords, seq: int) -> dict[str, Any]:
    """Return a comparison ready for JSON; `seq` is the last event of the record."""
    return {
        "seq": seq,
        "outcome": found.outcome,
        "rows": [
            row.part._asdict() | {"theirs": _builtins(row.theirs), "mine": _builtins(row.mine), "first": row.first}
            for row in found.rows
        ],
        "keep": _told(found.keep),
        "replace": _told(found.replace),
    }


def _told(way: Way) -> dict[str, Any]:
    steps = [step._asdict() | {"event": _builtins(step.event)} for step in way.steps]
    return {"known": [{"of": of, "seq": seq} for of, seq in way.known], "steps": steps, "more": way.more}


def _builtins(value: object) -> Any:
    return msgspec.to_builtins(value)


class _Comparison:
    """The two records from the event at which they part."""

    def __init__(self, stream: Stream, at: int, entries: Sequence[ev.Event]) -> None:
        self._at, self._entries, self._stream = at, [ev.bare(event) for event in entries], stream
        base = Stream.of(stream.events[:at])
        mine = base.copy()
        for event in self._entries:
            try:
                mine.append(event)
            except LedgerError:
                break
        self._judged = mine.seq - at
        self._before = dict(unroll(base.heads[-1]))
        self._theirs, self._mine = unroll(stream.heads[-1]), unroll(mine.heads[-1])
        stays = zip(self._before, self._theirs, self._mine, strict=False)
        self._common = next(
            (place for place, (seq, one, other) in enumerate(stays) if not seq == one[0] == other[0]),
            min(len(self._before), len(self._theirs), len(self._mine)),
        )
        self._agreed, self._disputed = self._amended_by_both()

    def made(self) -> TwoRecords:
        theirs, mine = (_since(chain, self._common) for chain in (self._theirs, self._mine))
        disputed = {part for seq, part, _ in self._parts(self._theirs) if seq in self._disputed}
        rows = tuple(_rows(self._shown(self._theirs, disputed), self._shown(self._mine, disputed)))
        alike = _alike(theirs, mine)
        if alike == len(mine) and not self._was_known(self._theirs[self._common + alike :]):
            outcome: Outcome = "contained"
        elif alike == len(theirs) and not self._was_known(self._mine[self._common + alike :]):
            outcome = "goes on"
        else:
            outcome = "differs"
        keep = self._keep(outcome, alike, self._agreed | self._disputed)
        if not self._disputed:
            return TwoRecords(outcome, rows, keep, self._replace())
        mine_too = self._replace() if outcome == "differs" else self._keep(outcome, alike, self._agreed)
        return TwoRecords("differs", rows, keep, mine_too)

    def _amended_by_both(self) -> tuple[frozenset[int], frozenset[int]]:
        """Return the events that both knew and both amended since: in the same way, and in two ways."""
        theirs, mine = dict(self._theirs), dict(self._mine)
        both = [
            (seq, ev.bare(theirs[seq]), ev.bare(mine[seq]))
            for seq, was in self._before.items()
            if seq in theirs and seq in mine and ev.bare(was) not in (ev.bare(theirs[seq]), ev.bare(mine[seq]))
        ]
        agreed = frozenset(seq for seq, one, other in both if one == other)
        return agreed, frozenset(seq for seq, _, _ in both) - agreed

    def _was_known(self, rest: Sequence[Counting]) -> bool:
        """Tell whether a rest holds events that both knew: then the other record has taken them back."""
        return any(seq <= self._at for seq, _ in rest)

    def _shown(self, chain: Sequence[Counting], disputed: Collection[HandPart]) -> list[tuple[HandPart, ev.Event]]:
        """Return the events of a record after the common ones, and of the parts in dispute before, each with its part."""
        later = {seq for seq, _ in chain[self._common :]}
        return [(part, event) for seq, part, event in self._parts(chain) if seq in later or part in disputed]

    def _parts(self, chain: Sequence[Counting]) -> list[tuple[int, HandPart, ev.Event]]:
        """Return the events of a record, each with its number and its part."""
        table = Stream(chain[0][1]).table
        found = []
        within = _Within()
        for seq, event in chain[1:]:
            before = table.hand
            tricks = before.tricks_done
            table.apply(event, seq)
            part = within.part(event, table.hand if isinstance(event, ev.Deal) else before, tricks)
            found.append((seq, part, ev.bare(event)))
        return found

    def _plain(self) -> list[tuple[int, int]]:
        """Return the entries at the beginning that are the same as what was recorded, with the numbers of that."""
        found = []
        since = self._stream.events[self._at :]
        recorded = [(seq, event) for seq, event in enumerate(since, self._at + 1) if not _beside(event)]
        entered = [(place, event) for place, event in enumerate(self._entries[: self._judged]) if not _beside(event)]
        for (seq, one), (place, other) in zip(recorded, entered, strict=False):
            if ev.bare(one) != other or one.corrects:
                break
            found.append((place, seq))
        return found

    def _stays(self, place: int) -> bool:
        """Tell whether an entry stands beside the hand: a note, or an amendment of what both know."""
        event = self._entries[place]
        return _beside(event) or (isinstance(event, ev.Amend) and event.about <= self._at)

    def _keep(self, outcome: Outcome, alike: int, amended: Collection[int]) -> Way:
        """Keep what is recorded, with what the phone has beyond it; events that stay `amended` as recorded are left so."""
        plain = self._plain()
        settled = {
            place for place, event in enumerate(self._entries) if isinstance(event, ev.Amend) and event.about in amended
        }
        known = {place for place, _ in plain} | settled
        new = self._theirs[self._common :]
        if not settled and outcome == "goes on" and [seq for _, seq in plain] == [seq for seq, _ in new]:
            return self._way(plain, [place for place in range(len(self._entries)) if place not in known])
        rest: dict[int, ev.Event] = {}
        if outcome == "goes on" or (outcome == "differs" and self._fits(len(new))):
            rest = {seq - self._at - 1: event for seq, event in self._mine[self._common + len(new) :]}
        steps: list[int | WayStep] = []
        for place in range(len(self._entries)):
            if place in rest:
                steps.append(WayStep(place, ev.bare(rest[place])))
            elif place not in known and (self._stays(place) or (outcome == "goes on" and place >= self._judged)):
                steps.append(place)
        return self._way(plain, steps, len(rest))

    def _way(self, known: Sequence[tuple[int, int]], steps: Sequence[int | WayStep], more: int = 0) -> Way:
        """Return a way; a step that is a number is the entry of that place, which gets its numbers here."""
        numbers = {self._at + 1 + place: seq for place, seq in known}
        made = []
        turn, counted = self._stream.counted(self._stream.seq), dict[int, int]()
        for number, step in enumerate(steps, self._stream.seq + 1):
            if isinstance(step, int):
                step = WayStep(step, _renumbered(self._entries[step], numbers), as_made=True)
            if step.of is not None:
                numbers[self._at + 1 + step.of] = number
            before, event = turn, step.event
            if isinstance(event, ev.Retract):
                turn = counted[event.to] if event.to in counted else self._stream.counted(event.to)
            elif event.counts and not isinstance(event, ev.Amend):
                turn += 1
            counted[number] = turn
            made.append(step._replace(turn=before, next=turn))
        return Way(tuple(known), tuple(made), more)

    def _fits(self, new: int) -> bool:
        """Tell whether what the phone has beyond the recorded events goes on from them, without a broken rule."""
        rest = self._mine[self._common + new :]
        if not rest or self._was_known(rest) or self._was_known(self._theirs[self._common :]):
            return False
        tried = self._stream.copy()
        broken = len(tried.table.violations)
        try:
            for _, event in rest:
                tried.append(ev.bare(event))
        except LedgerError:
            return False
        return len(tried.table.violations) == broken

    def _replace(self) -> Way:
        """Take back what was recorded from the first difference on, and record what the phone has."""
        plain = self._plain()
        known = {place for place, _ in plain}
        back = plain[-1][1] if plain else self._at
        steps: list[int | WayStep] = [WayStep(None, ev.Retract(to=back))]
        # What others amended before the hand stays amended.
        steps += [
            WayStep(None, ev.Amend(about=seq, event=ev.bare(event)))
            for seq, event in self._theirs
            if self._before.get(seq, event) != event and self._amended_after(seq, back)
        ]
        steps += [place for place in range(len(self._entries)) if place not in known]
        return self._way(plain, steps)

    def _amended_after(self, seq: int, back: int) -> bool:
        return any(isinstance(event, ev.Amend) and event.about == seq for event in self._stream.events[back:])


class _Within:
    """Where the events of a record belong, as they come."""

    def __init__(self) -> None:
        self._hand = self._turn = 0
        self._seat: int | None = None
        self._goes_on = False

    def part(self, event: ev.Event, hand: Hand, tricks: int) -> HandPart:
        """Return the part of an event in a hand, which had so many complete tricks before it."""
        if hand.number != self._hand:
            self._hand, self._turn, self._goes_on = hand.number, 0, False
        kind = next((name for name, kinds in _KINDS.items() if isinstance(event, kinds)), None)
        if kind is not None:
            self._goes_on = False
            return HandPart(hand.number, kind, tricks + 1 if kind == "trick" else 1)
        seat = getattr(event, "seat", None)
        if not self._goes_on or seat != self._seat:
            self._turn, self._seat, self._goes_on = self._turn + 1, seat, True
        return HandPart(hand.number, "turn", self._turn)


_KINDS: Final[dict[str, tuple[type[ev.Event], ...]]] = {
    "deal": (ev.Deal,),
    "trick": (ev.Play,),
    "bidding": (ev.Bid, ev.Call, ev.Pass),
    "result": (ev.Claim, ev.Score, ev.Adjust),
    "end": (ev.End, ev.Void),
}


def _beside(event: ev.Event) -> bool:
    """Tell whether an event stands beside the play, as a note does."""
    return not event.counts and not event.corrects


def _renumbered(event: ev.Event, numbers: Mapping[int, int]) -> ev.Event:
    """Return an event that names other events by the numbers that these get."""
    key = "to" if isinstance(event, ev.Retract) else "about"
    old: int | None = getattr(event, key, None)
    return msgspec.structs.replace(event, **{key: numbers[old]}) if old is not None and old in numbers else event


def _since(chain: Sequence[Counting], place: int) -> list[ev.Event]:
    return [ev.bare(event) for _, event in chain[place:]]


def _alike(one: Sequence[ev.Event], other: Sequence[ev.Event]) -> int:
    """Return how many events at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _rows(theirs: Sequence[tuple[HandPart, ev.Event]], mine: Sequence[tuple[HandPart, ev.Event]]) -> list[BesideRow]:
    """Return both records part by part; a part that only one has stands after the part before it there."""
    order = list(dict.fromkeys(part for part, _ in theirs))
    known, before = set(order), -1
    for part in dict.fromkeys(part for part, _ in mine):
        if part in known:
            before = order.index(part)
        else:
            before += 1
            order.insert(before, part)
    one, other = _by_part(theirs), _by_part(mine)
    return [BesideRow(part, tuple(one.get(part, ())), tuple(other.get(part, ()))) for part in order]


def _by_part(events: Sequence[tuple[HandPart, ev.Event]]) -> dict[HandPart, list[ev.Event]]:
    found: dict[HandPart, list[ev.Event]] = {}
    for part, event in events:
        found.setdefault(part, []).append(event)
    return found
