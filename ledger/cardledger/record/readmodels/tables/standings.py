"""The table of standings: the results of each player in a game, by the number of players at the table."""

from cardledger.record.readmodels.columns import GAME, PLAYER, SEATS
from cardledger.record.readmodels.summary import Summary
from cardledger.record.readmodels.tables.players import PLAYERS

STANDINGS = Summary(
    "standings",
    "What players have scored in a game; points at tables of different sizes cannot be compared.",
    PLAYERS,
    {
        "game": ("{row}.game", GAME[1]),
        "seats": ("{row}.seats", SEATS[1]),
        "player": ("{row}.player", PLAYER[1]),
    },
    {
        "matches": ("1", "matches begun"),
        "complete": ("{row}.place > 0", "of these, complete ones"),
        "won": ("{row}.won", "matches won, alone or not"),
        "hands": ("{row}.hands", "hands scored in them"),
        "points": ("{row}.total", "points of those matches"),
        "judged": ("{row}.judged", "hands played out in matches that record irregular play"),
    },
)
