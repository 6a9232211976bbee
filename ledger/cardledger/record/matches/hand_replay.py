"""A hand step by step.

Every recorded event from its deal to the next, the event that counts in its place, and the table after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.rulebook import Ruling
from cardledger.rules.engine.state import Hand
from cardledger.rules.stream import Chain, Stream, unroll


@dataclass(frozen=True, slots=True)
class Step:
    """A recorded event.

    `counts` is the event that counts in its place (None: it was taken back, or is a note or a correction), `by` the
    number of the correction that took it back or amended it.
    """

    seq: int
    event: ev.Event
    counts: ev.Event | None
    by: int | None


class HandReplay:
    """The replay of one hand after all corrections, in a single fold.

    `first` and `last` number its events. Those before the first deal belong to the first hand, those between two hands
    (a note, say) to the hand before; without any hand, all belong to number 1, and `hand` is None. `amendments` are
    the numbers of the amendments in force for events up to the end of the hand.
    """

    def __init__(self, stream: Stream, events: Sequence[ev.Event], number: int) -> None:
        """Prepare the replay of hand `number` of a match, which has the hand (or none, for 1)."""
        hands = stream.table.hands
        self.hand: Hand | None = hands[number - 1] if hands else None
        self.first = hands[number - 1].first if number > 1 else 1
        self.last = hands[number].first - 1 if number < len(hands) else len(events)
        self._chain = unroll(stream.heads[-1])
        by = corrected_by(stream)
        # An event that counts unchanged is given as recorded, with time and recorder.
        counts = {seq: event if seq in by else events[seq - 1] for seq, event in self._chain}
        self.amendments = sorted(place for seq, place in by.items() if seq in counts and seq <= self.last)
        self.steps = [
            Step(seq, events[seq - 1], counts.get(seq), by.get(seq)) for seq in range(self.first, self.last + 1)
        ]
        self._trail: list[Ruling] = []

    def tables(self) -> Iterator[tuple[Step, Match[Any]]]:
        """Yield each step with the table after it, which the next step changes.

        Events that do not count leave the table unchanged. After the last trick the hand still lies on the table,
        with the remaining cards.
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
        """Return the rulings by event; complete only after all steps, as hidden hands are judged at their end."""
        by_event: dict[int, list[Ruling]] = {}
        for ruling in self._trail:
            by_event.setdefault(ruling.seq, []).append(ruling)
        return by_event


def hand_at(table: Match[Any], seq: int) -> int:
    """Return the number of the hand whose replay has event `seq`."""
    return max(1, len([hand for hand in table.hands if hand.first <= seq]))


def _laid_out(table: Match[Any]) -> Match[Any]:
    """Return the table; after a hand, one that still shows it."""
    if not table.hand.over or not table.hands:
        return table
    shown = table.copy()
    hand = shown.hand
    hand.over = False
    # The remaining cards of an unrecorded hand are unknown, unless all were played.
    shown.hidden = hand.hidden and (hand.agreed or hand.claimed is not None)
    return shown


def corrected_by(stream: Stream) -> dict[int, int]:
    """Return for each event that was taken back or counts as amended the number of the correction that did it."""
    heads = stream.heads
    until = _counted_until(heads)
    by = {seq: number + 1 for seq, number in until.items() if number < len(heads)}
    amends = {id(event.event): number for number, event in enumerate(stream.events, 1) if isinstance(event, ev.Amend)}
    by |= {seq: amends[id(event)] for seq, event in unroll(heads[-1]) if id(event) in amends}
    return by


def _counted_until(heads: Sequence[Chain]) -> dict[int, int]:
    """Return for each event of play the number of the latest event after which it counted, amended or not."""
    # Chains share their beginning: each link is visited once, however often it was taken back and counted again.
    latest: dict[int, int] = {}
    links: list[Chain] = []
    for number, head in enumerate(heads, 1):
        new: list[Chain] = []
        link: Chain | None = head
        while link is not None and id(link) not in latest:
            latest[id(link)] = 0
            new.append(link)
            link = link[2]
        links += reversed(new)
        latest[id(head)] = number
    until: dict[int, int] = {}
    for link in reversed(links):
        seq, _, before = link
        number = latest[id(link)]
        until[seq] = max(until.get(seq, 0), number)
        if before is not None:
            latest[id(before)] = max(latest[id(before)], number)
    return until


def ended_by(hand: Hand) -> str | None:
    """How a hand ended: by play, claim or score; None while it is under way."""
    if hand.scores is None:
        return None
    if hand.agreed:
        return "score"
    return "play" if hand.claimed is None else "claim"
