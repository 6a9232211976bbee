"""Lines that are tried from an event of a match: where they begin, what comes of them, and where they leave the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.hand_replay import HandReplay, hand_at
from cardledger.record.matches.moves import event_of_move, kinds_of, move_of
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Place(NamedTuple):
    """Where a line begins: the hand, the last event that counts up to there, and later amendments of what came before."""

    hand: int
    base: int
    amends: list[ev.Amend]


def place_of(stream: Stream, events: Sequence[ev.Event], seq: int) -> Place:
    """Return where a line after an event of a match begins; raises RuleError `table.range`.

    Later events that were taken back must not come again, and amendments recorded since count.
    """
    if not 1 <= seq <= stream.seq:
        raise RuleError("table.range", f"event is {seq}, but the match has events 1 to {stream.seq}")
    number = hand_at(stream.table, seq)
    hand = HandReplay(stream, events, number)
    base = max((step.seq for step in hand.steps if step.counts and step.seq <= seq), default=seq)
    later = (events[at - 1] for at in hand.amendments if at > base)
    return Place(number, base, [event for event in later if isinstance(event, ev.Amend) and event.about <= base])


def line_played(stream: Stream, events: Sequence[ev.Event], event: int, moves: Sequence[str]) -> Stream:
    """Return a match as it would be after a line; raises the error of the first move that is refused, with its `index`."""
    place, kinds = place_of(stream, events, event), kinds_of(stream.table.game)
    tried = Stream.of(events[: place.base])
    for amend in place.amends:
        tried.append(amend)
    for index, move in enumerate(moves):
        try:
            tried.append(event_of_move(move, kinds))
        except LedgerError as error:
            error.index = index
            raise
    return tried


def fits(stream: Stream, events: Sequence[ev.Event], event: int, moves: Sequence[str]) -> bool:
    """Tell whether a line can still be played: a correction since may have changed what came before it."""
    try:
        line_played(stream, events, event, moves)
    except LedgerError:
        return False
    return True


def left_of(
    stream: Stream, events: Sequence[ev.Event], event: int, moves: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """Return the event of the record after which a line leaves it, and its moves from there on; at least one."""
    place, kinds = place_of(stream, events, event), kinds_of(stream.table.game)
    base = place.base
    for seq, move in _recorded(HandReplay(stream, events, place.hand), base, kinds):
        if len(moves) == 1 or moves[0] != move:
            break
        base, moves = seq, moves[1:]
    return base, moves


def _recorded(hand: HandReplay, base: int, kinds: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, str]]:
    """Yield the moves of the record after an event, with their numbers."""
    for step in hand.steps:
        if step.seq > base and step.counts is not None and step.counts.counts:
            said = msgspec.to_builtins(step.counts)
            if said["type"] not in kinds:
                return
            yield step.seq, move_of(said, kinds)
