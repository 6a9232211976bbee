"""The answers of luck and review, as the API describes them."""

from __future__ import annotations

from marshmallow import Schema, fields


class ReviewBasisSchema(Schema):
    """The basis of the numbers.

    Events up to a position of the ledger, the editions of the rules, the bots, the review and all definitions.
    """

    position = fields.Integer()
    rules = fields.List(fields.String())
    bots = fields.String()
    review = fields.String()
    definitions = fields.List(fields.String())


class DecisionSchema(Schema):
    """A free choice: the choice made at event `seq`, the best one, and the points given up (± `error`).

    `cost` is an unbiased estimate and may be below 0; `bad` means that the loss is more than chance.
    `sentence` says all of it.
    """

    seq = fields.Integer()
    seat = fields.Integer()
    type = fields.String()
    made = fields.String()
    best = fields.String()
    options = fields.Integer()
    cost = fields.Float()
    error = fields.Float()
    bad = fields.Boolean()
    sentence = fields.String()


class DrawnSchema(Schema):
    """Cards drawn from the stock, and the points they added to the hand, compared with the mean over the stock."""

    seq = fields.Integer()
    seat = fields.Integer()
    cards = fields.List(fields.String())
    luck = fields.Float()


class ReviewedHandSchema(Schema):
    """A hand: `cost`, `luck` and `draw_luck` by seat beside the `scores`; null if not computed.

    `luck` is the worth of the deal and its stock above the average, in points; `left_out` says why a hand is not
    reviewed.
    """

    hand = fields.Integer()
    first_seq = fields.Integer()
    scores = fields.List(fields.Integer(), allow_none=True)
    left_out = fields.String(allow_none=True)
    pending = fields.Boolean()
    deal = fields.String(allow_none=True)
    luck = fields.List(fields.Float(), allow_none=True)
    draw_luck = fields.List(fields.Float(), allow_none=True)
    draws = fields.List(fields.Nested(DrawnSchema), allow_none=True)
    cost = fields.List(fields.Float(), allow_none=True)
    decisions = fields.List(fields.Nested(DecisionSchema), allow_none=True)


class MatchReviewSchema(Schema):
    """The review of a match; `pending` hands are not computed yet: ask again later."""

    match = fields.String()
    players = fields.List(fields.String())
    hands = fields.List(fields.Nested(ReviewedHandSchema))
    pending = fields.Integer()
    left_out = fields.Dict(keys=fields.String(), values=fields.Integer())
    basis = fields.Nested(ReviewBasisSchema)


class LuckySchema(Schema):
    """Points a hand of a player with 95% intervals, as scored and adjusted; `luck` is the worth of the deals."""

    player = fields.String()
    hands = fields.Integer()
    matches = fields.Integer()
    points = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    adjusted = fields.Float()
    adjusted_low = fields.Float(allow_none=True)
    adjusted_high = fields.Float(allow_none=True)
    luck = fields.Float()


class ReductionSchema(Schema):
    """The effect of the adjustment at tables of one size.

    The share of variance it explains, and how much narrower intervals become.
    """

    seats = fields.Integer()
    hands = fields.Integer()
    beta = fields.Float()
    explained = fields.Float()
    factor = fields.Float()


class DealingSchema(Schema):
    """A test of the recorded deals against random ones: the chance of a result at least as extreme."""

    game = fields.String()
    seats = fields.Integer()
    test = fields.String()
    deals = fields.Integer()
    chance = fields.Float()


class PlayerReviewSchema(Schema):
    """The points a hand that a player gave up, beside the points scored.

    `bad` of the `decisions` were clear mistakes.
    """

    player = fields.String()
    hands = fields.Integer()
    matches = fields.Integer()
    points = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    cost = fields.Float()
    cost_low = fields.Float(allow_none=True)
    cost_high = fields.Float(allow_none=True)
    decisions = fields.Integer()
    bad = fields.Integer()
    bad_low = fields.Float()
    bad_high = fields.Float()


