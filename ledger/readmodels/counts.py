"""The table of counts: what the measures of a game are made of, one row for each complete hand."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import json

from ledger.corrections import unroll
from ledger.events import Event, Note
from ledger.hand import Hand
from ledger.measures import Counts, Played
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.table import Table

_encode = json.Encoder().encode


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the counts of the complete hands of a match."""
    table = match.stream.table
    count = table.game.count
    for hand in table.hands[since - 1 :]:
        if hand.scores is None:
            return
        counts: Counts = {"points": hand.scores}
        if table.opening.policy == "record":
            counts["exposed"] = hand.exposed
            if table.violations:
                counts["violations"] = _broken(table, hand)
        if count is not None and not hand.agreed:
            counts |= count(Played(table, hand, _events(match, hand)))
        kept = {name: numbers for name, numbers in counts.items() if any(numbers)}
        yield match.id, hand.number, _lead(table, hand), not hand.agreed, _encode(kept).decode()


def _lead(table: Table, hand: Hand) -> str | None:
    """Return the suit of the first card led, both for a card of two suits."""
    if not hand.tricks:
        return None
    suits = table.pack.suits[hand.tricks[0][1][0]]
    return "".join(name for bit, name in enumerate(table.pack.suit_names) if suits >> bit & 1)


def _broken(table: Table, hand: Hand) -> list[int]:
    """Return how often each seat broke a rule in a complete hand."""
    counts = [0] * table.n
    assert hand.last is not None
    for found in table.violations:
        counts[found.seat] += hand.first <= found.seq <= hand.last
    return counts


def _events(match: Folded, hand: Hand) -> Callable[[], Sequence[Event]]:
    """Return what gives the events of a complete hand, for games that count more than tricks show."""

    def events() -> Sequence[Event]:
        assert hand.last is not None
        if not match.stream.corrections:
            return [event for event in match.stream.events[hand.first - 1 : hand.last] if not isinstance(event, Note)]
        return [event for seq, event in unroll(match.stream.heads[-1]) if hand.first <= seq <= hand.last]

    return events


COUNTS = ReadModel(
    "counts",
    "What the measures count in every complete hand.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "lead": ("TEXT", "suit of the first card led, both of a card of two; null without a trick"),
        "played": ("INTEGER NOT NULL", "0 where only the points are known, from a score sheet"),
        "counts": ("TEXT NOT NULL", "JSON object of lists by seat; what is 0 for everyone is left out"),
    },
    ("match", "hand"),
    rows,
)
