"""The resource of events: a match is opened, appended to under a condition, and read, as JSON or as a match file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json, request
from marshmallow import Schema, fields, validate

from api.conditions import (
    etag,
    expect_same_body,
    id_by_key,
    not_modified,
    recorder,
    request_key,
    reused,
    stale,
    wanted_seqs,
    with_ids,
)
from api.fields import Events, Whole
from api.operations import JSON, NDJSON, media_wanted
from api.problems import problem
from api.secrecy import Secrets, sees_all
from ledger.errors import ConflictError, FormatError, StoreError
from ledger.ledger import unknown
from ledger.live import is_match_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api.operations import Operations
    from ledger import events as ev
    from ledger.ledger import Ledger
    from ledger.outcomes import Recorded

MAX_APPEND = 10_000
"""Events one request may append."""
_TRIES = 20
"""How often an append to whatever the match is at (`If-Match: *`) is tried when others are faster."""
_KEY = {"Idempotency-Key": "a text of your own: the same request sent again under it is answered as the first time"}
_GIVES = {"ETag": "the seq of the match, for If-Match", "Location": "where what was recorded can be read"}
_OPENING = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}


class EventsSchema(Schema):
    """Events to append: all of them are stored, or none."""

    events = Events(required=True, metadata={"minItems": 1})


class RecordedSchema(Schema):
    """What became of events: the match, its seq after the last of them, that one's hash, and the id of each."""

    match = fields.String()
    seq = fields.Integer()
    hash = fields.Function(lambda recorded: recorded.hash.hex(), metadata={"type": "string"})
    ids = fields.List(fields.String())


class EventQuery(Schema):
    """Which events of a match to read."""

    after = Whole(load_default=0)
    limit = Whole(load_default=None, validate=validate.Range(1, 10_000))


