"""The resource of the movements that suit a session: who plays whom, in one field or in sections, in the time there is."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.record.recording.movements import proposed_movements
from cardledger.rules.evenings.suitable import Wish, boards_in
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Whole, between
from cardledger_api.resources.evenings import streams_of

_WHO = validate.OneOf(("all", "section"))
_SESSION = {"path": {"session": "SESSION"}, "query": {"minutes": 180}}


class MovementsQuery(Schema):
    """The boards of a round, the most rounds, and the time; each as fits unless given. The last two are for sections."""

    boards = Whole(load_default=None, validate=between(1, 64), metadata={"description": "boards of a round"})
    rounds = Whole(load_default=None, validate=between(1, 99), metadata={"description": "most rounds"})
    minutes = Whole(
        load_default=None, validate=between(10, 1440), metadata={"description": "time to play, nine boards an hour"}
    )
    compare = fields.String(load_default="all", validate=_WHO, metadata={"description": "who is compared with whom"})
    rank = fields.String(load_default="all", validate=_WHO, metadata={"description": "who ranks together"})


class NewNumberSchema(Schema):
    """A number that changes, so that everybody sits as they asked to."""

    before = fields.Integer()
    after = fields.Integer()


class SuitedMovementSchema(Schema):
    """A movement that suits.

    Record its `events` to choose it. `tables` are those of each section, null without sections; a movement that is drawn
    round by round has neither rounds nor boards. `played_once` are boards that compare nobody.
    """

    name = fields.String()
    kind = fields.String()
    tables = fields.List(fields.Integer(), allow_none=True)
    rounds = fields.Integer(allow_none=True)
    boards_of_round = fields.Integer()
    played = fields.Integer(allow_none=True)
    boards = fields.Integer(allow_none=True)
    played_once = fields.Integer()
    cut_short = fields.Boolean()
    numbers = fields.List(fields.Nested(NewNumberSchema))
    events = fields.List(fields.Dict())


class LongMovementSchema(Schema):
    """A movement that would suit, and the boards that each entry would play: more than the time is enough for."""

    name = fields.String()
    kind = fields.String()
    played = fields.Integer()


class MovementsSchema(Schema):
    """The movements that suit a session, and those that take too long."""

    session = fields.String()
    movements = fields.List(fields.Nested(SuitedMovementSchema))
    too_long = fields.List(fields.Nested(LongMovementSchema))


@operations.add(
    "GET",
    "/sessions/<evening:session>/movements",
    query=MovementsQuery,
    answer=MovementsSchema,
    heavy=True,
    example=_SESSION,
)
def propose_movements(session: str, query: dict[str, Any]) -> Any:
    """Propose who plays whom: the movements that suit the entries of a session and the time there is.

    A big field has movements in sections too. A pair that stays, or asked for a line, gets such a number. Nothing is
    recorded: append the `events` of a movement to the session to choose it.
    """
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    minutes = query.pop("minutes")
    wish = Wish(**query, most=None if minutes is None else boards_in(minutes))
    return {"session": session, **proposed_movements(ledger, session, wish)}
