"""The resource of the audit trail: event by event, the rules that allowed, forbade or decided it."""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import Schema, fields, validate

from cardledger.record.matches.replay import KINDS, audit, of_kind
from cardledger.record.matches.table_state import place_asked
from cardledger.record.recording.secrecy import Secrets
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import Whole

_AN_EVENT = {"$ref": "#/components/schemas/Event"}


class AuditQuery(Schema):
    """The last event to include, and which events: all, those that broke a rule, or corrections."""

    at = Whole(load_default=None)
    show = fields.String(
        load_default="all",
        validate=validate.OneOf(KINDS),
        metadata={"description": "all events, those that broke a rule, or corrections"},
    )


class RulingSchema(Schema):
    """A rule's verdict on an event: `allowed`, `broken`, or `resolved` (it decided what follows)."""

    rule = fields.String()
    verdict = fields.String()
    text = fields.String()


class AuditedSchema(Schema):
    """An event, the event that counts in its place (null: none), and the rulings."""

    seq = fields.Integer()
    event = fields.Function(lambda item: msgspec.to_builtins(item["event"]), metadata=_AN_EVENT)
    counts = fields.Function(
        lambda item: item["counts"] and msgspec.to_builtins(item["counts"]), metadata=_AN_EVENT | {"nullable": True}
    )
    rulings = fields.List(fields.Nested(RulingSchema))
    withheld = fields.Boolean()


class AuditSchema(Schema):
    """The audit trail of a match; `withheld` means that rulings are not shown while the hand is under way."""

    match = fields.String()
    seq = fields.Integer()
    events = fields.List(fields.Nested(AuditedSchema))


@operations.add(
    "GET",
    "/matches/<match>/audit",
    query=AuditQuery,
    answer=AuditSchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH"}},
)
def read_audit(match: str, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read, event by event, the rules that allowed, forbade or decided it, up to an event or all.

    Rulings of a hand under way are for scorers, as they reveal the cards held.
    """
    ledger = current_ledger()
    events = ledger.events(match)
    stream = ledger.stream(match)
    at = place_asked(query["at"], stream.seq)
    secrets = None if sees_all(match) else Secrets.of(ledger, match, stream)
    people = ledger.people()
    names = [people.name(player) for player in people.seated(match, stream.table.players)]
    trail = []
    for item in of_kind(audit(events[:at]), query["show"]):
        withheld = secrets is not None and secrets.covers(item.seq)
        if withheld and query["show"] == "broken":
            continue  # that it is in the list would say what may not be seen
        event, counts = item.event, item.counts
        if secrets is not None:
            event = secrets.public(event, item.seq)
            counts = counts and secrets.public(counts, item.seq)
        rulings = [] if withheld else [ruling.with_names(names) for ruling in item.rulings]
        trail.append({"seq": item.seq, "event": event, "counts": counts, "rulings": rulings, "withheld": withheld})
    return {"match": match, "seq": at, "events": trail}, {"ETag": etag(stream.seq)}
