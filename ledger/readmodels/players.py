"""The table of players: one row for each player of each match, whether a hand was dealt or not."""

from collections.abc import Iterator

from ledger.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the players of a match."""
    table = match.stream.table
    hands = sum(hand.scores is not None for hand in table.hands)
    if since > 1 and hands == since - 1 and table.status == "open":
        return  # nothing has been scored since
    for seat, player in enumerate(table.players):
        yield match.id, seat, player, hands, table.totals[seat], seat in table.winners


PLAYERS = ReadModel(
    "players",
    "Every player of every match.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "seat": ("INTEGER NOT NULL", "seat, from 0 clockwise"),
        "player": ("TEXT NOT NULL", "player id"),
        "hands": ("INTEGER NOT NULL", "hands scored"),
        "total": ("INTEGER NOT NULL", "points of the match"),
        "won": ("INTEGER NOT NULL", "1 for a winner, alone or not, of a complete match"),
    },
    ("match", "seat"),
    rows,
)
