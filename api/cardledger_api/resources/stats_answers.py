"""What statistics answer: measures, comparisons of players, changes, ratings, head to head, each with its basis."""

from __future__ import annotations

from marshmallow import Schema, fields

_GROUP = {"type": ["string", "integer"]}


class BasisSchema(Schema):
    """The basis of the numbers: events up to `position`, the editions of the rules, hands counted and left out.

    From the points of `valued` hands the luck of the deal is taken off in the comparison of players. `score_only` hands
    have only their points recorded. Of `held` hands only the points count until other tables have played their cards.
    The deal of `hidden` hands was not recorded. Hands `under_way` in open matches and `abandoned` hands are left out.
    What goes by days also leaves out `undated` hands, those of an unknown day.
    """

    position = fields.Integer()
    rules = fields.List(fields.String())
    matches = fields.Integer()
    hands = fields.Integer()
    valued = fields.Integer()
    score_only = fields.Integer()
    held = fields.Integer()
    hidden = fields.Integer()
    under_way = fields.Integer()
    abandoned = fields.Integer()
    undated = fields.Integer()


class StatsSchema(Schema):
    """An answer: the query, the basis of the numbers for each game, the editions of their definitions, and notes on them."""

    name = fields.String()
    query = fields.String()
    by = fields.String(allow_none=True)
    basis = fields.Dict(keys=fields.String(), values=fields.Nested(BasisSchema))
    definitions = fields.List(fields.String())
    notes = fields.List(fields.String())


class MeasureSchema(Schema):
    """A measure. `game` is null for a measure of all games; `better` is more, fewer or neither (empty)."""

    game = fields.String(allow_none=True)
    measure = fields.String()
    title = fields.String()
    formula = fields.String()
    better = fields.String()
    kind = fields.String(metadata={"description": "mean, share, rate or count; this decides the interval"})
    source = fields.String(metadata={"description": "rule or record that it is computed from"})
    edition = fields.String()


class MeasuresSchema(StatsSchema):
    """The measures."""

    rows = fields.List(fields.Nested(MeasureSchema))


class DefinitionSchema(Schema):
    """An edition of a measure or an estimator; `game` is null for those of all games."""

    game = fields.String(allow_none=True)
    what = fields.String()
    id = fields.String()
    title = fields.String()
    formula = fields.String()
    edition = fields.String()
    since = fields.String()
    changed = fields.String()


class DefinitionsSchema(StatsSchema):
    """The editions of measures and estimators, the newest of each first."""

    rows = fields.List(fields.Nested(DefinitionSchema))


class ComparedSchema(Schema):
    """A player of a game. Without `measure` and `by`, points a hand and the comparison; with them, value and group.

    `low` and `high` are the ends of the 95% interval. Players are compared inside a `pool`: all who met often enough,
    directly or through others. `adjusted` is the difference from the average of the pool, with opponents taken into
    account and the luck of the deal taken off where it is known, and `error` its standard error. `believed` is that
    value shrunk towards the average when there are few hands; `best` is the probability of being the best of the pool;
    `q` is the p-value against the pool, corrected for many comparisons; `verdict` is better or worse if it is below
    0.04. With 95% probability the place is from `rank_low` to `rank_high` among `ranked` players; `rank`, the place in
    the order of `believed`, is null unless that interval spans at most half of them. A player without a place has a
    `note`. A `partner` from whom the player never parted has the same figures, and both share a place. The matches of
    an event on one day are one of the `evenings`, and one observation. After `more_hands` more hands the 95% interval
    of `adjusted` reaches half as far as the player now is from the average, if results go on to vary as they do.
    """

    sometimes: tuple[str, ...] = (
        "rank", "rank_low", "rank_high", "ranked", "partner", "pool", "group", "second", "hands", "evenings", "points",
        "value", "cases",
        "adjusted", "error", "believed", "believed_low", "believed_high", "best", "q", "verdict", "more_hands", "wins", "rating",
        "note",
    )  # fmt: skip

    rank = fields.Integer(allow_none=True)
    rank_low = fields.Integer(allow_none=True)
    rank_high = fields.Integer(allow_none=True)
    ranked = fields.Integer()
    player = fields.String()
    partner = fields.String()
    pool = fields.Integer(metadata={"description": "number of the pool; pool 1 has the most hands"})
    group = fields.Raw(allow_none=True, metadata=_GROUP)
    second = fields.Raw(allow_none=True, metadata=_GROUP)
    hands = fields.Integer()
    matches = fields.Integer()
    evenings = fields.Integer()
    points = fields.Float()
    value = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    cases = fields.Integer()
    adjusted = fields.Float(allow_none=True)
    error = fields.Float(allow_none=True)
    believed = fields.Float(allow_none=True)
    believed_low = fields.Float(allow_none=True)
    believed_high = fields.Float(allow_none=True)
    best = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    verdict = fields.String(allow_none=True)
    more_hands = fields.Integer(allow_none=True)
    wins = fields.Float(allow_none=True)
    rating = fields.Float(allow_none=True)
    note = fields.String()


