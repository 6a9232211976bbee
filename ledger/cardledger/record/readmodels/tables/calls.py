"""The table of calls: one row for each bid, pass or double of an auction."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cardledger.record.readmodels.columns import HAND, MATCH, NTH, SEAT, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.record.readmodels.tables.deals import counting
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import Phase


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the calls that count, of the hands that are over."""
    stream = match.stream
    kinds = calling(stream.table.game.phases)
    hands = [hand for hand in stream.table.hands[since - 1 :] if hand.scores is not None] if kinds else []
    counts = counting(stream) if hands else None
    for hand in hands:
        nth = 0
        for seq in range(hand.first + 1, (hand.last or hand.first) + 1):
            event = stream.events[seq - 1] if counts is None else counts.get(seq)
            if event is not None and type(event) in kinds and (call := event.called()) is not None:
                nth += 1
                yield match.id, hand.number, nth, getattr(event, "seat", None), call


@cache
def calling(phases: tuple[Phase, ...]) -> frozenset[type[ev.Event]]:
    """Return the kinds of events of a game that can be calls: those that say what they call."""
    return frozenset(kind for phase in phases for kind in phase.takes() if kind.called is not ev.Event.called)


CALLS = ReadModel(
    "calls",
    "Every call (bid, pass, double) that counts, in hands that are over.",
    {
        "match": MATCH,
        "hand": HAND,
        "nth": here(NTH, "among the calls of the hand"),
        "seat": here(SEAT, "the one that called", optional=True),
        "call": ("TEXT NOT NULL", "the call in the words of the game; a number of tricks where only tricks are bid"),
    },
    ("match", "hand", "nth"),
    rows,
)
