"""The table of tricks: one row for each complete trick, with the rule that decided it."""

from collections.abc import Iterator

from cardledger.record.readmodels.columns import HAND, MATCH, RULE, TRICK, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.state import everybody


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the tricks of a match."""
    table = match.stream.table
    faces, id = table.pack.faces, match.id
    in_turn = everybody(table.n)
    for hand in table.hands[since - 1 :]:
        number = hand.number
        for trick, (seats, cards, taker, rule) in enumerate(hand.tricks, 1):
            leader = seats[0]
            order = None if seats == in_turn[leader] else "[" + ",".join(map(str, seats)) + "]"
            yield id, number, trick, leader, " ".join([faces[card] for card in cards]), taker, rule, order


TRICKS = ReadModel(
    "tricks",
    "Every complete trick.",
    {
        "match": MATCH,
        "hand": HAND,
        "trick": TRICK,
        "leader": ("INTEGER NOT NULL", "seat that led"),
        "cards": ("TEXT NOT NULL", "faces in the order played, the leader's first"),
        "taker": ("INTEGER", "seat that took it; null for a tie"),
        "rule": here(RULE, "the one that decided it"),
        "played_by": ("TEXT", "JSON list of the seats in the order played; null if all played in turn from the leader"),
    },
    ("match", "hand", "trick"),
    rows,
)
