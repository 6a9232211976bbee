"""The table of matches: one row for each match, as it is now."""

import json
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from cardledger.record.readmodels.columns import DATE, GAME, HASH, MATCH, POSITION, SEATS, SEQ, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.engine.match import Match


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the row of a match."""
    table = match.stream.table
    opening = table.opening
    yield (
        match.id,
        match.position,
        table.game.id,
        opening.rules or table.game.book.edition,
        table.status,
        opening.policy,
        table.n,
        as_json(table.players),
        as_json(table.options),
        opening.event,
        opening.table,
        opening.place,
        match.date,
        match.opening.at,
        match.latest.at,
        match.stream.seq,
        len(table.hands),
        sum(hand.scores is not None for hand in table.hands),
        as_json(table.totals),
        as_json(table.winners),
        0 if table.status == VOID else len(table.violations),
        len(match.stream.corrections),
        match.hash.hex(),
        beginning(table),
        as_json(table.sides),
        match.period,
    )


def beginning(table: Match[Any]) -> str | None:
    """Return a digest of the beginning of a match: its first trick, or the points of a first hand without one.

    It helps to recognise a corrected file.
    """
    if not table.hands:
        return None
    hand = table.hands[0]
    first = hand.tricks[0][:2] if hand.tricks else hand.scores
    if first is None:
        return None
    return blake2b(repr((table.game.id, table.n, hand.dealer, first)).encode(), digest_size=8).hexdigest()


as_json: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Returns a value as JSON text for the table."""


MATCHES = ReadModel(
    "matches",
    "Every match as it stands, corrections applied.",
    {
        "match": MATCH,
        "position": POSITION,
        "game": GAME,
        "rules": ("TEXT NOT NULL", "edition of the rulebook it is played under"),
        "status": (
            "TEXT NOT NULL",
            "open, complete, ended (early) or void; a void match is only in tables that say so",
        ),
        "policy": ("TEXT NOT NULL", "strict or record"),
        "seats": SEATS,
        "players": ("TEXT NOT NULL", "JSON list of player ids by seat, as written"),
        "options": ("TEXT NOT NULL", "JSON object of every option"),
        "event": ("TEXT", "club night or tournament, as written"),
        "table_name": ("TEXT", "which table, as written"),
        "venue": ("TEXT", "where, as written: the `place` of its opening"),
        "date": DATE,
        "opened_at": ("TIMESTAMP NOT NULL", "when the opening was recorded (UTC)"),
        "recorded_at": ("TIMESTAMP NOT NULL", "when the latest event was recorded (UTC)"),
        "seq": here(SEQ, "the latest"),
        "hands": ("INTEGER NOT NULL", "number of hands begun"),
        "hands_complete": ("INTEGER NOT NULL", "number of hands scored"),
        "totals": ("TEXT NOT NULL", "JSON list of points by seat"),
        "winners": ("TEXT NOT NULL", "JSON list of winning seats, empty until the match is complete"),
        "violations": ("INTEGER NOT NULL", "irregular events that count"),
        "corrections": ("INTEGER NOT NULL", "retracts, amends and voids, including undone ones"),
        "hash": HASH,
        "beginning": ("TEXT", "digest of the first trick, or of the points of a first hand without one"),
        "sides": ("TEXT NOT NULL", "JSON list of the seats of each side, empty if everybody plays alone"),
        "period": ("TEXT", "month or year of play (1977-05, 1977) where no day is known; else null"),
    },
    ("match",),
    rows,
    lists_void=True,
)
