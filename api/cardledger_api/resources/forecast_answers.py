"""The answers of statistics on forecasts, the calls of a partner and the dealer, as schemas."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from cardledger.study.stats.forecasts import QUESTIONS
from cardledger_api.resources.stats_answers import StatsSchema


class ForecastScoreSchema(Schema):
    """How good the forecasts of a game were for one question, all together or those of one tenth."""

    sometimes: tuple[str, ...] = ("tenth", "low", "high", "slope", "slope_low", "slope_high")

    game = fields.String()
    question = fields.String(validate=validate.OneOf(QUESTIONS))
    tenth = fields.Integer(allow_none=True)
    matches = fields.Integer()
    forecasts = fields.Integer()
    foretold = fields.Float()
    happened = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    brier = fields.Float()
    equal = fields.Float()
    slope = fields.Float(allow_none=True)
    slope_low = fields.Float(allow_none=True)
    slope_high = fields.Float(allow_none=True)


class ForecastsSchema(StatsSchema):
    """How good forecasts by ratings were: game by game, question by question, all together and then by tenths."""

    rows = fields.List(fields.Nested(ForecastScoreSchema))


class CallWorthSchema(Schema):
    """What a partner's call was worth to a player, in points a hand, with its 95% interval."""

    sometimes: tuple[str, ...] = ("expected", "worth", "low", "high")

    call = fields.String()
    hands = fields.Integer()
    evenings = fields.Integer()
    points = fields.Float()
    expected = fields.Float(allow_none=True)
    worth = fields.Float(allow_none=True)
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)


class PartnerCallsSchema(StatsSchema):
    """What each call of a partner was worth, the most made first."""

    rows = fields.List(fields.Nested(CallWorthSchema))


class DealersFavourSchema(Schema):
    """How far the dealer is favoured in a game, or over the club, with its 95% interval."""

    sometimes: tuple[str, ...] = ("game", "low", "high", "q")

    game = fields.String(allow_none=True)
    hands = fields.Integer()
    evenings = fields.Integer()
    favoured = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    found = fields.Boolean()


class DealerSchema(StatsSchema):
    """How far the dealer is favoured: over the club first, then by game."""

    rows = fields.List(fields.Nested(DealersFavourSchema))
