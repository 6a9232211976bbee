"""The resource of a hand on one line: what a contract or numbers become, before they are recorded."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import abort
from marshmallow import Schema, fields, validate

from cardledger.record.recording.hand_lines import read_hands
from cardledger.rules.engine.events import bare
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import Whole

FOR_SCORERS = "A line is read for those who score this match."
"""The reason for refusing it."""


class HandLineQuery(Schema):
    """A hand as people write it, its board, and the language."""

    text = fields.String(
        required=True,
        validate=validate.Length(max=500),
        metadata={"description": "such as 4S N 10, 3NTx W -1, or pass; at other games numbers, such as 3 15 5 -"},
    )
    board = Whole(
        load_default=None, metadata={"description": "the board; the one that is next at the table without it"}
    )
    language = fields.String(
        load_default="",
        validate=validate.OneOf(["", "de", "fr"]),
        metadata={"description": "the language besides English whose words are read"},
    )


class HandLineSchema(Schema):
    """A hand read from its line: `events` to record, its `board` (0: none), and the points by seat."""

    match = fields.String()
    board = fields.Integer()
    scores = fields.List(fields.Integer())
    events = fields.List(fields.Raw(metadata={"$ref": "#/components/schemas/Event"}))


@operations.add(
    "GET",
    "/matches/<match>/line",
    query=HandLineQuery,
    answer=HandLineSchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "BRIDGE"}, "query": {"text": "4S N 10"}, "headers": {"Authorization": "Bearer TOKEN"}},
)
def read_line(match: str, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the hand that comes next from one line. Nothing is recorded.

    At bridge it has contract, declarer and tricks, at other games the numbers of a score sheet as the players sit, bids
    first (`3 15 5 3`), and `-` for one that follows from the others.

    Only scorers may ask: it tells which boards the table has played.

    Send `events` to `POST /matches/MATCH/events`. A line that can be read in two ways is refused with both.
    """
    if not sees_all(match):
        abort(403, FOR_SCORERS)
    ledger = current_ledger()
    (hand,) = read_hands(ledger, match, [query["text"]], query["board"], query["language"])
    answer = {
        "match": match,
        "board": hand.board,
        "scores": hand.scores,
        "events": [msgspec.to_builtins(bare(event)) for event in hand.events],
    }
    return answer, {"ETag": etag(ledger.stream(match).seq)}
