"""The table of seats: one row for each player of each hand."""

from collections.abc import Iterator

from ledger.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the players of the hands of a match."""
    table = match.stream.table
    players = match.players
    for hand in table.hands[since - 1 :]:
        scores, totals, extra = hand.scores, hand.totals, hand.extra
        bids, penalties = extra.get("bids"), extra.get("penalties")
        for seat, player in enumerate(players):
            yield (
                match.id,
                hand.number,
                seat,
                player,
                hand.taken[seat],
                scores and scores[seat],
                totals and totals[seat],
                bids and bids[seat],
                penalties and penalties[seat],
                extra["closer"] == seat if "closer" in extra else None,
            )


SEATS = ReadModel(
    "seats",
    "Every player of every hand.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "seat": ("INTEGER NOT NULL", "seat, from 0 clockwise"),
        "player": ("TEXT NOT NULL", "id of the person, as known now"),
        "tricks_taken": ("INTEGER NOT NULL", "tricks taken, claimed ones included"),
        "score": ("INTEGER", "points of the hand; null while under way"),
        "total": ("INTEGER", "points of the match after the hand"),
        "bid": ("INTEGER", "diamonds-bid: tricks bid"),
        "penalty": ("INTEGER", "hecto-diversity: penalty; 0 for the closer"),
        "closed": ("INTEGER", "hecto-diversity: 1 for the closer"),
    },
    ("match", "hand", "seat"),
    rows,
)
