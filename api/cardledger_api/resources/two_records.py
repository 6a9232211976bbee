"""The resource that compares two records of one hand: that of the ledger, and that of a phone that had no connection."""

from __future__ import annotations

from typing import Any

from flask import abort
from marshmallow import Schema, fields

from cardledger.record.matches.two_records import as_told, two_records
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import EventList
from cardledger_api.resources.table import CARDS_IN_PLAY


class TwoRecordsAskedSchema(Schema):
    """The entries of a phone after event `at`, numbered as if they were recorded next."""

    events = EventList(required=True)
    at = fields.Integer(required=True, strict=True)


class ComparedRowSchema(Schema):
    """A part of a hand in both records; `first` is the place of the first difference in it, null for none."""

    hand = fields.Integer()
    kind = fields.String(metadata={"enum": ["deal", "bidding", "trick", "turn", "result", "end"]})
    number = fields.Integer()
    theirs = fields.List(fields.Dict())
    mine = fields.List(fields.Dict())
    first = fields.Integer(allow_none=True)


class KnownSchema(Schema):
    """An entry that is the same as recorded event `seq`; `of` is its place among the entries."""

    of = fields.Integer()
    seq = fields.Integer()


class ComparedStepSchema(Schema):
    """An event to record next, with its numbers.

    `of` is the place of the entry that it comes from, null for a new one; `as_made` says that only its numbers differ.
    `turn` and `next` are how many events count before it and after it.
    """

    of = fields.Integer(allow_none=True)
    event = fields.Dict()
    as_made = fields.Boolean()
    turn = fields.Integer()
    next = fields.Integer()


class WaySchema(Schema):
    """A way to settle the two: record these events. `more` of them are entries beyond what others recorded."""

    known = fields.List(fields.Nested(KnownSchema))
    steps = fields.List(fields.Nested(ComparedStepSchema))
    more = fields.Integer()


class TwoRecordsSchema(Schema):
    """The two records part by part, as they count after all corrections, and two ways on from event `seq`.

    The outcome `contained` says that all entries are recorded already, `goes on` that they go on where the record ends:
    record what `keep` says. At `differs` somebody decides between `keep` and `replace`.
    """

    seq = fields.Integer()
    outcome = fields.String(metadata={"enum": ["contained", "goes on", "differs"]})
    rows = fields.List(fields.Nested(ComparedRowSchema))
    keep = fields.Nested(WaySchema)
    replace = fields.Nested(WaySchema)


@operations.add(
    "POST",
    "/matches/<match>/compared",
    role="scorer",
    body=TwoRecordsAskedSchema,
    answer=TwoRecordsSchema,
    example={"path": {"match": "MATCH"}, "body": {"events": [{"type": "note", "text": "rain"}], "at": 1}},
)
def compare_records(match: str, body: dict[str, Any]) -> dict[str, Any]:
    """Compare what was recorded after an event with the entries of a phone that had no connection.

    Nothing is stored. Only for scorers, who see all cards.
    """
    if not sees_all(match):
        abort(403, CARDS_IN_PLAY)
    stream = current_ledger().stream(match)
    return as_told(two_records(stream, body["at"], body["events"]), stream.seq)
