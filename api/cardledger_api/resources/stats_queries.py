"""The queries of statistics, as schemas: filters, splits, and what is asked of a game."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.rules.games import games
from cardledger.study.stats import DIMENSIONS
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.partner_calls import GROUPINGS
from cardledger.study.stats.query import SCALES
from cardledger.study.stats.review.bad_hands import BAD
from cardledger.study.stats.review.decision_costs import SPLITS as KINDS_OF
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.http.schemas import Day
from cardledger_api.resources.hands import HOW, SPLITS, WHERE

_MEASURES = sorted({measure.id for id in games() for measure in measures_of(id)})
_DIMENSIONS = [*DIMENSIONS, *(name for name in SPLITS if name not in DIMENSIONS)]
_ONE_OR_TWO = rf"^(?:{'|'.join(_DIMENSIONS)})(?:,(?:{'|'.join(_DIMENSIONS)}))?$"


class FilterQuery(Schema):
    """Filters for the hands of statistics; all given ones must hold."""

    since = Day(load_default=None)
    until = Day(load_default=None)
    event = fields.String(load_default=None)
    against = fields.String(
        load_default=None,
        metadata={"description": "players who all sat at other seats, separated by commas (a comma in a name: %2C)"},
    )
    seat = Whole(load_default=None, validate=between(0, 99), metadata={"description": "seat, from 0"})
    turn = Whole(
        load_default=None,
        validate=between(0, 99),
        metadata={"description": "place from the dealer, 1 for left of the dealer"},
    )
    size = Whole(load_default=None, validate=between(0, 99), metadata={"description": "number of players"})
    option = fields.String(
        load_default=None,
        validate=validate.Regexp("^[^:,]+:[^,]*(,[^:,]+:[^,]*)*$", error="write NAME:VALUE, separated by commas"),
        metadata={"description": "options of the match as NAME:VALUE, separated by commas"},
    )
    policy = fields.String(load_default=None, validate=validate.OneOf(("strict", "record")))
    scale = fields.String(
        load_default=None,
        validate=validate.OneOf([*SCALES]),
        metadata={"description": "scale of strength: points, or against the other tables with the same cards"},
    )
    where = WHERE


class SelectionQuery(FilterQuery):
    """Filters for the hands of statistics, which must all hold, and how to split them."""

    by = fields.String(
        load_default=None,
        validate=validate.Regexp(_ONE_OR_TWO, error="choose one or two, separated by a comma"),
        metadata={"description": f"split by one or two of these, separated by a comma: {', '.join(_DIMENSIONS)}"},
    )


class MeasuresQuery(Schema):
    """The game; without it, every game."""

    game = GameId(load_default=None)


class PlayersQuery(SelectionQuery):
    """The game and the measure; without a measure, points a hand with the full comparison."""

    game = GameId(required=True)
    measure = fields.String(
        load_default=None,
        validate=validate.OneOf(_MEASURES),
        metadata={"description": "id of a measure of the game"},
    )


class PlayerStatsQuery(SelectionQuery):
    """The game; without it, every game of the player."""

    game = GameId(load_default=None)


class RatingsQuery(Schema):
    """The game, and the player whose rating to show match by match."""

    game = GameId(required=True)
    player = fields.String(load_default=None)


class ChangeQuery(FilterQuery):
    """The game; without it, every game that the player played often enough."""

    game = GameId(load_default=None)


class PairsQuery(FilterQuery):
    """The game."""

    game = GameId(required=True)


class CardsQuery(PairsQuery):
    """The game, how cards came to players, and the player who is compared with all others."""

    how = fields.String(load_default="dealt", validate=validate.OneOf([*WAYS]), metadata={"description": HOW})
    player = fields.String(load_default=None, metadata={"description": "id of the player; without it, all players"})


class DecisionCostsQuery(PairsQuery):
    """The game, and which decisions: all by kind, or opening leads by the card led."""

    of = fields.String(
        load_default="all",
        validate=validate.OneOf([*KINDS_OF]),
        metadata={"description": "all decisions by their kind, or opening leads by the card led"},
    )


class AfterBadHandQuery(PairsQuery):
    """The game, and by what a hand is bad."""

    bad = fields.String(
        load_default="play",
        validate=validate.OneOf([*BAD]),
        metadata={"description": f"by what a hand is bad: {', '.join(f'{one} ({BAD[one][1]})' for one in BAD)}"},
    )


class PartnerCallsQuery(PairsQuery):
    """The game, and how calls are grouped."""

    of = fields.String(
        load_default="kinds",
        validate=validate.OneOf(GROUPINGS),
        metadata={"description": "kinds (bids of one height in a suit as one) or calls (each alone)"},
    )
