"""The resource of the table: a match at any seq as one may see it, what would come of more events, and its audit trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import abort
from marshmallow import Schema, fields, post_dump

from api.conditions import etag
from api.fields import Events, Whole
from api.schemas import ViolationSchema
from api.secrecy import Secrets, sees_all
from api.sight import SPECTATOR, full_sight, sight_of
from ledger import events as ev
from ledger.corrections import Stream
from ledger.errors import FormatError, LedgerError, RuleError
from ledger.replay import audit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api.operations import Operations
    from ledger.ledger import Ledger
    from ledger.table import Table

MAX_WHAT_IF = 1_000
"""Events one question may try."""
_AN_EVENT = {"$ref": "#/components/schemas/Event"}
CARDS_IN_PLAY = "The hand is under way: only scorers see its cards."
"""Why a view is refused."""


class ViewQuery(Schema):
    """Seen from where: `all`, `spectator`, or the number of a seat."""

    view = fields.String(load_default=None, metadata={"pattern": "^(all|spectator|[0-9]{1,2})$"})


class TableQuery(ViewQuery):
    """Which moment of a match, and seen from where."""

    at = Whole(load_default=None)


class AuditQuery(Schema):
    """Up to which seq."""

    at = Whole(load_default=None)


class WhatIfSchema(Schema):
    """Events to try after `at`, or after the latest."""

    events = Events(required=True)
    at = fields.Integer(load_default=None, strict=True)


class ChoiceSchema(Schema):
    """A kind of event that may come next and what it may carry; keys that do not apply are left out."""

    type = fields.String()
    seat = fields.Integer(allow_none=True)
    cards = fields.List(fields.String())
    count = fields.Integer()
    amounts = fields.List(fields.Integer())
    sources = fields.List(fields.Raw(), data_key="from", attribute="from")
    to = fields.Integer()
    total = fields.Integer()


class TrickUnderWaySchema(Schema):
    """The cards played to the trick under way, the leader's first."""

    leader = fields.Integer()
    cards = fields.List(fields.String())


class DebtSchema(Schema):
    """A card that one seat owes another."""

    creditor = fields.Integer()
    debtor = fields.Integer()


class TableSchema(Schema):
    """The table: what lies on it and what may come next; keys that the game or the moment has not are left out.

    `hands` are the cards by seat, null where they are hidden, `hand_sizes` how many they are.
    """

    match = fields.String()
    view = fields.String()
    seq = fields.Integer()
    game = fields.String()
    players = fields.List(fields.String())
    status = fields.String()
    phase = fields.String()
    turn = fields.Integer(allow_none=True)
    hand = fields.Integer(allow_none=True)
    dealer = fields.Integer(allow_none=True)
    totals = fields.List(fields.Integer())
    hands = fields.List(fields.List(fields.String(), allow_none=True), allow_none=True)
    hand_sizes = fields.List(fields.Integer(), allow_none=True)
    trick = fields.Nested(TrickUnderWaySchema, allow_none=True)
    tricks_taken = fields.List(fields.Integer())
    tricks_left = fields.Integer()
    bids = fields.List(fields.Integer(allow_none=True))
    debts = fields.List(fields.Nested(DebtSchema))
    discards = fields.List(fields.String())
    stock_left = fields.Integer()
    closer = fields.Integer(allow_none=True)
    penalties = fields.List(fields.Integer(), allow_none=True)
    choices = fields.List(fields.Nested(ChoiceSchema))
    violations = fields.List(fields.Nested(ViolationSchema))

    @post_dump(pass_original=True)
    def more(self, data: dict[str, Any], original: dict[str, Any], **_: object) -> dict[str, Any]:
        """Keep what only games of other packages have."""
        return data | {key: value for key, value in original.items() if key not in data}


class RulingSchema(Schema):
    """What a rule said of an event: `allowed`, `broken`, or `resolved` (it decided what follows)."""

    rule = fields.String()
    verdict = fields.String()
    text = fields.String()


class AuditedSchema(Schema):
    """An event with what became of it: what counts in its place (null: nothing), and the rulings."""

    seq = fields.Integer()
    event = fields.Function(lambda item: msgspec.to_builtins(item["event"]), metadata=_AN_EVENT)
    counts = fields.Function(
        lambda item: item["counts"] and msgspec.to_builtins(item["counts"]), metadata=_AN_EVENT | {"nullable": True}
    )
    rulings = fields.List(fields.Nested(RulingSchema))
    withheld = fields.Boolean()


