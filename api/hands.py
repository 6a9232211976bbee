"""The resource of hands: a search over every hand of every match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from marshmallow import Schema, fields, validate

from api.fields import Flag, GameId, Points, Whole
from api.schemas import Day
from api.secrecy import sees_all
from ledger.errors import StoreError
from ledger.readmodels.matchlist import resolved

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger


class HandQuery(Schema):
    """Which hands to list. With `player`, `seat` and points are that player's; without, those of any seat."""

    limit = Whole(load_default=50, validate=validate.Range(1, 200))
    after = fields.String(load_default=None, validate=validate.Regexp("^[0-9]{1,18}[.][0-9]{1,9}$", error="no cursor"))
    game: fields.String = GameId(load_default=None)
    seats = Whole(load_default=None, metadata={"description": "number of players at the table"})
    player = fields.String(load_default=None)
    seat = Whole(load_default=None)
    since = Day(load_default=None, metadata={"description": "day of play, the first that counts"})
    until = Day(load_default=None, metadata={"description": "day of play, the last that counts"})
    ended_by = fields.String(load_default=None, validate=validate.OneOf(("play", "claim", "score")))
    score_min = Points(load_default=None)
    score_max = Points(load_default=None)
    rule = fields.String(
        load_default=None, metadata={"description": "a rule that decided something: a trick, points, the end"}
    )
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
_SCORE = f"""EXISTS (SELECT 1 FROM seats WHERE {_OF_HAND}
    AND (:player IS NULL OR player = :player) AND (:seat IS NULL OR seat = :seat)
    AND (:score_min IS NULL OR score >= :score_min) AND (:score_max IS NULL OR score <= :score_max))"""
_CONDITIONS = {
    "after": "({position}, h.hand) < (:position, :number)",
    "game": "m.game = :game",
    "seats": "m.seats = :seats",
    "player": "p.player = :player",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
    "ended_by": "h.ended_by = :ended_by",
    "rule": f"EXISTS (SELECT 1 FROM rulings WHERE {_OF_HAND} AND rule = :rule AND verdict = 'resolved')",
    "violation": "EXISTS (SELECT 1 FROM violations WHERE match = h.match AND hand = h.hand AND rule = :violation)"
    " AND m.match IN (SELECT match FROM violations WHERE rule = :violation)",
}
# CROSS JOIN: matches from the newest on, a player's by way of the player, then their hands; the page is full before
# the ledger is read through.
_MATCHES = {
    False: ("matches AS m", "m.position"),
    True: ("players AS p CROSS JOIN matches AS m ON m.match = p.match", "p.position"),
}
_FOUND = f"""SELECT m.position, m.match, m.game, m.date, h.hand, h.dealer, h.ended_by, h.tricks, h.hidden, h.first_seq,
    h.last_seq,
    (SELECT json_group_array(json_object('seat', seat, 'player', player, 'tricks_taken', tricks_taken, 'score', score,
        'total', total, 'bid', bid, 'penalty', penalty, 'closed', closed)) FROM seats WHERE {_OF_HAND}) AS seats,
    (SELECT json_group_array(DISTINCT rule) FROM tricks WHERE {_OF_HAND}) AS rules,
    (SELECT json_group_array(json_object('seq', seq, 'seat', seat, 'rule', rule)) FROM violations
        WHERE {_OF_HAND}) AS violations
    FROM {{source}} CROSS JOIN hands AS h ON h.match = m.match
    WHERE {{where}} ORDER BY {{position}} DESC, h.hand DESC LIMIT :limit"""
_JSON_COLUMNS = ("seats", "rules", "violations")
_LARGEST = 2**63 - 1
"""What SQLite takes for a number."""


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

    @operations.add(
        "GET",
        "/matches/<match>/hands/<int:hand>",
        answer=FoundHandSchema,
        example={"path": {"match": "MATCH", "hand": 1}},
    )
    def read_hand(match: str, hand: int) -> dict[str, Any]:
        """Read one hand of a match, as a search finds it."""
        asked = {"match": match, "hand": min(hand, _LARGEST), "limit": 1}
        for found in _hands(ledger, "m.match = :match AND h.hand = :hand", asked):
            return found
        raise StoreError("store.unknown", f"there is no hand {hand} in a match {match}")


def search(ledger: Ledger, query: dict[str, Any]) -> dict[str, Any]:
    """Return one page of the hands that fit a query."""
    query = resolved(ledger, query)
    where = [sql for name, sql in _CONDITIONS.items() if query[name] is not None]
    if query["score_min"] is not None or query["score_max"] is not None:
        where.append(_SCORE)
    elif query["seat"] is not None:
        where.append("p.seat = :seat" if query["player"] is not None else "m.seats > :seat")
    position, number = map(int, query["after"].split(".")) if query["after"] else (None, None)
    limit: int = query["limit"]
    asked = query | {"position": position, "number": number, "limit": limit + 1}
    if not sees_all() and query["violation"] is not None:
        where.append("h.ended_by IS NOT NULL")
    hands = _hands(ledger, " AND ".join(where) or "true", asked)
    last = hands[limit - 1] if len(hands) > limit else None
    return {"hands": hands[:limit], "next": last and f"{last['position']}.{last['hand']}"}


def _hands(ledger: Ledger, where: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the hands for which a condition holds, as whoever asks may see them."""
    source, position = _MATCHES[asked.get("player") is not None]
    sql = _FOUND.format(source=source, where=where.format(position=position), position=position)
    rows = ledger.views.database.query(sql, asked)
    hands = [row | {name: msgspec.json.decode(row[name]) for name in _JSON_COLUMNS} for row in rows]
    for hand in hands:
        if hand["ended_by"] is None and not sees_all():
            hand["violations"] = []  # what is legal or not tells of the cards held
    return hands
