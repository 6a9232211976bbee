"""The table of hands: one row a hand, from its deal to its scores."""

from collections.abc import Iterator

from ledger.hand import Hand
from ledger.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the hands of a match."""
    for hand in match.stream.table.hands[since - 1 :]:
        yield (
            match.id, hand.number, hand.dealer, ended_by(hand), len(hand.tricks), hand.hidden, hand.first, hand.last
        )  # fmt: skip


def ended_by(hand: Hand) -> str | None:
    """How a hand came to its end: by play, claim or score; None while it is under way."""
    if hand.scores is None:
        return None
    if hand.agreed:
        return "score"
    return "play" if hand.claimed is None else "claim"


HANDS = ReadModel(
    "hands",
    "Every hand begun in a match.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "dealer": ("INTEGER NOT NULL", "seat of the dealer (hecto-diversity: of the starter)"),
        "ended_by": ("TEXT", "play, claim or score; null while under way"),
        "tricks": ("INTEGER NOT NULL", "tricks played out, ties included"),
        "hidden": ("INTEGER NOT NULL", "1 where the deal was not recorded"),
        "first_seq": ("INTEGER NOT NULL", "number of the deal"),
        "last_seq": ("INTEGER", "number of the event that ended it"),
    },
    ("match", "hand"),
    rows,
)
