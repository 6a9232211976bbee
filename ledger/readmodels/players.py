"""The table of players: one row for each player of each match, whether a hand was dealt or not."""

from collections.abc import Iterator

from ledger.readmodels.hands import ended_by
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.readmodels.summary import Summary


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the players of a match."""
    table = match.stream.table
    ended = [ended_by(hand) for hand in table.hands]
    hands = len(ended) - ended.count(None)
    if since > 1 and hands == since - 1 and table.status == "open":
        return  # nothing has been scored since
    opening = table.opening
    judged = ended.count("play") if opening.policy == "record" else 0
    date = opening.date or str(match.opening.at)[:10]
    totals, places = table.totals, [0] * table.n
    if table.status == "complete":
        better = int.__lt__ if table.game.fewest else int.__gt__
        places = [1 + sum(better(other, total) for other in totals) for total in totals]
    for seat, player in enumerate(match.players):
        yield (
            match.id, seat, player, hands, totals[seat], seat in table.winners, table.game.id, date, places[seat],
            table.n, match.position, judged, table.players[seat],
        )  # fmt: skip


PLAYERS = ReadModel(
    "players",
    "Every player of every match.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "seat": ("INTEGER NOT NULL", "seat, from 0 clockwise"),
        "player": ("TEXT NOT NULL", "id of the person, as known now"),
        "hands": ("INTEGER NOT NULL", "hands scored"),
        "total": ("INTEGER NOT NULL", "points of the match"),
        "won": ("INTEGER NOT NULL", "1 for a winner, alone or not, of a complete match"),
        "game": ("TEXT NOT NULL", "id of the game"),
        "date": ("TEXT NOT NULL", "day of play, or else of recording"),
        "place": ("INTEGER NOT NULL", "place in a complete match, from 1, equals sharing; 0 for another"),
        "seats": ("INTEGER NOT NULL", "number of players"),
        "position": ("INTEGER NOT NULL", "place of the match's opening in the ledger"),
        "judged": ("INTEGER NOT NULL", "hands played out where irregular play is recorded"),
        "recorded": ("TEXT NOT NULL", "player id as the opening says it"),
    },
    ("match", "seat"),
    rows,
)
CAREERS = Summary(
    "careers",
    "What players have to show, month by month.",
    PLAYERS,
    {
        "player": ("{row}.player", "player id"),
        "game": ("{row}.game", "id of the game"),
        "seats": ("{row}.seats", "number of players at the table"),
        "month": ("substr({row}.date, 1, 7)", "month of play, as 2026-11"),
        "seat": ("{row}.seat", "seat, from 0 clockwise"),
        "place": ("{row}.place", "place in complete matches, from 1, equals sharing; 0 for others"),
    },
    {
        "matches": ("1", "matches sat down to"),
        "won": ("{row}.won", "matches won, alone or not"),
        "hands": ("{row}.hands", "hands scored in them"),
        "points": ("{row}.total", "points of those matches"),
        "judged": ("{row}.judged", "of the hands, those played out where irregular play is recorded"),
    },
)
