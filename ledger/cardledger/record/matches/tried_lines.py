"""Lines that are tried from an event of a match: where they begin, what comes of them, and where they leave the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.hand_replay import HandReplay, hand_at
from cardledger.record.matches.moves import event_of_move, kinds_of, move_of
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Place(NamedTuple):
    """Where a line begins: the hand, the last event that counts up to there, and later amendments of what came before."""

    hand: int
    base: int
    amends: list[ev.Amend]


class TriedLines:
    """Lines that are tried in a match. What several of them need is computed once: the hands, and the match before a line."""

    def __init__(self, stream: Stream, events: Sequence[ev.Event]) -> None:
        """Begin with a match, and its events as recorded."""
        self._stream, self._events = stream, events
        self._kinds = kinds_of(stream.table.game)
        self._hands: dict[int, HandReplay] = {}
        self._before: dict[int, Stream] = {}

    def place(self, seq: int) -> Place:
        """Return where a line after an event begins; raises RuleError `table.range`.

        Later events that were taken back must not come again, and amendments recorded since count.
        """
        if not 1 <= seq <= self._stream.seq:
            raise RuleError(
                "table.range",
                Sentence("event is {seq}, but the match has events 1 to {last}", seq=seq, last=self._stream.seq),
            )
        number = hand_at(self._stream.table, seq)
        hand = self._hand(number)
        base = max((step.seq for step in hand.steps if step.counts and step.seq <= seq), default=seq)
        later = (self._events[at - 1] for at in hand.amendments if at > base)
        return Place(number, base, [event for event in later if isinstance(event, ev.Amend) and event.about <= base])

    def played(self, event: int, moves: Sequence[str]) -> Stream:
        """Return the match after a line; raises the error of the first move that is refused, with its `index`."""
        place = self.place(event)
        tried = self._up_to(place.base).copy()
        for amend in place.amends:
            tried.append(amend)
        for index, move in enumerate(moves):
            try:
                tried.append(event_of_move(move, self._kinds))
            except LedgerError as error:
                error.index = index
                raise
        return tried

    def fits(self, event: int, moves: Sequence[str]) -> bool:
        """Tell whether a line can still be played: a correction since may have changed what came before it."""
        try:
            self.played(event, moves)
        except LedgerError:
            return False
        return True

    def left(self, event: int, moves: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        """Return the event of the record after which a line leaves it, and its moves from there on; at least one."""
        place = self.place(event)
        base = place.base
        for seq, move in self._recorded(self._hand(place.hand), base):
            if len(moves) == 1 or moves[0] != move:
                break
            base, moves = seq, moves[1:]
        return base, moves

    def _hand(self, number: int) -> HandReplay:
        if number not in self._hands:
            self._hands[number] = HandReplay(self._stream, self._events, number)
        return self._hands[number]

    def _up_to(self, base: int) -> Stream:
        """Return the match up to an event: it goes on from the nearest one before that is known."""
        if base not in self._before:
            known = max((seq for seq in self._before if seq < base), default=0)
            before = self._before[known].copy() if known else Stream(self._events[0])
            before.extend(self._events[known or 1 : base])
            self._before[base] = before
        return self._before[base]

    def _recorded(self, hand: HandReplay, base: int) -> Iterator[tuple[int, str]]:
        """Yield the moves of the record after an event, with their numbers."""
        for step in hand.steps:
            if step.seq > base and step.counts is not None and step.counts.counts:
                said = msgspec.to_builtins(step.counts)
                if said["type"] not in self._kinds:
                    return
                yield step.seq, move_of(said, self._kinds)
