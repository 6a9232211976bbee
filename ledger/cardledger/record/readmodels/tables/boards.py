"""The tables of boards.

Those dealt in matches of bridge, and the matches that are secret because of a board in play elsewhere.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from typing import NewType

from cardledger.record.readmodels.columns import BOARD, HAND, MATCH
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.record.store.readers import Readable, Reader
from cardledger.record.store.streams import is_evening
from cardledger.rules.games.bridge.auction import BridgeHand


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the boards of a match of bridge."""
    for hand in match.stream.table.hands[since - 1 :]:
        if isinstance(hand, BridgeHand):
            yield match.id, hand.number, hand.board, hand.scores is not None


BOARDS = ReadModel(
    "boards",
    "Every board dealt in a match of bridge, including those of void matches.",
    {
        "match": MATCH,
        "hand": HAND,
        "board": BOARD,
        "over": ("BOOLEAN NOT NULL", "1 once it is scored"),
    },
    ("match", "hand"),
    rows,
    lists_void=True,
)
SCHEMA = (
    "CREATE TABLE secret_matches (match TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE boards_in_play (evening TEXT, board INTEGER, PRIMARY KEY (evening, board)) WITHOUT ROWID",
)
TABLES = ("secret_matches", "boards_in_play")
Current = NewType("Current", Reader)
"""Tables with every event that the log held when they were asked for; `ReadModels.current` alone gives them.

What may be seen is asked of these and no others: of older ones the answer would be old.
"""
IN_ALL_TABLES = "m.match NOT IN (SELECT match FROM secret_matches)"
"""The condition that a match `m` is in all tables: another table has no board of it to play."""
_IN_PLAY = """SELECT DISTINCT b.evening, b.board FROM evening_boards AS b JOIN evenings AS e USING (evening)
    LEFT JOIN matches AS m ON m.match = b.match
    WHERE e.status = 'open' AND NOT b.entered AND coalesce(m.status, 'open') IN ('open', 'void')
    AND NOT (m.status IS 'open'
        AND EXISTS (SELECT 1 FROM boards AS d WHERE d.match = b.match AND d.over AND d.board IN (b.board, 0)))
    AND (SELECT count(*) FROM evening_boards AS x WHERE x.evening = b.evening AND x.board = b.board) > 1"""
_BEGUN = """SELECT DISTINCT d.match FROM boards_in_play JOIN evening_boards AS b USING (evening, board)
    JOIN boards AS d ON d.match = b.match AND d.board IN (b.board, 0)"""
_CONCERNED = "SELECT 1 FROM evening_boards WHERE match IN (SELECT value FROM json_each(?)) LIMIT 1"


def concern(db: sqlite3.Connection, streams: Collection[str]) -> bool:
    """Tell whether events of these streams can change which boards are in play."""
    if any(map(is_evening, streams)):
        return True
    return db.execute(_CONCERNED, (json.dumps([*streams]),)).fetchone() is not None


def look_again(db: sqlite3.Connection) -> set[str]:
    """Note the boards in play, and return the matches that have begun one which another table has yet to finish."""
    db.execute("DELETE FROM boards_in_play")
    db.execute(f"INSERT INTO boards_in_play {_IN_PLAY}")
    return secret_now(db)


def in_play(tables: Current) -> dict[str, frozenset[int]]:
    """Return for each open evening the boards that several tables play, and that one of them has yet to finish."""
    boards: dict[str, set[int]] = {}
    for evening, board in tables.execute("SELECT evening, board FROM boards_in_play"):
        boards.setdefault(evening, set()).add(board)
    return {evening: frozenset(some) for evening, some in boards.items()}


def secret_now(db: Readable) -> set[str]:
    """Return the matches that have begun a board in play, as far as the boards in play were noted."""
    return {match for (match,) in db.execute(_BEGUN)}


def secret_matches(tables: Current) -> frozenset[str]:
    """Return the matches that are secret now."""
    return left_out(tables)


def left_out(reader: Readable) -> frozenset[str]:
    """Return the matches that tables leave out, as they were secret at the position of these tables.

    It says what the tables hold, not what may be seen: `secret_matches` does.
    """
    return frozenset(match for (match,) in reader.execute("SELECT match FROM secret_matches"))
