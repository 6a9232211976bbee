"""The resource of hands: a search over every hand of every match."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from api.fields import Flag, GameId, Points, Whole
from api.schemas import Day
from api.secrecy import sees_all

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger


class HandQuery(Schema):
    """Which hands to list. With `player`, points are that player's; without, those of any seat."""

    limit = Whole(load_default=50, validate=validate.Range(1, 200))
    after = fields.String(load_default=None, validate=validate.Regexp("^[0-9]{1,18}[.][0-9]{1,9}$", error="no cursor"))
    game = GameId(load_default=None)
    player = fields.String(load_default=None)
    since = Day(load_default=None, metadata={"description": "day of play, the first that counts"})
    until = Day(load_default=None, metadata={"description": "day of play, the last that counts"})
    ended_by = fields.String(load_default=None, validate=validate.OneOf(("play", "claim", "score")))
    score_min = Points(load_default=None)
    score_max = Points(load_default=None)
    rule = fields.String(load_default=None, metadata={"description": "a rule that decided a trick of the hand"})
    violation = fields.String(load_default=None, metadata={"description": "a rule that was broken in the hand"})


class FoundSeatSchema(Schema):
    """A player of a hand; bid, penalty and closed are null in games without them, points while it is under way."""

    seat = fields.Integer()
    player = fields.String()
    tricks_taken = fields.Integer()
    score = fields.Integer(allow_none=True)
    total = fields.Integer(allow_none=True)
    bid = fields.Integer(allow_none=True)
    penalty = fields.Integer(allow_none=True)
    closed = Flag(allow_none=True)


class FoundViolationSchema(Schema):
    """An irregular event of a hand."""

    seq = fields.Integer()
    seat = fields.Integer()
    rule = fields.String()


class FoundHandSchema(Schema):
    """A hand, its players, the rules that decided its tricks, and what was irregular."""

    match = fields.String()
    game = fields.String()
    date = fields.String()
    hand = fields.Integer()
    dealer = fields.Integer()
    ended_by = fields.String(allow_none=True)
    tricks = fields.Integer()
    hidden = Flag()
    first_seq = fields.Integer()
    last_seq = fields.Integer(allow_none=True)
    seats = fields.List(fields.Nested(FoundSeatSchema))
    rules = fields.List(fields.String())
    violations = fields.List(fields.Nested(FoundViolationSchema))


class FoundHandListSchema(Schema):
    """One page of hands; `next` is the cursor to give as `after`, null on the last page."""

    hands = fields.List(fields.Nested(FoundHandSchema))
    next = fields.String(allow_none=True)


_OF_HAND = "match = h.match AND hand = h.hand"
_SEAT = f"""EXISTS (SELECT 1 FROM seats WHERE {_OF_HAND}
    AND (:player IS NULL OR player = :player)
    AND (:score_min IS NULL OR score >= :score_min) AND (:score_max IS NULL OR score <= :score_max))"""
_CONDITIONS = {
    "after": "(m.position, h.hand) < (:position, :number)",
    "game": "m.game = :game",
    "player": "m.match IN (SELECT match FROM players WHERE player = :player)",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
    "ended_by": "h.ended_by = :ended_by",
    "rule": f"EXISTS (SELECT 1 FROM tricks WHERE {_OF_HAND} AND rule = :rule)",
    "violation": "EXISTS (SELECT 1 FROM violations WHERE match = h.match AND hand = h.hand AND rule = :violation)"
    " AND m.match IN (SELECT match FROM violations WHERE rule = :violation)",
}
# CROSS JOIN: matches from the newest on, then their hands; the page is full before the ledger is read through.
_FOUND = f"""SELECT m.position, m.match, m.game, m.date, h.hand, h.dealer, h.ended_by, h.tricks, h.hidden, h.first_seq,
    h.last_seq,
    (SELECT json_group_array(json_object('seat', seat, 'player', player, 'tricks_taken', tricks_taken, 'score', score,
        'total', total, 'bid', bid, 'penalty', penalty, 'closed', closed)) FROM seats WHERE {_OF_HAND}) AS seats,
    (SELECT json_group_array(DISTINCT rule) FROM tricks WHERE {_OF_HAND}) AS rules,
    (SELECT json_group_array(json_object('seq', seq, 'seat', seat, 'rule', rule)) FROM violations
        WHERE {_OF_HAND}) AS violations
    FROM matches AS m CROSS JOIN hands AS h ON h.match = m.match
    WHERE {{}} ORDER BY m.position DESC, h.hand DESC LIMIT :limit"""
_JSON_COLUMNS = ("seats", "rules", "violations")


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on hands."""

    @operations.add(
        "GET",
        "/hands",
        query=HandQuery,
        answer=FoundHandListSchema,
        example={"query": {"game": "diamonds-bid", "violation": "follow.suit", "limit": 2}},
    )
    def list_of_hands(query: dict[str, Any]) -> dict[str, Any]:
        """Search hands, newest match first, a page at a time.

        All that is asked for must hold. Dates are days of play, or else of recording.
        """
        return search(ledger, query)


def search(ledger: Ledger, query: dict[str, Any]) -> dict[str, Any]:
    """Return one page of the hands that fit a query."""
    where = [sql for name, sql in _CONDITIONS.items() if query[name] is not None]
    if any(query[name] is not None for name in ("player", "score_min", "score_max")):
        where.append(_SEAT)
    position, number = map(int, query["after"].split(".")) if query["after"] else (None, None)
    limit: int = query["limit"]
    asked = query | {"position": position, "number": number, "limit": limit + 1}
    if not sees_all() and query["violation"] is not None:
        where.append("h.ended_by IS NOT NULL")
    rows = [*ledger.views.database.query(_FOUND.format(" AND ".join(where) or "true"), asked)]
    hands = [row | {name: json.loads(row[name]) for name in _JSON_COLUMNS} for row in rows[:limit]]
    for hand in hands:
        if hand["ended_by"] is None and not sees_all():
            hand["violations"] = []  # what is legal or not tells of the cards held
    last = hands[-1] if len(rows) > limit else None
    return {"hands": hands, "next": last and f"{last['position']}.{last['hand']}"}
