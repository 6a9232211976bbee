"""The table of counts: the raw counts of a game's measures, and the situations of the hand.

A row for each complete hand.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import json

from cardledger.record.readmodels.columns import HAND, MATCH
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.events import Event, Note
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.measures import Counts, Played
from cardledger.rules.engine.situations import situations_of
from cardledger.rules.engine.state import Hand
from cardledger.rules.stream import unroll

_encode = json.Encoder().encode


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the counts of the complete hands of a match."""
    table = match.stream.table
    count = table.game.study.count
    for hand in table.hands[since - 1 :]:
        if hand.scores is None:
            return
        counts: Counts = {"points": hand.scores}
        if table.game.sides_of_hand is not None:
            counts["side"] = hand.side
        if table.opening.policy == "record":
            counts["exposed"] = hand.exposed
            if table.violations:
                counts["violations"] = _broken(table, hand)
        events = _events(match, hand)
        if count is not None and not hand.agreed:
            counts |= count(Played(table, hand, events))
        counts |= situations_of(table, hand, events)
        nonzero = {name: numbers for name, numbers in counts.items() if any(numbers)}
        yield match.id, hand.number, _lead(table, hand), not hand.agreed, _encode(nonzero).decode()


def _lead(table: Match[Any], hand: Hand) -> str | None:
    """Return the suit of the first card led; both suits for a two-suit card."""
    if not hand.tricks:
        return None
    suits = table.pack.suits[hand.tricks[0][1][0]]
    return "".join(name for bit, name in enumerate(table.pack.suit_names) if suits >> bit & 1)


def _broken(table: Match[Any], hand: Hand) -> list[int]:
    """Return how often each seat broke a rule in a complete hand."""
    counts = [0] * table.n
    assert hand.last is not None
    for violation in table.violations:
        counts[violation.seat] += hand.first <= violation.seq <= hand.last
    return counts


def _events(match: Folded, hand: Hand) -> Callable[[], Sequence[Event]]:
    """Return a function that gives the events of a complete hand, for games that count more than tricks."""

    def events() -> Sequence[Event]:
        assert hand.last is not None
        if not match.stream.corrections:
            return [event for event in match.stream.events[hand.first - 1 : hand.last] if type(event) is not Note]
        return [event for seq, event in unroll(match.stream.heads[-1]) if hand.first <= seq <= hand.last]

    return events


COUNTS = ReadModel(
    "counts",
    "The counts behind the measures, and what was the case, for every complete hand.",
    {
        "match": MATCH,
        "hand": HAND,
        "lead": ("TEXT", "suit of the first card led, or both suits of a two-suit card; null without a trick"),
        "played_out": ("BOOLEAN NOT NULL", "0 if only the points are known, from a score sheet"),
        "counts": (
            "TEXT NOT NULL",
            "JSON object of lists by seat; counts that are 0 for everybody are left out. "
            "Situations count from 1, 0 is not known",
        ),
    },
    ("match", "hand"),
    rows,
)
