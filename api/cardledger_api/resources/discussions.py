"""The resource of discussions: what people say about a match, and the lines that they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.recording.discussions import comment, in_json, keep_line, told, withdraw
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.lessons.discussion_events import LONGEST_NAME, LONGEST_TEXT, MOST_MOVES
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder_name

if TYPE_CHECKING:
    from cardledger.record.recording.discussions import Contribution
    from cardledger.record.recording.ledger import Ledger


class RemarkWantedSchema(Schema):
    """What somebody says about an event of the match.

    With `moves` it is a line that they keep: what could have followed the event.
    """

    event = fields.Integer(required=True, strict=True)
    author = fields.String(required=True, validate=validate.Length(1, 1000))
    text = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, LONGEST_TEXT))
    moves = fields.List(
        fields.String(validate=validate.Length(1, 200)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, MOST_MOVES),
    )
    name = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, LONGEST_NAME))


class RemarkSchema(Schema):
    """What somebody said about an event, or a line that they keep.

    Of a comment `name`, `moves` and `fits` are null. `fits` tells whether the moves of a line are still possible: a
    correction may have changed what came before them.
    """

    number = fields.Integer()
    at = fields.String(allow_none=True)
    hand = fields.Integer()
    event = fields.Integer()
    author = fields.String()
    text = fields.String(allow_none=True)
    name = fields.String(allow_none=True)
    moves = fields.List(fields.String(), allow_none=True)
    fits = fields.Boolean(allow_none=True)


class DiscussionSchema(Schema):
    """What people say about a match, in the order in which it was said."""

    match = fields.String()
    said = fields.List(fields.Nested(RemarkSchema))


@operations.add("GET", "/matches/<match>/discussion", answer=DiscussionSchema, example={"path": {"match": "MATCH"}})
def read_discussion(match: str) -> dict[str, Any]:
    """Read what people say about a match: comments on its events, and lines that they keep.

    What is said of a hand is for those who may see the hand.
    """
    return _answer(current_ledger(), match)


@operations.add(
    "POST",
    "/matches/<match>/discussion",
    role="scorer",
    body=RemarkWantedSchema,
    answer=DiscussionSchema,
    status=201,
    example={"path": {"match": "MATCH"}, "body": {"event": 2, "author": "ana", "text": "Why not the ten?"}},
)
def say_of_match(match: str, body: dict[str, Any]) -> dict[str, Any]:
    """Say something about an event of a match, or keep a line of moves that could have followed it.

    A move that the rules forbid is refused with its `index`, and nothing is kept.
    """
    ledger = current_ledger()
    say(ledger, match, body, recorder_name())
    return _answer(ledger, match)


@operations.add(
    "POST",
    "/matches/<match>/discussion/<int:number>/withdrawal",
    role="scorer",
    answer=DiscussionSchema,
    status=201,
    example={"path": {"match": "MATCH", "number": 2}},
)
def withdraw_from_discussion(match: str, number: int) -> dict[str, Any]:
    """Take a comment or a line back: it is not shown any more."""
    ledger = current_ledger()
    withdraw(ledger, match, number, recorder_name())
    return _answer(ledger, match)


def say(ledger: Ledger, match: str, body: dict[str, Any], by: str) -> None:
    """Record what somebody says, or a line with `moves`; raises LedgerError."""
    if body["moves"]:
        keep_line(ledger, match, body["event"], body["author"], body["moves"], by, body["name"], body["text"])
    else:
        comment(ledger, match, body["event"], body["author"], body["text"] or "", by)


def said_of(ledger: Ledger, match: str) -> list[Contribution]:
    """Return what the user may see of what people say about a match."""
    said = told(ledger, match)
    if said and not sees_all(match):
        secrets = Secrets.of(ledger, match)
        said = [one for one in said if not secrets.covers(one.entry.event)]
    return said


def _answer(ledger: Ledger, match: str) -> dict[str, Any]:
    tried = TriedLines(ledger.stream(match), ledger.events(match))
    return {"match": match, "said": [in_json(tried, one) for one in said_of(ledger, match)]}