class LuckSchema(Schema):
    """Luck in a game and the cost of its players' choices, over the computed hands.

    The others are `pending` or `left_out`.
    """

    game = fields.String()
    hands = fields.Integer()
    pending = fields.Integer()
    left_out = fields.Dict(keys=fields.String(), values=fields.Integer())
    players = fields.List(fields.Nested(LuckySchema))
    reduction = fields.List(fields.Nested(ReductionSchema))
    dealing = fields.List(fields.Nested(DealingSchema))
    notes = fields.List(fields.String())
    reviews = fields.List(fields.Nested(PlayerReviewSchema))
    reviews_pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)


class DecisionCostSchema(Schema):
    """What some decisions cost: points by decision with a 95% interval, and points a hand."""

    decisions = fields.Integer()
    bad = fields.Integer()
    cost = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    a_hand = fields.Float()


class SituationRowSchema(DecisionCostSchema):
    """What a player's decisions cost in one situation."""

    value = fields.String()


class SituationSchema(Schema):
    """A situation, and a row for each of its values."""

    id = fields.String()
    title = fields.String()
    rows = fields.List(fields.Nested(SituationRowSchema))


class ExampleSchema(Schema):
    """A costly decision to replay: event `seq` of a match."""

    match = fields.String()
    hand = fields.Integer()
    seq = fields.Integer()
    made = fields.String()
    best = fields.String()
    cost = fields.Float()


class HabitSchema(DecisionCostSchema):
    """A kind of decision, at a place in the trick, that costs more than it costs the others.

    The costliest examples first.

    `others` is what it costs the others at the same tables. `q` is the p-value of no difference, corrected for all
    kinds of decisions of all players.
    """

    choice = fields.String()
    place = fields.String(allow_none=True)
    others = fields.Float()
    q = fields.Float()
    examples = fields.List(fields.Nested(ExampleSchema))


class AccuracySchema(Schema):
    """How carefully a player decides: 100 is the careful bot of the reviews, 0 any legal choice.

    90 means that decisions cost as much as those of the careful bot if it takes any legal choice in 10 of 100.
    """

    value = fields.Float()
    low = fields.Float()
    high = fields.Float()
    decisions = fields.Integer()
    matches = fields.Integer()


class DecisionSplitSchema(DecisionCostSchema):
    """What a player's decisions cost in one situation, or in two at once; the costliest examples first."""

    values = fields.List(fields.String())
    examples = fields.List(fields.Nested(ExampleSchema))


class CostlyDecisionSchema(DecisionSchema):
    """A decision whose cost is beyond doubt, in a hand of a match."""

    match = fields.String()
    hand = fields.Integer()


class HabitsSchema(Schema):
    """The cost of a player's decisions by situation, over the reviewed hands.

    `pending` hands of the game are not reviewed yet.

    `split` has the decisions of the situations `where`, split `by` one or two; it is empty without these. `accuracy` is
    null for a game without a scale, and after too few matches.
    """

    player = fields.String()
    game = fields.String()
    hands = fields.Integer()
    careful_mistakes = fields.Float(allow_none=True)
    accuracy = fields.Nested(AccuracySchema, allow_none=True)
    situations = fields.List(fields.Nested(SituationSchema))
    split = fields.List(fields.Nested(DecisionSplitSchema))
    habits = fields.List(fields.Nested(HabitSchema))
    costliest = fields.List(fields.Nested(CostlyDecisionSchema))
    pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)


class SightSchema(Schema):
    """A hand worth seeing: its kind, its first event, and the points (for rules: hands) that make it so."""

    kind = fields.String()
    match = fields.String()
    hand = fields.Integer()
    game = fields.String()
    amount = fields.Float()
    seq = fields.Integer()
    detail = fields.String(allow_none=True)


class SightsSchema(Schema):
    """Hands worth seeing; `pending` hands are not reviewed yet."""

    sights = fields.List(fields.Nested(SightSchema))
    pending = fields.Integer()
    basis = fields.Nested(ReviewBasisSchema)
