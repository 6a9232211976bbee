"""Recording over HTTP: a stream is opened, appended to under a condition, repeated under a key, and read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from flask import Response, json
from marshmallow import Schema, fields

from cardledger.errors import ConflictError, FormatError, StoreError
from cardledger_api.http.addresses import here
from cardledger_api.http.conditions import (
    etag,
    expect_same_body,
    recorder,
    request_key,
    reused,
    stale,
    wanted_seqs,
    with_ids,
)
from cardledger_api.http.fields import Whole, between
from cardledger_api.http.operations import JSON, NDJSON, media_wanted
from cardledger_api.http.paging import page_links
from cardledger_api.http.passage import the_request
from cardledger_api.http.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.results import Recorded
    from cardledger.record.store import Stored
    from cardledger.rules.engine.events import Event

MAX_APPEND = 10_000
"""Events one request may append."""
_TRIES = 20
"""Attempts of an append at any seq (`If-Match: *`) when other writers are faster."""
KEY = {
    "Idempotency-Key": "a text of your choice: a request repeated with the "
    "same key gets the same answer and is recorded once"
}
GIVES = {"ETag": "the present seq, for If-Match", "Location": "address of what was recorded"}
OPENING: dict[str, Any] = {
    "role": "scorer",
    "body_media": (JSON, NDJSON),
    "status": 201,
    "problems": (409,),
    "headers": KEY,
    "gives": GIVES,
}
"""What declares an operation that opens a stream."""
READING: dict[str, Any] = {
    "media": (JSON, NDJSON),
    "problems": (406,),
    "headers": {"Accept": "application/json, or application/x-ndjson for one event a line"},
    "gives": {"ETag": "the present seq, for If-Match"},
}
"""What declares an operation that reads events."""
APPENDING: dict[str, Any] = OPENING | {
    "problems": (409, 412, 428),
    "headers": {"If-Match": "the current seq, as in the ETag; `*` for any", **KEY},
}
"""What declares an operation that appends events."""
REMARK = {"headers": {"If-Match": "*"}, "body": {"events": [{"type": "note", "text": "a remark"}]}}
"""An example of what is appended."""


class EventQuery(Schema):
    """The range of events to read."""

    after = Whole(load_default=0)
    limit = Whole(load_default=None, validate=between(1, 10_000))


class EventHash(fields.Function):
    """The hash of the last event that was recorded, in hex."""

    def __init__(self) -> None:
        super().__init__(lambda recorded: recorded.hash.hex(), metadata={"type": "string"})


class StreamKind(NamedTuple):
    """The streams of one kind, as an address records them.

    `kind` stands before the UUID of an id: nothing for matches. `seq` gives the latest number of a stream, and raises
    StoreError `store.unknown`.
    """

    ledger: Ledger
    kind: str
    record: Callable[[str | None, Sequence[Event], int, Recorder], Recorded]
    seq: Callable[[str], int]


def open_stream(streams: StreamKind, body: dict[str, Any]) -> tuple[Recorded, dict[str, str]]:
    """Record the events of a new stream, the first of which is its opening."""
    events, key, kind = _given(body), request_key(), streams.kind
    if key is None:
        recorded = streams.record(None, events, 0, recorder())
    else:
        first, *later = with_ids(events, key, kind)
        id = f"{kind}-{first.id}" if kind else str(first.id)
        opening = msgspec.structs.replace(first, id=id)
        recorded = _by_key(streams, id, [opening, *later], 0, key, kind)
    return recorded, {"ETag": etag(recorded.seq), "Location": f"{here().rstrip('/')}/{recorded.match}"}


def append(streams: StreamKind, id: str, body: dict[str, Any]) -> Response | tuple[Recorded, dict[str, str]]:
    """Append events to a stream as the condition of the request allows."""
    events, asked = _given(body), the_request()
    environ = asked.environ
    if "HTTP_IF_MATCH" not in environ:
        return problem(
            428, "api.if-match", "Give the seq that you know in If-Match, as in the ETag.", current=streams.seq(id)
        )
    recorded = append_at(streams, id, events, wanted_seqs(environ["HTTP_IF_MATCH"]))
    if isinstance(recorded, Response):
        return recorded
    where = f"{here().rstrip('/')}?after={recorded.seq - len(events)}"
    return recorded, {"ETag": etag(recorded.seq), "Location": where}


def append_at(streams: StreamKind, id: str, events: Sequence[Event], seqs: Sequence[int] | None) -> Response | Recorded:
    """Append events to a stream that is at one of some seqs, or at any (None)."""
    key = request_key()
    if key is not None:
        events = with_ids(events, key, id)
    for tried in range(_TRIES):
        try:
            if seqs is None or len(seqs) > 1 or seqs[0] == 0:
                now = streams.seq(id)
                expected = now if seqs is None or now in seqs else seqs[0]
            else:
                expected = seqs[0]
            if key is None:
                return streams.record(id, events, expected, recorder())
            return _by_key(streams, id, events, expected, key, id)
        except ConflictError as error:
            if seqs is None and tried < _TRIES - 1:
                continue
            return stale(error)
    raise AssertionError


def read_back(
    streams: StreamKind, id: str, query: dict[str, Any], named: str, public: Callable[[Sequence[Stored]], list[str]]
) -> Response:
    """Answer with the recorded events of a stream, as JSON with its id under a name, or a line for each.

    `public` gives the lines as the reader may see them.
    """
    seq, ledger = streams.seq(id), streams.ledger
    media = media_wanted(JSON, NDJSON)
    after, limit = query["after"], query["limit"]
    rows = ledger.cleared(ledger.store.read(id, after))
    seq = max(seq, rows[-1].seq if rows else 0)
    more = limit is not None and len(rows) > limit
    rows = rows[:limit]
    lines = public(rows)
    if media == NDJSON:
        text = "".join(line + "\n" for line in lines)
    else:
        next_ = rows[-1].seq if more else None
        text = f'{{"{named}":{json.dumps(id)},"seq":{seq},"events":[{",".join(lines)}],"next":{json.dumps(next_)}}}\n'
    response = Response(text, 200, {"ETag": etag(seq)}, content_type=media)
    if more:
        response.headers["Link"] = page_links(rows[-1].seq)
    return response


def _given(body: dict[str, Any]) -> list[Event]:
    events: list[Event] = body["events"]
    if len(events) > MAX_APPEND:
        raise FormatError("format.size", f"a request appends at most {MAX_APPEND:,} events: send several requests")
    if not events:
        raise StoreError("store.empty", "there are no events to record")
    return events


def _by_key(streams: StreamKind, id: str, events: Sequence[Event], expected: int, key: str, where: str) -> Recorded:
    """Record events under a key; raises as `Ledger.record` does, and `api.key-reused`."""
    try:
        recorded = streams.record(id, events, expected, recorder())
    except StoreError as error:
        if error.code == "store.duplicate":
            raise reused() from None
        raise
    expect_same_body(streams.ledger, recorded, key, where, len(events))
    return recorded
