"""Resources of puzzles: decisions of the club's own hands with one best choice, which the player missed."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger.study.stats.luck import accountant
from cardledger_api.auth.invitations import today
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.resources.review_answers import ReviewBasisSchema

MOST_PUZZLES = 100


class PuzzlesQuery(Schema):
    """A game (without it, all), how many puzzles of each, and the day whose puzzle is chosen: today by default."""

    game = GameId(load_default=None)
    limit = Whole(load_default=20, validate=between(1, MOST_PUZZLES))
    day = fields.Date(load_default=None, metadata={"description": "the day whose puzzle is chosen; today by default"})


class PuzzleSchema(Schema):
    """A decision of a seat at event `seq`, among so many `options`; nothing of its answer.

    Of `tries` people who had the decision, at a table or as a question, so many `missed` the best choice.

    `GET /matches/{match}/hands/{hand}/quiz` with its seat as `seat` and its event as `stops` has the question and the
    table, `GET /matches/{match}/hands/{hand}/quiz/{seq}` the answer.
    """

    match = fields.String()
    hand = fields.Integer()
    game = fields.String()
    seat = fields.Integer()
    seq = fields.Integer()
    type = fields.String()
    options = fields.Integer()
    tries = fields.Integer()
    missed = fields.Integer()


class PuzzlesSchema(Schema):
    """Puzzles, those first that people missed most often; in `pending` hands nobody has looked for one.

    `today` is the puzzle of the day, which is the same for everybody; null without any.
    """

    puzzles = fields.List(fields.Nested(PuzzleSchema))
    day = fields.Date()
    today = fields.Nested(PuzzleSchema, allow_none=True)
    pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)


@operations.add(
    "GET", "/puzzles", query=PuzzlesQuery, answer=PuzzlesSchema, heavy=True, example={"query": {"limit": 3}}
)
def list_of_puzzles(query: dict[str, Any]) -> dict[str, Any]:
    """List puzzles of hands that were played: one choice is better than all others, and the player made another.

    Each other choice costs at least three standard errors against the best one. Puzzles are found in reviewed hands
    while nothing is recorded, and by the command `cardledger puzzles` at once. Hands of players who left theirs out, and
    those of an evening that is not over, are no puzzles.
    """
    day = query["day"] or today()
    return accountant.puzzles(current_ledger(), query["game"], day, query["limit"], patience=None) or {}
