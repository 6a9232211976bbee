"""The answer about two players: their results against each other, and as partners."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from cardledger_api.resources.stats_answers import StatsSchema


class HeadToHeadRowSchema(Schema):
    """The results of two players in a game at tables of one size.

    `how` is `against` each other or `with` (as partners). `won` counts the complete matches that the first player won,
    `ahead` those in which the first had the better total, `behind` those in which the other had it; both are null for
    partners. `points` are the first player's points minus the other's, or those of the partners' side; `a_hand` is
    their mean, with its 95% interval.
    """

    how = fields.String(validate=validate.OneOf(("against", "with")))
    game = fields.String()
    seats = fields.Integer()
    matches = fields.Integer()
    complete = fields.Integer()
    won = fields.Integer()
    hands = fields.Integer()
    ahead = fields.Integer(allow_none=True)
    behind = fields.Integer(allow_none=True)
    points = fields.Integer()
    a_hand = fields.Float(allow_none=True)
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    chance = fields.Float(allow_none=True)


class HeadToHeadSchema(StatsSchema):
    """The results of two players, by game and size of the table."""

    rows = fields.List(fields.Nested(HeadToHeadRowSchema))
