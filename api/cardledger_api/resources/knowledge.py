"""The resource of knowledge: where the cards that a seat has not seen can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort
from marshmallow import Schema, fields

from cardledger.record.matches.known import in_json
from cardledger.record.matches.seat_view import seat_of
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.knowledge import knowledge
from cardledger_api.auth.visible import CARDS_ELSEWHERE, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import Whole
from cardledger_api.resources.table import CARDS_IN_PLAY, moment

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.knowledge import SeatKnowledge
    from cardledger.rules.stream import Stream


class KnowledgeQuery(Schema):
    """The seat, and the moment of the match."""

    seat = Whole(required=True, metadata={"description": "number of the seat, from 0"})
    at = Whole(
        load_default=None,
        metadata={"description": "number of the event after which it is asked; the last one without it"},
    )


class UnseenSchema(Schema):
    """A card that the seat has not seen, and where it can be.

    `shares` has for each place the share of all deals in which the card is there: the places are the seats, and then
    the stock or the cards that nobody got. 1 is certain; 0 cannot be.
    """

    face = fields.String()
    shares = fields.List(fields.Float())


class DenialSchema(Schema):
    """An event that showed which of the unseen cards a seat does not hold."""

    seq = fields.Integer()
    seat = fields.Integer()
    faces = fields.List(fields.String())


class KnowledgeSchema(Schema):
    """What a seat can know at a moment, counted over every deal that fits what it has seen.

    `known` are the cards that it knows in each hand, `sizes` the numbers of unseen cards by place. `deals` is the
    number of deals, as text, since it may be larger than numbers of JSON are. It is assumed that players kept the
    rules. `recorded` is false where the cards dealt were not recorded: then the answer is what follows from the record for
    everybody, the seat's own cards are among the unseen ones, and a size may be a mean.
    """

    match = fields.String()
    at = fields.Integer()
    seat = fields.Integer()
    known = fields.List(fields.List(fields.String()))
    sizes = fields.List(fields.Float())
    unseen = fields.List(fields.Nested(UnseenSchema))
    deals = fields.String()
    denials = fields.List(fields.Nested(DenialSchema))
    recorded = fields.Boolean()


@operations.add(
    "GET",
    "/matches/<match>/knowledge",
    query=KnowledgeQuery,
    answer=KnowledgeSchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH"}, "query": {"seat": 0}, "headers": {"Authorization": "Bearer TOKEN"}},
)
def read_knowledge(match: str, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read what a seat can know after an event: where each unseen card can be, and in which share of all deals it is there.

    While a hand is under way, only scorers may ask, as for the view of a seat.
    """
    stream, _, at, found = known_to(match, query["seat"], query["at"])
    return {"match": match} | in_json(found, at), {"ETag": etag(stream.seq)}


def known_to(match: str, seat: int, at: int | None) -> tuple[Stream, Match[Any], int, SeatKnowledge]:
    """Return the stream of a match, its table after an event (the last one unless `at` is given), its number, and the rest.

    That is what the seat can know then; 403 for a reader while the cards are in play, here or at another table.
    """
    ledger = current_ledger()
    stream, table, at = moment(ledger, match, at)
    secrets = Secrets.of(ledger, match, stream)
    if secrets.of_table(table) and not sees_all(match):
        abort(403, CARDS_ELSEWHERE if secrets.holds_table(table) else CARDS_IN_PLAY)
    place = seat_of(str(seat), table)
    assert place is not None
    return stream, table, at, knowledge(stream, place, at)