class PoolSchema(Schema):
    """Players who are compared with each other. Players of different `league`s never met, not even through others."""

    number = fields.Integer()
    league = fields.Integer()
    players = fields.List(fields.String())
    matches = fields.Integer()
    hands = fields.Integer()
    mean = fields.Float(metadata={"description": "mean points a hand"})


class BetweenSchema(Schema):
    """The points a hand by which pool `other` leads `pool`, from `matches` with players of both; null: unknown."""

    pool = fields.Integer()
    other = fields.Integer()
    matches = fields.Integer()
    difference = fields.Float(allow_none=True)
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)


class PlayersSchema(StatsSchema):
    """Players of a game, pool by pool, the best first; `pools` and `between` are given with a comparison."""

    sometimes: tuple[str, ...] = ("pools", "between")

    rows = fields.List(fields.Nested(ComparedSchema))
    pools = fields.List(fields.Nested(PoolSchema))
    between = fields.List(fields.Nested(BetweenSchema))


class ValueSchema(Schema):
    """A measure of a player, beside that of all others in the selected matches."""

    sometimes: tuple[str, ...] = ("group", "second")

    game = fields.String()
    group = fields.Raw(allow_none=True, metadata=_GROUP)
    second = fields.Raw(allow_none=True, metadata=_GROUP)
    measure = fields.String()
    title = fields.String()
    value = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    cases = fields.Integer()
    matches = fields.Integer()
    others = fields.Float(allow_none=True)
    kind = fields.String()
    better = fields.String()
    edition = fields.String()


class PlayerStatsSchema(StatsSchema):
    """The measures of a player, game by game."""

    rows = fields.List(fields.Nested(ValueSchema))


class StrengthChangeSchema(Schema):
    """How strength changed in a game, in points a hand against average opponents, from the `first` day to the `last`.

    The matches of an evening are one result. `season` is the strength over all `evenings`, `now` that after the last
    one, `trend` the change in a year, each with its 95% interval. `chance` is the probability of such a large break by
    chance, corrected for all players and games looked at (null: too few evenings to test); `stayed` is false if
    strength changed.
    """

    game = fields.String()
    matches = fields.Integer()
    evenings = fields.Integer()
    first = fields.String()
    last = fields.String()
    season = fields.Float()
    season_low = fields.Float()
    season_high = fields.Float()
    now = fields.Float()
    now_low = fields.Float()
    now_high = fields.Float()
    trend = fields.Float(allow_none=True)
    trend_low = fields.Float(allow_none=True)
    trend_high = fields.Float(allow_none=True)
    chance = fields.Float(allow_none=True)
    stayed = fields.Boolean()


class StrengthChangesSchema(StatsSchema):
    """How the strength of a player changed, game by game."""

    rows = fields.List(fields.Nested(StrengthChangeSchema))


class WithWhomSchema(Schema):
    """What another player does to a player's points: `how` they met is `with` (as partners) or `against` each other.

    `effect` is how many more points a hand the player's side makes in their matches than the strengths of all at the
    table say, with its 95% interval. `q` is the p-value of no effect, corrected for all players of the answer;
    `verdict` is better or worse if it is below 0.04.
    """

    game = fields.String()
    how = fields.String(metadata={"enum": ["with", "against"]})
    player = fields.String()
    matches = fields.Integer()
    hands = fields.Integer()
    effect = fields.Float()
    low = fields.Float()
    high = fields.Float()
    q = fields.Float()
    verdict = fields.String()


