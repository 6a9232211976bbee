"""The table of hands: one row a hand, from its deal to its scores."""

from collections.abc import Iterator

from cardledger.record.matches.hand_replay import ended_by
from cardledger.record.readmodels.columns import FACTS, HAND, MATCH, here
from cardledger.record.readmodels.facts import facts_of_hand
from cardledger.record.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the hands of a match."""
    table = match.stream.table
    for hand in table.hands[since - 1 :]:
        yield (
            match.id, hand.number, hand.dealer, ended_by(hand), len(hand.tricks), hand.hidden, hand.first, hand.last,
            facts_of_hand(table, hand),
        )  # fmt: skip


HANDS = ReadModel(
    "hands",
    "Every hand begun in a match.",
    {
        "match": MATCH,
        "hand": HAND,
        "dealer": ("INTEGER NOT NULL", "seat of the dealer, or of the first player in games without a dealer"),
        "ended_by": ("TEXT", "play, claim or score; null while under way"),
        "tricks": ("INTEGER NOT NULL", "tricks played out, including ties"),
        "hidden": ("BOOLEAN NOT NULL", "1 if the deal was not recorded"),
        "first_seq": ("INTEGER NOT NULL", "number of the deal"),
        "last_seq": ("INTEGER", "number of the event that ended it"),
        "facts": here(FACTS, "its trump, who closed it"),
    },
    ("match", "hand"),
    rows,
)