class AuditSchema(Schema):
    """The audit trail of a match; `withheld` says that rulings are not shown while the hand is under way."""

    match = fields.String()
    seq = fields.Integer()
    events = fields.List(fields.Nested(AuditedSchema))


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on the table of a match."""

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
        """Read the table after an event, or now, with what may legally come next.

        `view` is `all`, `spectator`, or a seat: other hands are then numbers of cards, and so is the stock. While a
        hand is under way, readers get the spectator's view, and any other is for scorers.
        """
        stream, table, at = _moment(ledger, match, query["at"])
        secret = Secrets(stream).of_table(table) and not sees_all()
        view = query["view"] if query["view"] is not None else ("spectator" if secret else "all")
        seat = seat_of(view, table)
        if secret and seat != SPECTATOR:
            abort(403, CARDS_IN_PLAY)
        state = full_sight(table) if seat is None else sight_of(table, seat)
        return _shown(match, view, at, table, state), {"ETag": etag(stream.seq)}

    @operations.add(
        "POST",
        "/matches/<match>/what-if",
        body=WhatIfSchema,
        answer=TableSchema,
        example={"path": {"match": "MATCH"}, "body": {"events": [{"type": "note", "text": "what if"}]}},
    )
    def what_if(match: str, body: dict[str, Any]) -> dict[str, Any]:
        """Try events: the table they would lead to and the violations they would bring. Nothing is stored.

        An event that would be refused is answered as if it had been appended. While a hand is under way, this is
        for scorers: whether a play is refused tells what a hand holds.
        """
        events: Sequence[ev.Event] = body["events"]
        if len(events) > MAX_WHAT_IF:
            raise FormatError("format.size", f"a question tries at most {MAX_WHAT_IF:,} events")
        stream, table, at = _moment(ledger, match, body["at"])
        if not sees_all():
            secrets = Secrets(stream)
            # A correction may bring back a hand that is not to be seen yet.
            if secrets.of_table(table) or (
                secrets.open and any(isinstance(event, ev.Retract | ev.Amend) for event in events)
            ):
                abort(403, CARDS_IN_PLAY)
        tried = stream.copy() if at == stream.seq else Stream.of(ledger.events(match)[:at])
        for index, event in enumerate(events):
            try:
                tried.append(event)
            except LedgerError as error:
                error.index = index
                raise
        found = [
            {"seq": found.seq, "seat": found.seat, "rule": found.rule, "legal": found.legal}
            for found in tried.table.violations
            if found.seq > at
        ]
        return _shown(match, "all", tried.seq, tried.table, full_sight(tried.table)) | {"violations": found}

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
        """Read event by event what allowed, forbade or resolved it, up to an event or all.

        Rulings of a hand under way are for scorers: they tell what the hands hold.
        """
        events = ledger.events(match)
        stream = ledger.stream(match)
        at = _place(query["at"], stream.seq)
        secrets = None if sees_all() else Secrets(stream)
        trail = []
        for item in audit(events[:at]):
            withheld = secrets is not None and secrets.covers(item.seq)
            event, counts = item.event, item.counts
            if secrets is not None:
                event = secrets.public(event, item.seq)
                counts = counts and secrets.public(counts, item.seq)
            rulings = [] if withheld else item.rulings
            trail.append({"seq": item.seq, "event": event, "counts": counts, "rulings": rulings, "withheld": withheld})
        return {"match": match, "seq": at, "events": trail}, {"ETag": etag(stream.seq)}


def _place(at: int | None, seq: int) -> int:
    if at is not None and not 1 <= at <= seq:
        raise RuleError("table.range", f"at is {at}, but events so far are 1 to {seq}")
    return at or seq


def _moment(ledger: Ledger, match: str, at: int | None) -> tuple[Stream, Table, int]:
    """Return the stream of a match as of now, its table after event `at`, and that number."""
    stream = ledger.stream(match)
    at = _place(at, stream.seq)
    table = stream.table if at == stream.seq else Stream.of(ledger.events(match)[:at]).table
    return stream, table, at


def seat_of(view: str, table: Table) -> int | None:
    """Return the seat of a view, SPECTATOR, or None for all."""
    if view == "all":
        return None
    if view == "spectator":
        return SPECTATOR
    if not (view.isascii() and view.isdigit() and len(view) <= 2):
        raise FormatError("format.value", "view is all, spectator, or the number of a seat")
    seat = int(view)
    if seat >= table.n:
        raise RuleError("table.range", f"there is no seat {seat}: seats are 0 to {table.n - 1}")
    return seat


def _shown(match: str, view: str, at: int, table: Table, state: dict[str, Any]) -> dict[str, Any]:
    frame = {"match": match, "view": view, "game": table.game.id, "players": table.players}
    return frame | state | {"seq": at}
