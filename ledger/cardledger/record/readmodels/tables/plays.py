"""The view of plays: one row for each card, read from the tricks, so that nothing is stored twice."""

from cardledger.record.readmodels.columns import GAME, HAND, MATCH, PLAYER, SEAT, TRICK
from cardledger.record.readmodels.model import DerivedView

PLAYS = DerivedView(
    "plays",
    "Every card played to a complete trick; void matches are left out.",
    {
        "match": MATCH,
        "game": GAME,
        "hand": HAND,
        "trick": TRICK,
        "play": ("INTEGER NOT NULL", "number of the card in the trick, from 1 for the lead"),
        "seat": SEAT,
        "player": PLAYER,
        "card": ("TEXT NOT NULL", "face of the card"),
        "took": ("BOOLEAN NOT NULL", "1 if the seat took the trick"),
    },
    ("match", "hand", "trick", "play"),
    """SELECT t.match, m.game, t.hand, t.trick, c.key + 1, p.seat, p.player, c.value, p.seat IS t.taker
    FROM tricks AS t CROSS JOIN matches AS m USING (match)
    CROSS JOIN json_each('["' || replace(t.cards, ' ', '","') || '"]') AS c
    CROSS JOIN players AS p ON p.match = t.match
    AND p.seat = coalesce(json_extract(t.played_by, '$[' || c.key || ']'), (t.leader + c.key) % m.seats)""",
)
