"""The resource of replays: a hand with all its positions in one answer, so that stepping needs no further request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from flask import abort
from marshmallow import Schema, fields, validate

from cardledger.errors import StoreError
from cardledger.record.matches.replayed import OF_ALL_STEPS, Words, in_english, replayed
from cardledger.record.matches.seat_view import SPECTATOR, seat_of
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.engine.event import Role
from cardledger.rules.stream import Stream
from cardledger_api.auth.visible import CARDS_ELSEWHERE, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import Whole
from cardledger_api.http.schemas import TrickSchema
from cardledger_api.resources.audits import RulingSchema
from cardledger_api.resources.table import CARDS_IN_PLAY, ChoiceSchema, TableSchema, ViewQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine import events as ev


class UntilQuery(ViewQuery):
    """The view, and the last event to know of."""

    until = Whole(
        load_default=None,
        metadata={"description": "number of the last event to know of: the answer has nothing of later ones"},
    )


_AN_EVENT = {"$ref": "#/components/schemas/Event"}


class ReplayedTrickSchema(TrickSchema):
    """A complete trick.

    Its seats in playing order, the event that completed it, and whether its cards went back (a tie).
    """

    seats = fields.List(fields.Integer())
    seq = fields.Integer()
    back = fields.Boolean()


class ReplayedTableSchema(TableSchema):
    """The changes on the table."""

    class Meta:
        """Leaves out the keys that do not change."""

        exclude = OF_ALL_STEPS

    sometimes = tuple(TableSchema().fields)

    choices = fields.List(fields.Nested(ChoiceSchema))


class StepSchema(Schema):
    """An event of a hand: as recorded, as it counts now, in words, with its rulings and the table after it.

    `role` tells play, remarks beside it and corrections apart.
    `counts` is null if the event does not count: remarks, corrections, and events taken back. `by` is the correction
    that took it back or amended it; `recorded` is an amended event in words, as it was before. `tricks` is the number
    of complete tricks, `table` the changes on the table since the step before (the first step has the whole table).
    """

    sometimes: tuple[str, ...] = ("recorded", "withheld")

    seq = fields.Integer()
    event = fields.Raw(metadata=_AN_EVENT)
    counts = fields.Raw(metadata=_AN_EVENT | {"nullable": True})
    role = fields.String(validate=validate.OneOf(get_args(Role)))
    words = fields.String()
    recorded = fields.String()
    by = fields.Integer(allow_none=True)
    rulings = fields.List(fields.Nested(RulingSchema))
    withheld = fields.Boolean()
    tricks = fields.Integer()
    table = fields.Nested(ReplayedTableSchema)


class ReplaySchema(Schema):
    """A hand, event by event, after all corrections.

    `hand` is 0 before the first deal. `first` and `last` are the numbers of its first and last event; events before
    the first deal and after a hand are included. `end` is the event that ended it; like `ended_by` and `scores` it is
    null while the hand is under way. `amendments` are the corrections of earlier events.
    """

    match = fields.String()
    game = fields.String()
    players = fields.List(fields.String())
    names = fields.List(fields.String(), metadata={"description": "names of the people who sat there"})
    status = fields.String()
    seq = fields.Integer()
    hand = fields.Integer()
    hands = fields.Integer()
    hidden = fields.Boolean()
    ended_by = fields.String(allow_none=True)
    end = fields.Integer(allow_none=True)
    scores = fields.List(fields.Integer(), allow_none=True)
    view = fields.String()
    first = fields.Integer()
    last = fields.Integer()
    tricks = fields.List(fields.Nested(ReplayedTrickSchema))
    amendments = fields.List(fields.Raw(metadata=_AN_EVENT))
    steps = fields.List(fields.Nested(StepSchema))


@operations.add(
    "GET",
    "/matches/<match>/hands/<int:hand>/replay",
    query=UntilQuery,
    answer=ReplaySchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH", "hand": 1}},
)
def read_replay(match: str, hand: int, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read a hand event by event: the event as recorded, in words, its rulings, and the table after it.

    The replay follows the corrected record: an amended event counts as amended, an event that was taken back
    leaves the table unchanged, and `by` names the correction. The views are those of the table; in views other
    than `all`, rulings are given in the words of the rulebook only. With `until` nothing of later events is in the
    answer: it is the one that was given when that event was the last.
    """
    ledger = current_ledger()
    stream, _ = up_to(ledger, match, query["until"])
    return replay_of(ledger, match, hand, query["view"], query["until"]), {"ETag": etag(stream.seq)}


def up_to(ledger: Ledger, match: str, until: int | None) -> tuple[Stream, Sequence[ev.Event]]:
    """Return a match and its events as they were after one event, or as they are now.

    Raises StoreError `store.unknown` for an event that the match does not have.
    """
    stream, events = ledger.stream(match), ledger.events(match)
    if until is None:
        return stream, events
    if not 1 <= until <= stream.seq:
        raise StoreError("store.unknown", f"the match has no event {until}")
    return Stream.of(events[:until]), events[:until]


def replay_of(
    ledger: Ledger,
    match: str,
    number: int,
    view: str | None,
    until: int | None = None,
    words: Words = in_english,
) -> dict[str, Any]:
    """Return a hand as the operation answers it; refuses views that the user may not see. `words` says an event.

    Raises StoreError `store.unknown` for a hand that the match does not have.
    """
    stream, events = up_to(ledger, match, until)
    view, secrets = view_of(ledger, match, stream, number, view)
    names = _names(ledger, match, stream)
    return replayed(match, stream, events, number, names, view=view, secrets=secrets, words=words)


def view_of(ledger: Ledger, match: str, stream: Stream, number: int, view: str | None) -> tuple[str, Secrets | None]:
    """Return the view of a hand that the user gets, and what is secret to them; refuses one that they may not see.

    Raises StoreError `store.unknown` for a hand that the match does not have.
    """
    # What is secret now depends on all that was recorded.
    secrets = None if sees_all(match) else Secrets.of(ledger, match)
    hands = stream.table.hands
    if not 1 <= number <= max(1, len(hands)):
        raise StoreError("store.unknown", f"the match has no hand {number}")
    secret = False
    if secrets is not None and hands:
        if secrets.holds(number):
            abort(403, CARDS_ELSEWHERE)
        secret = secrets.covers(hands[number - 1].first)
    if view is None:
        view = "spectator" if secret else "all"
    seat = seat_of(view, stream.table)
    if secret and seat != SPECTATOR:
        abort(403, CARDS_IN_PLAY)
    return view, secrets


def replay_of_tried(
    ledger: Ledger, match: str, tried: Stream, number: int, words: Words, view: str = "all"
) -> dict[str, Any]:
    """Return a hand of a match with events that were only tried (`tried_in`), for those who may see all its cards."""
    return replayed(match, tried, tried.events, number, _names(ledger, match, tried), view=view, words=words)


def _names(ledger: Ledger, match: str, stream: Stream) -> list[str]:
    people = ledger.people()
    return [people.name(player) for player in people.seated(match, stream.table.players)]
