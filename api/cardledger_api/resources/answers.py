"""Resources of answers: what a player would have chosen, a player's progress, and whose hands are posed as puzzles."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.record.people.people import Posed
from cardledger.study.stats.review.answers import record_answer
from cardledger.study.stats.review.progress import progress
from cardledger_api.auth.invitations import today
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder, recorder_name
from cardledger_api.http.fields import GameId, between
from cardledger_api.resources.own import expect_own
from cardledger_api.resources.quiz import quiz_of
from cardledger_api.resources.review_answers import ReviewBasisSchema

_LONGEST = 200


class AnswerSchema(Schema):
    """An answer to record: the event that is asked about, the choice, and the player, if it is not the user."""

    seq = fields.Integer(required=True, strict=True, validate=between(1, 10**9))
    choice = fields.String(required=True, validate=validate.Length(1, _LONGEST))
    player = fields.String(load_default=None, validate=validate.Length(1, 1000))


class RecordedAnswerSchema(Schema):
    """An answer as it was recorded."""

    match = fields.String()
    hand = fields.Integer()
    seq = fields.Integer()
    player = fields.String()
    choice = fields.String()
    date = fields.Date()


class PosedSchema(Schema):
    """Whether hands that the player played may be posed as puzzles."""

    posed = fields.Boolean(required=True)


class PosedPlayerSchema(Schema):
    """A player, and whether the hands of the player may be posed as puzzles."""

    player = fields.String()
    posed = fields.Boolean()


class ShareSchema(Schema):
    """How many answers were best, their share, and its 95% interval."""

    number = fields.Integer()
    value = fields.Float()
    low = fields.Float()
    high = fields.Float()


class MeanCostSchema(Schema):
    """What the choices cost on average, in points of the game, and the 95% interval; null for a single answer."""

    value = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)


class AnsweredSchema(Schema):
    """Figures of some answers: `pending` ones are weighed later, `left_out` ones are asked no more."""

    answers = fields.Integer()
    pending = fields.Integer()
    left_out = fields.Integer()
    best = fields.Nested(ShareSchema, allow_none=True)
    cost = fields.Nested(MeanCostSchema, allow_none=True)


class AnsweredMonthSchema(AnsweredSchema):
    """The figures of a month (2026-11)."""

    month = fields.String()


class AnsweredGameSchema(AnsweredSchema):
    """The figures of a game, and of each month, the latest first."""

    game = fields.String()
    months = fields.List(fields.Nested(AnsweredMonthSchema))


class GivenAnswerSchema(Schema):
    """An answer and what its choice cost, with the standard error; null while it is not weighed."""

    match = fields.String()
    hand = fields.Integer()
    seq = fields.Integer()
    choice = fields.String()
    day = fields.String(metadata={"format": "date"})
    cost = fields.Float(allow_none=True)
    error = fields.Float(allow_none=True)
    best = fields.Boolean(allow_none=True)


class ProgressSchema(Schema):
    """A player's progress with questions: by game, and the latest answers."""

    player = fields.String()
    games = fields.List(fields.Nested(AnsweredGameSchema))
    latest = fields.List(fields.Nested(GivenAnswerSchema))
    basis = fields.Nested(ReviewBasisSchema)


class ProgressQuery(Schema):
    """A game; without it, all."""

    game = GameId(load_default=None)


@operations.add(
    "POST",
    "/matches/<match>/hands/<int:hand>/answers",
    body=AnswerSchema,
    answer=RecordedAnswerSchema,
    status=201,
    problems=(409, 422, 429),
    example={"path": {"match": "PLAYED", "hand": 1}, "body": {"seq": 3, "choice": "CHOICE", "player": "PLAYER"}},
)
def answer_question(match: str, hand: int, body: dict[str, Any]) -> dict[str, Any]:
    """Record what a player would have chosen at a question of a quiz: for oneself, or as a scorer for another player.

    The first answer of a person counts, `lesson.twice` refuses another: read `/quiz/{seq}` for practice, which records
    nothing. The choice must be one that the question offers; a card is refused with the rule that forbids it.
    """
    ledger = current_ledger()
    player = expect_own(body["player"], "scorer")
    quiz_of(ledger, match, hand)
    day = today()
    choice = record_answer(ledger, match, hand, body["seq"], body["choice"], player, recorder(), day)
    return {"match": match, "hand": hand, "seq": body["seq"], "player": player, "choice": choice, "date": day}


@operations.add(
    "GET",
    "/players/<text:player>/progress",
    query=ProgressQuery,
    answer=ProgressSchema,
    heavy=True,
    example={"path": {"player": "PLAYER"}},
)
def read_progress(player: str, query: dict[str, Any]) -> dict[str, Any]:
    """Read what a player answered: the share of best choices and their mean cost, by game and month.

    Answers are weighed in the worlds by which puzzles are found, while nothing is recorded.
    """
    return progress(current_ledger(), player, query["game"])


@operations.add(
    "POST",
    "/players/<text:player>/posed",
    body=PosedSchema,
    answer=PosedPlayerSchema,
    problems=(409,),
    example={"path": {"player": "PLAYER"}, "body": {"posed": False}},
)
def pose_hands(player: str, body: dict[str, Any]) -> dict[str, Any]:
    """Say whether hands that a player played may be posed as puzzles: for oneself, or as an admin for another player.

    No hand of a match in which the player sat is then a puzzle, from now on, for anybody.
    """
    ledger = current_ledger()
    event = Posed(player=expect_own(player, "admin"), posed=body["posed"])
    people = ledger.record_people([event], ledger.people().seq, recorder_name())
    return {"player": people.person(player), "posed": people.poses(player)}
