"""The resource of events: open a match, append to it under a condition, read it as JSON or as a match file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from cardledger.record.recording.moment import unknown_match
from cardledger.record.recording.secrecy import Secrets
from cardledger.record.store.streams import is_match_id
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.appending import (
    APPENDING,
    OPENING,
    READING,
    REMARK,
    EventHash,
    EventQuery,
    StreamKind,
    append,
    open_stream,
    read_back,
)
from cardledger_api.http.fields import EventList
from cardledger_api.http.hints import Hints
from cardledger_api.http.schemas import WarningSchema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Response

    from cardledger.record.recording.results import Recorded
    from cardledger.record.store import Stored

_OPENING = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}


class EventsSchema(Schema):
    """Events to append: all of them are stored, or none."""

    events = EventList(required=True, metadata={"minItems": 1})


class RecordedSchema(Schema):
    """The result of recording: the match, its seq and hash after the last event, and the id of each event.

    `warnings` name events that look wrong; they are recorded all the same. `hints` name events that were written in
    another way than the record writes them.
    """

    sometimes: tuple[str, ...] = ("hints",)

    match = fields.String()
    seq = fields.Integer()
    hash = EventHash()
    ids = fields.List(fields.String())
    warnings = fields.List(fields.Nested(WarningSchema), attribute="doubts")
    hints = Hints()


class EventListSchema(Schema):
    """Events of a match. `seq` is the number of its last event.

    `next` is the `after` of the next page, null at the end.
    """

    match = fields.String()
    seq = fields.Integer()
    events = EventList()
    next = fields.Integer(allow_none=True)


def _matches() -> StreamKind:
    """Return the streams of all matches, to record to and read."""
    ledger = current_ledger()
    return StreamKind(ledger, "", ledger.record, lambda match: ledger.folded(match).stream.seq)


@operations.add(
    "POST",
    "/matches",
    body=EventsSchema,
    answer=RecordedSchema,
    example={"body": {"events": [_OPENING]}},
    **OPENING,
)
def open_match(body: dict[str, Any]) -> tuple[Recorded, dict[str, str]]:
    """Open a match with its `open` event, and record any further events.

    The opening may carry an `id`, a UUID, which becomes the id of the match; sent again, it gets the same answer.
    """
    matches = _matches()
    return open_stream(matches, body)


@operations.add(
    "POST",
    "/matches/<match>/events",
    body=EventsSchema,
    answer=RecordedSchema,
    example={"path": {"match": "MATCH"}} | REMARK,
    **APPENDING,
)
def append_events(match: str, body: dict[str, Any]) -> Response | tuple[Recorded, dict[str, str]]:
    """Append events, corrections included: all of them or none.

    Without `If-Match` the answer is 428; with an outdated seq it is 412, and `current` gives the right one. A
    refused event is named by its `index`, with the `code` of the rule and, if there are any, the `legal` cards.
    """
    matches = _matches()
    if not is_match_id(match):
        raise unknown_match(match)  # an impossible id is answered like an unknown one
    return append(matches, match, body)


@operations.add(
    "GET",
    "/matches/<match>/events",
    query=EventQuery,
    answer=EventListSchema,
    example={"path": {"match": "MATCH"}, "query": {"after": 1, "limit": 2}},
    **READING,
)
def read_events(match: str, query: dict[str, Any]) -> Response:
    """Read the recorded events of a match, all or those after a seq.

    While a match is open, readers do not see the cards of a deal until its hand is over: `hands` is null, and a
    card that not all players have seen is `?`. As application/x-ndjson the answer is a match file.
    """
    ledger = current_ledger()
    matches = _matches()

    def public(rows: Sequence[Stored]) -> list[str]:
        if sees_all(match):
            return [row.line for row in rows]
        secrets = Secrets.of(ledger, match)
        return [secrets.public_line(row.line, row.seq) for row in rows]

    return read_back(matches, match, query, "match", public)
