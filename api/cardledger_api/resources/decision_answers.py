"""The answers of statistics on decisions and on what follows a bad hand, as schemas."""

from __future__ import annotations

from marshmallow import Schema, fields

from cardledger_api.resources.stats_answers import StatsSchema


class KindCostSchema(Schema):
    """What a kind of decision costs over all players, in points of the hand by decision, with its 95% interval."""

    sometimes: tuple[str, ...] = ("low", "high", "careful", "match", "hand", "seq")

    kind = fields.String()
    decisions = fields.Integer()
    evenings = fields.Integer()
    cost = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    a_hand = fields.Float()
    bad = fields.Integer()
    careful = fields.Float(allow_none=True)
    match = fields.String(allow_none=True)
    hand = fields.Integer(allow_none=True)
    seq = fields.Integer(allow_none=True)


class DecisionsSchema(StatsSchema):
    """What the decisions of a game cost by kind, the costliest kind over all hands first."""

    rows = fields.List(fields.Nested(KindCostSchema))


class AfterBadHandSchema(Schema):
    """How much worse a player does in the hand after a bad one, in points a hand, with its 95% interval."""

    sometimes: tuple[str, ...] = ("low", "high", "q")

    player = fields.String(allow_none=True)
    measure = fields.String()
    bad = fields.Integer()
    evenings = fields.Integer()
    effect = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    found = fields.Boolean()


class AfterBadHandsSchema(StatsSchema):
    """How much worse players do in the hand after a bad one: all together first, then what is beyond chance."""

    rows = fields.List(fields.Nested(AfterBadHandSchema))
