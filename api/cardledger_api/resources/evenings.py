"""The resources of clubs, sessions and leagues: the lists, each as it stands, and its events."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.errors import FormatError
from cardledger.record.readmodels.questions.evening_list import count_evenings, evening_row, list_evenings
from cardledger.record.readmodels.questions.match_list import ORDERS
from cardledger.record.recording.moment import unknown
from cardledger.record.recording.secrecy import public_evening_line
from cardledger.record.store.streams import KINDS
from cardledger.rules.engine.events import type_of
from cardledger.rules.evenings.describe import described
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.visible import expect_named_in_scope, hidden_boards, sees_all
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
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import EveningEvents, GameId, Whole, between
from cardledger_api.http.hints import Hints
from cardledger_api.http.schemas import TOTAL, Day
from cardledger_api.resources.evening_answers import (
    ClubListSchema,
    ClubSchema,
    LeagueListSchema,
    LeagueSchema,
    SessionListSchema,
    SessionSchema,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.results import Recorded
    from cardledger.record.store import Stored


class EveningEventsSchema(Schema):
    """Events to record, the first of a new club, session or league being its opening: all of them, or none."""

    events = EveningEvents(required=True, metadata={"minItems": 1})
    as_written = fields.Boolean(
        load_default=False,
        metadata={"description": "points of a table count, also if no number of hands of its game can give them"},
    )


class EveningRecordedSchema(Schema):
    """The result of recording.

    The id of the club, session or league, its seq and hash after the last event, and the id of each event.

    `hints` name events that were written in another way than the record writes them.
    """

    sometimes: tuple[str, ...] = ("hints",)

    evening = fields.String(attribute="match")
    seq = fields.Integer()
    hash = EventHash()
    ids = fields.List(fields.String())
    hints = Hints()


class EveningEventListSchema(Schema):
    """Events of a club, a session or a league. `seq` is the number of its last event.

    `next` is the `after` of the next page, null at the end.
    """

    evening = fields.String()
    seq = fields.Integer()
    events = EveningEvents()
    next = fields.Integer(allow_none=True)


class ClubQuery(Schema):
    """The page of a list, and its order."""

    sort = fields.String(load_default=ORDERS[0], validate=validate.OneOf(ORDERS))
    total = TOTAL
    limit = Whole(load_default=50, validate=between(1, 200))
    after = Whole(load_default=None)


class LeagueQuery(ClubQuery):
    """Filters for leagues; all given ones must hold.

    A league counts if any of its days lies between `since` and `until`.
    """

    club = fields.String(load_default=None, metadata={"description": "id of the club"})
    since = Day(load_default=None)
    until = Day(load_default=None)


class SessionQuery(LeagueQuery):
    """Filters for sessions; all given ones must hold. The days `since` and `until` are included."""

    game: fields.String = GameId(load_default=None)
    status = fields.String(
        load_default=None,
        validate=validate.OneOf(("open", "closed")),
        metadata={"description": "whether the evening is open or over"},
    )
    player = fields.String(load_default=None, metadata={"description": "any id of somebody who came"})
    other_game = fields.String(
        load_default=None,
        metadata={"description": "name of a game without rules; capitals and accents do not matter"},
    )


_OPENINGS: dict[str, dict[str, Any]] = {
    "club": {"type": "club", "name": "Whist on Tuesday"},
    "session": {
        "type": "session", "club": None, "name": "Tuesday", "date": "2026-01-06", "game": "diversity", "unit": "player",
        "scoring": {"kind": "places"},
    },
    "league": {
        "type": "league", "club": None, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {"best": 3},
    },
}  # fmt: skip
_LISTS: dict[str, tuple[type[Schema], type[Schema]]] = {
    "club": (ClubQuery, ClubListSchema),
    "session": (SessionQuery, SessionListSchema),
    "league": (LeagueQuery, LeagueListSchema),
}
_SCHEMAS: dict[str, type[Schema]] = {"club": ClubSchema, "session": SessionSchema, "league": LeagueSchema}
_SHOWN = {
    "club": "its members and guests. Their numbers are for scorers.",
    "session": "who is here, its entries, its rounds with tables and results, and its rulings.",
    "league": "the sessions that count.",
}


def streams_of(ledger: Ledger, kind: str, body: Mapping[str, Any] = {}) -> StreamKind:  # it is only read
    """Return the streams of all clubs, all sessions or all leagues, to record to (what a `body` says) and read."""

    def seq(evening: str) -> int:
        if not evening.startswith(f"{kind}-"):
            raise unknown(evening)
        return ledger.evenings.stream(evening).seq

    record = partial(ledger.evenings.record, as_written=body.get("as_written", False))
    return StreamKind(ledger, kind, record, seq)


def _add_kind(kind: str) -> None:
    """Declare the operations on clubs, on sessions or on leagues."""
    one, query, listed = f"/{kind}s/<evening:{kind}>", *_LISTS[kind]
    path = {kind: kind.upper()}

    @operations.add(
        "GET",
        f"/{kind}s",
        query=query,
        answer=listed,
        example={"query": {"limit": 2}},
        name=f"list_of_{kind}s",
        summary=f"List {kind}s, newest first or oldest first, a page at a time.",
    )
    def list_all(query: dict[str, Any]) -> dict[str, Any]:
        ledger = current_ledger()
        limit, after, sort, total = (query.pop(name) for name in ("limit", "after", "sort", "total"))
        answer = list_evenings(ledger, limit, after, kind, sort=sort, **query)._asdict()
        return answer | ({"total": count_evenings(ledger, kind, **query)} if total else {})

    @operations.add(
        "POST",
        f"/{kind}s",
        body=EveningEventsSchema,
        answer=EveningRecordedSchema,
        example={"body": {"events": [_OPENINGS[kind]]}},
        name=f"open_{kind}",
        summary=f"Open a {kind} with its `{kind}` event, and record any further events.\n\n"
        f"The opening may carry an `id`, `{kind}-` and a UUID; sent again, it gets the same answer.",
        **OPENING,
    )
    def open_one(body: dict[str, Any]) -> tuple[Recorded, dict[str, str]]:
        streams = streams_of(current_ledger(), kind, body)
        for event in body["events"][:1]:
            if type_of(event) != kind:
                raise FormatError("format.open", f"a {kind} starts with {kind}, not with {type_of(event)}", 0)
        return open_stream(streams, body)

    @operations.add(
        "GET",
        one,
        answer=_SCHEMAS[kind],
        gives={"ETag": f"the seq of the {kind}, for If-Match"},
        example={"path": path},
        name=f"read_{kind}",
        summary=f"Read a {kind}: its opening, {_SHOWN[kind]}",
    )
    def read_one(**given: str) -> tuple[dict[str, Any], dict[str, str]]:
        ledger = current_ledger()
        streams = streams_of(ledger, kind)
        id = given[kind]
        streams.seq(id)
        row, state = evening_row(ledger, id), ledger.evenings.stream(id).state
        if isinstance(state, SessionState):
            state = state.without(hidden_boards(ledger).get(id, ()))
        return row | described(state, numbers=sees_all()), {"ETag": etag(row["seq"])}


def _add_events(kind: str) -> None:
    """Declare the operations on the events of clubs, of sessions or of leagues."""
    one, path = f"/{kind}s/<evening:{kind}>", {kind: kind.upper()}

    @operations.add(
        "GET",
        f"{one}/events",
        query=EventQuery,
        answer=EveningEventListSchema,
        example={"path": path, "query": {"after": 0, "limit": 2}},
        name=f"read_{kind}_events",
        summary=f"Read the recorded events of a {kind}, all or those after a seq.\n\n"
        "Numbers of members are for scorers. As application/x-ndjson the answer can be stored with `evening open`.",
        **READING,
    )
    def read_events(query: dict[str, Any], **given: str) -> Response:
        ledger = current_ledger()
        streams = streams_of(ledger, kind)
        id = given[kind]

        def public(rows: Sequence[Stored]) -> list[str]:
            hidden = hidden_boards(ledger).get(id, ())
            return [row.line if sees_all() else public_evening_line(row.line, id, hidden) for row in rows]

        return read_back(streams, id, query, "evening", public)

    @operations.add(
        "POST",
        f"{one}/events",
        body=EveningEventsSchema,
        answer=EveningRecordedSchema,
        example={"path": path} | REMARK,
        name=f"append_{kind}_events",
        summary=f"Append events to a {kind}, corrections included: all of them or none.\n\n"
        "Without `If-Match` the answer is 428; with an outdated seq it is 412, and `current` gives the right one. A "
        "refused event is named by its `index`.",
        **APPENDING,
    )
    def append_events(body: dict[str, Any], **given: str) -> Response | tuple[Recorded, dict[str, str]]:
        streams = streams_of(current_ledger(), kind, body)
        streams.seq(given[kind])
        expect_named_in_scope(body["events"])
        return append(streams, given[kind], body)


for _kind in KINDS:
    _add_kind(_kind)
    _add_events(_kind)
