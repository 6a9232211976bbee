"""The table of players: one row for each player of each match, whether a hand was dealt or not."""

from collections.abc import Iterator

from cardledger.record.matches.hand_replay import ended_by
from cardledger.record.readmodels.columns import (
    DATE,
    GAME,
    MATCH,
    PLACE,
    PLAYER,
    POSITION,
    RECORDED_AS,
    SEAT,
    SEATS,
    SIDE,
)
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.record.readmodels.summary import Summary


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the players of a match."""
    table = match.stream.table
    ended = [ended_by(hand) for hand in table.hands]
    hands = len(ended) - ended.count(None)
    if since > 1 and hands == since - 1 and table.status == "open":
        return  # no hand has been scored since
    opening = table.opening
    judged = ended.count("play") if opening.policy == "record" else 0
    totals, places = table.totals, [0] * table.n
    if table.status == "complete":
        better = int.__lt__ if table.game.scoring.fewest else int.__gt__
        # A side counts once: partners share their place.
        places = [
            1 + len({side for side, other in zip(table.side, totals, strict=True) if better(other, total)})
            for total in totals
        ]
    changing = table.game.sides_of_hand is not None
    for seat, player in enumerate(match.players):
        yield (
            match.id, seat, player, hands, totals[seat], seat in table.winners, table.game.id, match.date, places[seat],
            table.n, match.position, judged, table.players[seat], None if changing else table.side[seat],
        )  # fmt: skip


PLAYERS = ReadModel(
    "players",
    "Every player of every match.",
    {
        "match": MATCH,
        "seat": SEAT,
        "player": PLAYER,
        "hands": ("INTEGER NOT NULL", "hands scored"),
        "total": ("INTEGER NOT NULL", "points of the match"),
        "won": ("BOOLEAN NOT NULL", "1 for a winner, alone or not, of a complete match"),
        "game": GAME,
        "date": DATE,
        "place": PLACE,
        "seats": SEATS,
        "position": POSITION,
        "judged": ("INTEGER NOT NULL", "hands played out in matches that record irregular play"),
        "recorded_as": RECORDED_AS,
        "side": SIDE,
    },
    ("match", "seat"),
    rows,
)
CAREERS = Summary(
    "careers",
    "The players' results, month by month.",
    PLAYERS,
    {
        "player": ("{row}.player", PLAYER[1]),
        "game": ("{row}.game", GAME[1]),
        "seats": ("{row}.seats", SEATS[1]),
        "month": ("coalesce(substr({row}.date, 1, 7), '')", "month of play, such as 2026-11; empty without a day"),
        "seat": ("{row}.seat", SEAT[1]),
        "place": ("{row}.place", PLACE[1]),
    },
    {
        "matches": ("1", "matches begun"),
        "won": ("{row}.won", "matches won, alone or not"),
        "hands": ("{row}.hands", "hands scored in them"),
        "points": ("{row}.total", "points of those matches"),
        "judged": ("{row}.judged", "hands played out in matches that record irregular play"),
    },
)