class CompanySchema(StatsSchema):
    """What partners and opponents do to a player's points; players met in fewer than 8 matches are left out."""

    rows = fields.List(fields.Nested(WithWhomSchema))


class PartnershipSchema(Schema):
    """A partnership of a game, as it played: `pair` has the players, with ` + ` between.

    All points a hand are against the average pair of the `pool`, as those of players are against the average player.
    """

    sometimes: tuple[str, ...] = (
        "rank", "rank_low", "rank_high", "adjusted", "error", "believed", "low", "high", "best", "q",
    )  # fmt: skip

    rank = fields.Integer(allow_none=True)
    rank_low = fields.Integer(allow_none=True)
    rank_high = fields.Integer(allow_none=True)
    ranked = fields.Integer()
    pair = fields.String()
    pool = fields.Integer(metadata={"description": "number of the pool; pool 1 has the most hands"})
    hands = fields.Integer()
    matches = fields.Integer()
    evenings = fields.Integer()
    adjusted = fields.Float(allow_none=True)
    error = fields.Float(allow_none=True)
    believed = fields.Float(allow_none=True)
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    best = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    verdict = fields.String()
    note = fields.String()


class PartnershipsSchema(StatsSchema):
    """The partnerships of a game, the best first."""

    rows = fields.List(fields.Nested(PartnershipSchema))


class CardWorthSchema(Schema):
    """What a card is worth to the player to whom it came, in points a hand against the expectation of the same place.

    Without a player, `low` and `high` are the ends of the 95% interval of `worth`, and `pooled` leans on the cards of
    the same rank and suit. With a player, `worth` is the player's and `others` that of all others; `low` and `high` are
    those of their `difference`, and `believed` leans on that over all cards.
    """

    sometimes: tuple[str, ...] = (
        "worth", "low", "high", "pooled", "pooled_low", "pooled_high",
        "others_hands", "others", "difference", "believed", "believed_low", "believed_high", "q", "verdict",
    )  # fmt: skip

    card = fields.String()
    hands = fields.Integer()
    evenings = fields.Integer()
    worth = fields.Float(allow_none=True)
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    pooled = fields.Float(allow_none=True)
    pooled_low = fields.Float(allow_none=True)
    pooled_high = fields.Float(allow_none=True)
    others_hands = fields.Integer()
    others = fields.Float(allow_none=True)
    difference = fields.Float(allow_none=True)
    believed = fields.Float(allow_none=True)
    believed_low = fields.Float(allow_none=True)
    believed_high = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    verdict = fields.String()


class CardsSchema(StatsSchema):
    """What the cards of a game are worth, in the order of the pack."""

    rows = fields.List(fields.Nested(CardWorthSchema))


class PairSchema(Schema):
    """Two players who both do better when they meet than strengths and chance explain.

    `effect` in points a hand, with its 95% interval.

    `odd` and `even` are the effects in every second match. In a share `rate` of leagues without any agreement, chance
    makes some pair stand out as much.
    """

    first = fields.String()
    second = fields.String()
    matches = fields.Integer()
    hands = fields.Integer()
    effect = fields.Float()
    low = fields.Float()
    high = fields.Float()
    odd = fields.Float()
    even = fields.Float()
    rate = fields.Float()


class PairsSchema(StatsSchema):
    """Pairs that stand out."""

    rows = fields.List(fields.Nested(PairSchema))


class RatingSchema(Schema):
    """A rating: a player's current one (rank, played), or the one after a match (number, match, seat, place).

    `rating` is mu − 3 sigma; every player starts at 0, with mu 25 and sigma 25/3.
    """

    sometimes: tuple[str, ...] = ("rank", "player", "number", "match", "seat", "place", "played")

    rank = fields.Integer()
    player = fields.String()
    number = fields.Integer()
    match = fields.String()
    seat = fields.Integer()
    place = fields.Integer()
    rating = fields.Float()
    mu = fields.Float()
    sigma = fields.Float()
    played = fields.Integer()
    date = fields.String()


class RatingsSchema(StatsSchema):
    """The ratings of a game, or the history of one player's rating."""

    rows = fields.List(fields.Nested(RatingSchema))
