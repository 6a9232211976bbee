"""The table of standings: what everyone has scored in a game, by the number of players at the table."""

from ledger.readmodels.players import PLAYERS
from ledger.readmodels.summary import Summary

STANDINGS = Summary(
    "standings",
    "What players have scored in a game; points at tables of different sizes do not compare.",
    PLAYERS,
    {
        "game": ("{row}.game", "id of the game"),
        "seats": ("{row}.seats", "number of players at the table"),
        "player": ("{row}.player", "player id"),
    },
    {
        "matches": ("1", "matches sat down to"),
        "won": ("{row}.won", "matches won, alone or not"),
        "hands": ("{row}.hands", "hands scored in them"),
        "points": ("{row}.total", "points of those matches"),
    },
)
