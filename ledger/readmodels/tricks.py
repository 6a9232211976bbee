"""The table of tricks: one row for each complete trick, with the rule that decided it."""

from collections.abc import Iterator

from ledger.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the tricks of a match."""
    table = match.stream.table
    faces, id = table.pack.faces, match.id
    for hand in table.hands[since - 1 :]:
        number = hand.number
        for trick, (leader, cards, taker, rule) in enumerate(hand.tricks, 1):
            yield id, number, trick, leader, " ".join([faces[card] for card in cards]), taker, rule


TRICKS = ReadModel(
    "tricks",
    "Every complete trick.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "trick": ("INTEGER NOT NULL", "number of the trick in the hand, from 1"),
        "leader": ("INTEGER NOT NULL", "seat that led"),
        "cards": ("TEXT NOT NULL", "faces in the order played, the leader's first"),
        "taker": ("INTEGER", "seat that took it; null for a tie"),
        "rule": ("TEXT NOT NULL", "rule that decided it"),
    },
    ("match", "hand", "trick"),
    rows,
)