class EventListSchema(Schema):
    """Events of a match; `seq` is what the match is at, `next` what to give as `after`, null at the end."""

    match = fields.String()
    seq = fields.Integer()
    events = Events()
    next = fields.Integer(allow_none=True)


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on events."""

    @operations.add(
        "POST",
        "/matches",
        role="scorer",
        body=EventsSchema,
        body_media=(JSON, NDJSON),
        answer=RecordedSchema,
        status=201,
        problems=(409,),
        headers=_KEY,
        gives=_GIVES,
        example={"body": {"events": [_OPENING]}},
    )
    def open_match(body: dict[str, Any]) -> tuple[Recorded, dict[str, str]]:
        """Open a match with its `open` event, and record what else is given.

        The opening may carry an `id`, a UUID, which is that of the match; sent again, it is answered as the first time.
        """
        events, key = _given(body), request_key()
        if key is None:
            return _answer(ledger.record(None, events, 0, recorder()), "")
        events = with_ids(events, key, "")
        match = id_by_key(key, "", 0)
        return _answer(_by_key(ledger, match, events, 0, key, ""), "")

    @operations.add(
        "POST",
        "/matches/<match>/events",
        role="scorer",
        body=EventsSchema,
        body_media=(JSON, NDJSON),
        answer=RecordedSchema,
        status=201,
        problems=(409, 412, 428),
        headers={"If-Match": "the seq the match is at, as its ETag says; `*` for any", **_KEY},
        gives=_GIVES,
        example={
            "path": {"match": "MATCH"},
            "headers": {"If-Match": "*"},
            "body": {"events": [{"type": "note", "text": "a remark"}]},
        },
    )
    def append_events(match: str, body: dict[str, Any]) -> Response | tuple[Recorded, dict[str, str]]:
        """Append events, corrections included: all of them or none.

        Without `If-Match` the answer is 428, with a seq the match is no longer at 412, which says the `current` one.
        An event that is refused is named by its `index`, with the `code` of the rule and, where there are any, the
        `legal` cards.
        """
        _expect_id(match)
        events, key = _given(body), request_key()
        if "If-Match" not in request.headers:
            seq = ledger.folded(match).stream.seq
            return problem(
                428, "api.if-match", "Say in If-Match at which seq you believe the match to be.", current=seq
            )
        seqs = wanted_seqs(request.headers["If-Match"])
        if key is not None:
            events = with_ids(events, key, match)
        for tried in range(_TRIES):
            try:
                if seqs is None or len(seqs) > 1 or seqs[0] == 0:
                    now = ledger.folded(match).stream.seq
                    expected = now if seqs is None or now in seqs else seqs[0]
                else:
                    expected = seqs[0]
                if key is None:
                    recorded = ledger.record(match, events, expected, recorder())
                else:
                    recorded = _by_key(ledger, match, events, expected, key, match)
                return _answer(recorded, f"?after={recorded.seq - len(events)}")
            except ConflictError as error:
                if seqs is None and tried < _TRIES - 1:
                    continue
                return stale(error)
        raise AssertionError

    @operations.add(
        "GET",
        "/matches/<match>/events",
        query=EventQuery,
        answer=EventListSchema,
        media=(JSON, NDJSON),
        problems=(406,),
        headers={"Accept": "application/json, or application/x-ndjson for a match file"},
        gives={"ETag": "the seq of the match, for If-Match and If-None-Match"},
        example={"path": {"match": "MATCH"}, "query": {"after": 1, "limit": 2}},
    )
    def read_events(match: str, query: dict[str, Any]) -> Response:
        """Read the events of a match as recorded, all or those after a seq.

        While a match is open, the cards of a deal are withheld from readers until its hand is over: `hands` is null,
        and a card that not all have seen is `?`. As application/x-ndjson the whole is a match file.
        """
        stream = ledger.stream(match)
        media = media_wanted(JSON, NDJSON)
        after, limit = query["after"], query["limit"]
        rows = ledger.cleared(ledger.store.read(match, after))
        seq = max(stream.seq, rows[-1].seq if rows else 0)
        if seq > stream.seq:
            stream = ledger.stream(match)
        more = limit is not None and len(rows) > limit
        rows = rows[:limit]
        lines = [row.line for row in rows]
        if not sees_all():
            secrets = Secrets(stream)
            lines = [secrets.public_line(row.line, row.seq) for row in rows]
        if media == NDJSON:
            text = "".join(line + "\n" for line in lines)
        else:
            next_ = rows[-1].seq if more else None
            text = (
                f'{{"match":{json.dumps(match)},"seq":{seq},"events":[{",".join(lines)}],"next":{json.dumps(next_)}}}\n'
            )
        headers = {"ETag": etag(seq), "Vary": "Accept, Authorization", "Cache-Control": "no-cache"}
        return not_modified(Response(text, 200, headers, content_type=media), seq)


def _given(body: dict[str, Any]) -> list[ev.Event]:
    events: list[ev.Event] = body["events"]
    if len(events) > MAX_APPEND:
        raise FormatError("format.size", f"a request appends at most {MAX_APPEND:,} events")
    return events


def _expect_id(match: str) -> None:
    """Refuse a match id that is none as one that is not there."""
    if not is_match_id(match):
        raise unknown(match)


def _by_key(ledger: Ledger, match: str, events: Sequence[ev.Event], expected: int, key: str, where: str) -> Recorded:
    """Record events under a key; raises as `Ledger.record` does, and `api.key-reused`."""
    try:
        recorded = ledger.record(match, events, expected, recorder())
    except StoreError as error:
        if error.code == "store.duplicate":
            raise reused() from None
        raise
    expect_same_body(ledger, recorded, key, where, len(events))
    return recorded


def _answer(recorded: Recorded, query: str) -> tuple[Recorded, dict[str, str]]:
    base = request.path.rstrip("/")
    where = base if base.endswith("/events") else f"{base}/{recorded.match}"
    return recorded, {"ETag": etag(recorded.seq), "Location": f"{where}{query}"}
