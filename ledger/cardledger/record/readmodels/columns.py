"""The columns that several tables share: one word for one thing, with its type and meaning."""

from __future__ import annotations

Column = tuple[str, str]
"""The type of a column, and its meaning in words."""


def here(column: Column, more: str, *, optional: bool = False) -> Column:
    """Return a shared column with what is special about it in one table; `optional` ones may be null."""
    kind, meaning = column
    return kind.removesuffix(" NOT NULL") if optional else kind, f"{meaning}; here {more}"


MATCH = ("TEXT NOT NULL", "id of the match")
HAND = ("INTEGER NOT NULL", "number of the hand in the match, from 1")
TRICK = ("INTEGER NOT NULL", "number of the trick in the hand, from 1")
SEQ = ("INTEGER NOT NULL", "number of the event in its stream, from 1")
SEAT = ("INTEGER NOT NULL", "seat, from 0 clockwise")
SIDE = (
    "INTEGER",
    "side the seat plays for, from 0; without partners each seat is its own side; null for a match whose hands differ",
)
PLAYER = ("TEXT NOT NULL", "id of the person, as known now")
RECORDED_AS = ("TEXT NOT NULL", "player id as written")
KIND = ("TEXT NOT NULL", "kind of the stream")
GAME = ("TEXT NOT NULL", "id of the game")
SEATS = ("INTEGER NOT NULL", "number of players at the table")
DATE = ("DATE", "day of play, or of recording at the table; null if nobody knows it")
POSITION = ("INTEGER NOT NULL", "position of the opening in the ledger")
RULE = ("TEXT NOT NULL", "id of the rule")
PLACE = ("INTEGER NOT NULL", "place in a complete match, from 1, shared by equal players; 0 in any other match")
HASH = ("TEXT NOT NULL", "SHA-256 of the latest event, which covers all before it")
BOARD = ("INTEGER NOT NULL", "number of the board, 0 without one")
ROUND = ("INTEGER NOT NULL", "number of the round, from 1")
TABLE_NUMBER = ("INTEGER NOT NULL", "number of the table, from 1")
NTH = ("INTEGER NOT NULL", "number in the order of the record, from 1")
FACTS = ("TEXT NOT NULL", "the game's facts about it, as JSON")
EVENING = ("TEXT NOT NULL", "id of the club, session or league")
