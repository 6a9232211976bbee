"""The table of seats: one row for each player of each hand."""

from collections.abc import Iterator

from cardledger.record.readmodels.columns import FACTS, HAND, MATCH, PLAYER, SEAT, SIDE, here
from cardledger.record.readmodels.facts import facts_by_seat
from cardledger.record.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the players of the hands of a match."""
    table = match.stream.table
    players = match.players
    for hand in table.hands[since - 1 :]:
        scores, totals = hand.scores, hand.totals
        facts = facts_by_seat(table, hand)
        for seat, player in enumerate(players):
            yield (
                match.id,
                hand.number,
                seat,
                player,
                hand.taken[seat],
                scores and scores[seat],
                totals and totals[seat],
                hand.side[seat],
                facts[seat],
            )


SEATS = ReadModel(
    "seats",
    "Every player of every hand.",
    {
        "match": MATCH,
        "hand": HAND,
        "seat": SEAT,
        "player": PLAYER,
        "tricks_taken": ("INTEGER NOT NULL", "tricks taken, including claimed ones"),
        "score": ("INTEGER", "points of the hand; null while under way"),
        "total": ("INTEGER", "points of the match after the hand"),
        "side": SIDE,
        "facts": here(FACTS, "its bid, its bags"),
    },
    ("match", "hand", "seat"),
    rows,
)
