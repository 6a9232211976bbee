"""A hand step by step: every event recorded from its deal to the next, what counts in its place, and the table after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ledger import events as ev
from ledger.corrections import Stream, unroll
from ledger.hand import Hand
from ledger.rulebook import Ruling
from ledger.table import Table


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the record with what became of it.

    `counts` is what counts in its place (None: it was taken back, or is a note or a correction), `by` the number of the
    correction that took it back or amended it.
    """

    seq: int
    event: ev.Event
    counts: ev.Event | None
    by: int | None


class HandReplay:
    """The replay of one hand, in a single fold, as corrections have left it.

    `first` and `last` number its events. Those before the first deal belong to the first hand, those between two hands
    (a note, say) to the hand before; without any hand, all belong to number 1, and `hand` is None. `amendments` are the
    numbers of the amendments in force of anything up to the end of the hand.
    """

    def __init__(self, stream: Stream, events: Sequence[ev.Event], number: int) -> None:
        """Prepare the replay of hand `number` of a match, which has the hand (or none, for 1)."""
        hands = stream.table.hands
        self.hand: Hand | None = hands[number - 1] if hands else None
        self.first = hands[number - 1].first if number > 1 else 1
        self.last = hands[number].first - 1 if number < len(hands) else len(events)
        self._chain = unroll(stream.heads[-1])
        by = corrected_by(stream, events)
        # What counts as recorded is given as recorded, with when and by whom.
        counts = {seq: event if seq in by else events[seq - 1] for seq, event in self._chain}
        self.amendments = sorted(place for seq, place in by.items() if seq in counts and seq <= self.last)
        self.steps = [
            Step(seq, events[seq - 1], counts.get(seq), by.get(seq)) for seq in range(self.first, self.last + 1)
        ]
        self._trail: list[Ruling] = []

    def tables(self) -> Iterator[tuple[Step, Table]]:
        """Yield each step with the table after it, which the next step changes.

        What does not count leaves the table as it was. After the last trick of the hand, the hand lies on the table
        still, with what is left in the hands.
        """
        (_, opening), *chain = self._chain
        table = Stream(opening, audit=True).table
        before = [(seq, event) for seq, event in chain if seq < self.first]
        if before:
            table.trail = None
            for seq, event in before:
                table.apply(event, seq)
            table.trail = []
        for step in self.steps:
            if step.counts is not None and step.seq > 1:
                table.apply(step.counts, step.seq)
            yield step, _laid_out(table)
        self._trail = table.trail or []

    def rulings(self) -> dict[int, list[Ruling]]:
        """Return what the rules said, by event; known when all tables are through: hidden hands are judged at their end."""
        found: dict[int, list[Ruling]] = {}
        for ruling in self._trail:
            found.setdefault(ruling.seq, []).append(ruling)
        return found


def hand_at(table: Table, seq: int) -> int:
    """Return the number of the hand whose replay has event `seq`."""
    return max(1, sum(hand.first <= seq for hand in table.hands))


def _laid_out(table: Table) -> Table:
    """Return the table, or after a hand one on which it still lies."""
    if table.hand is not None or not table.hands:
        return table
    shown = table.copy()
    hand = shown.hand = shown.hands[-1]
    # What was left in a hand that nobody wrote down is not known, unless all of it was played.
    shown.hidden = hand.hidden and (hand.agreed or hand.claimed is not None)
    return shown


def corrected_by(stream: Stream, events: Sequence[ev.Event]) -> dict[int, int]:
    """Return for each event that was taken back or counts as amended the number of the correction that did it."""
    by: dict[int, int] = {}
    amends: dict[int, list[tuple[int, ev.Event]]] = {}
    for number, event in enumerate(events, 1):
        if isinstance(event, ev.Amend):
            by[event.about] = number
            amends.setdefault(event.about, []).append((number, event.event))
        elif isinstance(event, ev.Retract):
            before, after = (dict(unroll(stream.heads[place])) for place in (number - 2, number - 1))
            by.update(dict.fromkeys(before.keys() - after.keys(), number))
            for seq in (by.keys() | amends.keys()) & after.keys():
                # It counts (again): as recorded, or as the amendment that was in force then.
                by.pop(seq, None)
                for place, wanted in amends.get(seq, ()):
                    if _said(wanted) == _said(after[seq]):
                        by[seq] = place
    return by


def _said(event: ev.Event) -> ev.Event:
    """Return an event without when and by whom it was recorded."""
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None)
