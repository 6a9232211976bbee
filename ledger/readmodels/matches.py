"""The table of matches: one row a match, as it stands."""

import json
from collections.abc import Iterator

from ledger.readmodels.model import Folded, ReadModel, Row


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
        _json(table.players),
        _json(table.options),
        opening.event,
        opening.table,
        opening.place,
        opening.date or str(match.opening.at)[:10],
        match.opening.at,
        match.latest.at,
        match.stream.seq,
        len(table.hands),
        sum(hand.scores is not None for hand in table.hands),
        _json(table.totals),
        _json(table.winners),
        len(table.violations),
        len(match.stream.corrections),
        match.hash.hex(),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


MATCHES = ReadModel(
    "matches",
    "Every match as it stands, corrections applied.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "position": ("INTEGER NOT NULL", "place of its opening in the ledger"),
        "game": ("TEXT NOT NULL", "id of the game"),
        "rules": ("TEXT NOT NULL", "edition of the rulebook it is played under"),
        "status": ("TEXT NOT NULL", "open, complete, or ended before its rule said so"),
        "policy": ("TEXT NOT NULL", "strict or record"),
        "seats": ("INTEGER NOT NULL", "number of players"),
        "players": ("TEXT NOT NULL", "JSON list of player ids by seat"),
        "options": ("TEXT NOT NULL", "JSON object of every option"),
        "event": ("TEXT", "club night or tournament, as written"),
        "board": ("TEXT", "which table, as written"),
        "place": ("TEXT", "where, as written"),
        "date": ("TEXT NOT NULL", "day of play, or else of recording"),
        "opened_at": ("TEXT NOT NULL", "when the opening was recorded (UTC)"),
        "recorded_at": ("TEXT NOT NULL", "when the latest event was recorded (UTC)"),
        "seq": ("INTEGER NOT NULL", "number of the latest event"),
        "hands": ("INTEGER NOT NULL", "hands begun"),
        "hands_complete": ("INTEGER NOT NULL", "hands scored"),
        "totals": ("TEXT NOT NULL", "JSON list of points by seat"),
        "winners": ("TEXT NOT NULL", "JSON list of winning seats, empty until the match is complete"),
        "violations": ("INTEGER NOT NULL", "irregular events that count"),
        "corrections": ("INTEGER NOT NULL", "retracts and amends, undone ones included"),
        "hash": ("TEXT NOT NULL", "SHA-256 of the latest event, which covers all before it"),
    },
    ("match",),
    rows,
)
