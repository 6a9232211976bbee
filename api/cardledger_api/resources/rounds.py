"""The resource of the rounds of a session: the next one as proposed, and its tables."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.resources.evenings import streams_of

_SIZES = between(2, 100)
_SESSION = {"path": {"session": "SESSION"}}


class RoundQuery(Schema):
    """The game of the next round and the sizes of its tables, as the session and the game have them unless given."""

    game: fields.String = GameId(load_default=None)
    smallest = Whole(load_default=None, validate=_SIZES, metadata={"description": "fewest players at a table"})
    largest = Whole(load_default=None, validate=_SIZES, metadata={"description": "most players at a table"})


class ProposedTableSchema(Schema):
    """A table to open: its number, its players by seat, and its boards."""

    table = fields.Integer()
    players = fields.List(fields.String())
    boards = fields.List(fields.Integer())


class ProposalSchema(Schema):
    """The next round: its number, its game, its tables, who sits out, and the reasons in English."""

    round = fields.Integer()
    game = fields.String(allow_none=True)
    tables = fields.List(fields.Nested(ProposedTableSchema))
    sitting_out = fields.List(fields.String())
    reasons = fields.List(fields.String())


class RoundToOpenSchema(Schema):
    """The round to open: its number.

    Its game, its tables (players by seat) and the policy of its matches, if they are chosen.
    """

    round = fields.Integer(required=True, strict=True, validate=between(1, 1000))
    game: fields.String = GameId()
    tables = fields.List(fields.List(fields.String(), validate=validate.Length(1)), validate=validate.Length(1))
    policy = fields.String(validate=validate.OneOf(("strict", "record")))


class OpenTableSchema(Schema):
    """A table that is open, and its match; null where each board has a result of its own, and in a drive."""

    table = fields.Integer(attribute="number")
    match = fields.String(allow_none=True)


class OpenRoundSchema(Schema):
    """The tables of a round that is open."""

    session = fields.String()
    round = fields.Integer()
    tables = fields.List(fields.Nested(OpenTableSchema))


@operations.add(
    "GET",
    "/sessions/<evening:session>/round",
    query=RoundQuery,
    answer=ProposalSchema,
    problems=(422,),
    heavy=True,
    example=_SESSION,
)
def propose_round(session: str, query: dict[str, Any]) -> Any:
    """Propose the next round of a session, with reasons: as its movement has it, or a seating of the players who are here.

    A seating balances who met whom, sides, seats and who sat out over the season. Nothing is recorded. `session.seats`
    says that too few are here, `session.phase` that there is no further round.
    """
    ledger = current_ledger()
    sessions = streams_of(current_ledger(), "session")
    sessions.seq(session)
    return ledger.evenings.rounds.propose(session, **query).as_json()


@operations.add(
    "POST",
    "/sessions/<evening:session>/round",
    role="scorer",
    body=RoundToOpenSchema,
    answer=OpenRoundSchema,
    status=201,
    problems=(409,),
    heavy=True,
    example={**_SESSION, "body": {"round": 1, "policy": "record"}},
)
def open_round(session: str, body: dict[str, Any]) -> dict[str, Any]:
    """Open the tables of the next round: set them, and open a match at each with everything filled in.

    A hand of a drive gets no matches: its tricks are entered. Without `tables` they are as proposed. The same request again gives the same matches; another round than the
    next one is refused (`session.phase`).
    """
    ledger = current_ledger()
    sessions = streams_of(current_ledger(), "session")
    sessions.seq(session)
    tables = ledger.evenings.rounds.open(session, recorder(), **body)
    return {"session": session, "round": body["round"], "tables": tables}
