"""The resource of the table: a match at any seq as the user may see it, and what-if questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort
from marshmallow import Schema, fields

from cardledger.errors import FormatError
from cardledger.record.matches.seat_view import SPECTATOR, full_view, seat_of, seat_view
from cardledger.record.matches.table_state import as_seen, place_asked, tried_after, tried_shown
from cardledger.record.recording.own_boards import own_boards
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger_api.auth.visible import CARDS_ELSEWHERE, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import EventList, Whole
from cardledger_api.http.schemas import FactSchema, ViolationSchema, WarningSchema, WithFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match

MAX_WHAT_IF = 1_000
"""How many events one question may try."""
_AN_EVENT = {"$ref": "#/components/schemas/Event"}
CARDS_IN_PLAY = "The hand is under way: only scorers see its cards."
"""The reason for refusing a view."""


class ViewQuery(Schema):
    """The view: `all`, `spectator`, or the number of a seat."""

    view = fields.String(load_default=None, metadata={"pattern": "^(all|spectator|[0-9]{1,2})$"})


class TableQuery(ViewQuery):
    """The moment of a match, and the view."""

    at = Whole(load_default=None)


class WhatIfSchema(Schema):
    """Events to try after `at`, or after the latest."""

    events = EventList(required=True)
    at = fields.Integer(load_default=None, strict=True)


class NextDealSchema(Schema):
    """What the event `deal` says.

    Which cards are dealt, how many go to each seat, how many are left over, and its keys.

    `first` is the key that holds the seat of the choice: the dealer, or the starter.
    """

    first = fields.String(metadata={"enum": ["dealer", "starter"]})
    cards = fields.List(fields.String())
    hand_sizes = fields.List(fields.Integer())
    left_over = fields.Integer()
    required = fields.List(fields.String())
    keys = fields.List(fields.String())


class FillSchema(Schema):
    """Keys of an event that are still open.

    Put the values of `from` in any order that you like. `put` then says which of them stand where, as places counted
    from 0: `{"cards": [0, 1, 2]}` are the first three. Without `from` the values are your own, and `total` is the sum
    of such numbers.
    """

    sometimes: tuple[str, ...] = ("from", "total")

    put = fields.Dict()
    sources = fields.List(fields.Raw(), data_key="from", attribute="from")
    total = fields.Integer()


class ChoiceSchema(Schema):
    """A type of event that may come next, and its possible values; keys that do not apply are left out."""

    sometimes: tuple[str, ...] = (
        "seat",
        "cards",
        "count",
        "amounts",
        "barred",
        "calls",
        "actor",
        "from",
        "to",
        "total",
        "also",
        "dealing",
    )

    type = fields.String()
    seat = fields.Integer(allow_none=True)
    cards = fields.List(fields.String())
    count = fields.Integer()
    amounts = fields.List(fields.Integer())
    barred = fields.List(fields.Integer())
    calls = fields.List(fields.String())
    actor = fields.Integer()
    sources = fields.List(fields.Raw(), data_key="from", attribute="from")
    to = fields.Integer()
    total = fields.Integer()
    also = fields.Dict()
    dealing = fields.Nested(NextDealSchema)


class NextChoiceSchema(ChoiceSchema):
    """A type of event that may come next, with its possible values and the event itself.

    Send `event`, once each entry of `fill` has filled its open keys. A null in it may stay: then nobody saw these
    cards.
    """

    event = fields.Dict()
    fill = fields.List(fields.Nested(FillSchema))


class TrickUnderWaySchema(Schema):
    """The cards played to the trick under way with the seats that played them, the leader's first."""

    leader = fields.Integer()
    seats = fields.List(fields.Integer())
    cards = fields.List(fields.String())


class TableSchema(WithFacts):
    """The table: its cards, and the legal choices.

    Keys that the game or the moment does not have are left out. `counted` is the number of events that count so far.
    It grows by one with every turn, so an entry made for another number comes too late. `hands` are the cards by
    seat, null if hidden; `hand_sizes` are their numbers.
    """

    sometimes: tuple[str, ...] = (
        "phase", "hands", "hand_sizes", "trick", "tricks_taken", "tricks_left", "playing", "facts", "violations",
        "warnings",
    )  # fmt: skip

    match = fields.String()
    view = fields.String()
    seq = fields.Integer()
    counted = fields.Integer()
    game = fields.String()
    players = fields.List(fields.String())
    status = fields.String()
    phase = fields.String()
    turn = fields.Integer(allow_none=True)
    hand = fields.Integer(allow_none=True)
    dealer = fields.Integer(allow_none=True)
    totals = fields.List(fields.Integer())
    winners = fields.List(fields.Integer())
    hands = fields.List(fields.List(fields.String(), allow_none=True), allow_none=True)
    hand_sizes = fields.List(fields.Integer(), allow_none=True)
    trick = fields.Nested(TrickUnderWaySchema, allow_none=True)
    tricks_taken = fields.List(fields.Integer())
    tricks_left = fields.Integer()
    playing = fields.List(fields.Integer())
    facts = fields.List(fields.Nested(FactSchema))
    choices = fields.List(fields.Nested(NextChoiceSchema))
    violations = fields.List(fields.Nested(ViolationSchema))
    warnings = fields.List(fields.Nested(WarningSchema))


@operations.add(
    "GET",
    "/matches/<match>/table",
    query=TableQuery,
    answer=TableSchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH"}, "query": {"at": 1}},
)
def read_table(match: str, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the table after an event, or now, with the legal choices for the next event.

    `view` is `all`, `spectator`, or a seat: other hands and the stock are then given as numbers of cards. While a
    hand is under way, readers get the spectator's view; other views are for scorers.
    """
    ledger = current_ledger()
    stream, table, at = moment(ledger, match, query["at"])
    secrets = Secrets.of(ledger, match, stream)
    secret = secrets.of_table(table) and not sees_all(match)
    if secret and secrets.holds_table(table):
        abort(403, CARDS_ELSEWHERE)
    view = query["view"] if query["view"] is not None else ("spectator" if secret else "all")
    seat = seat_of(view, table)
    if secret and seat != SPECTATOR:
        abort(403, CARDS_IN_PLAY)
    state = full_view(table) if seat is None else seat_view(table, seat)
    return as_seen(match, view, stream, at, table, state, own_boards(ledger, match, table)), {"ETag": etag(stream.seq)}


@operations.add(
    "POST",
    "/matches/<match>/what-if",
    body=WhatIfSchema,
    answer=TableSchema,
    example={"path": {"match": "MATCH"}, "body": {"events": [{"type": "note", "text": "what if"}]}},
)
def what_if(match: str, body: dict[str, Any]) -> dict[str, Any]:
    """Try events: the resulting table, with violations and warnings.

    Nothing is stored. The answer to a refused event is the same as when it is appended. While a hand is under
    way, only scorers may do this, as a refusal reveals what a hand holds.
    """
    ledger = current_ledger()
    events: Sequence[ev.Event] = body["events"]
    tried, at = tried_in(ledger, match, body["at"], events)
    return tried_shown(match, tried, at, events, own_boards(ledger, match, tried.table))


def tried_in(ledger: Ledger, match: str, at: int | None, events: Sequence[ev.Event]) -> tuple[Stream, int]:
    """Return a match as it would be with other events after event `at` (None: the latest), and that number.

    Refuses readers while that could reveal a hidden card, with 403. Raises LedgerError for an event that is refused,
    with its `index`.
    """
    if len(events) > MAX_WHAT_IF:
        raise FormatError("format.size", f"a question tries at most {MAX_WHAT_IF:,} events: send fewer")
    stream, table, at = moment(ledger, match, at)
    if not sees_all(match):
        secrets = Secrets.of(ledger, match, stream)
        # A correction may bring back a hand that must stay hidden.
        if secrets.of_table(table) or (secrets.any and any(event.corrects for event in events)):
            abort(403, CARDS_IN_PLAY)
    before = stream if at == stream.seq else Stream.of(ledger.events(match)[:at])
    return tried_after(before, events, own_boards(ledger, match, table)), at


def moment(ledger: Ledger, match: str, at: int | None) -> tuple[Stream, Match[Any], int]:
    """Return the stream of a match as of now, its table after event `at`, and that number."""
    stream = ledger.stream(match)
    at = place_asked(at, stream.seq)
    table = stream.table if at == stream.seq else Stream.of(ledger.events(match)[:at]).table
    return stream, table, at
