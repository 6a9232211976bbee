"""The resource of statistics: measures, players compared, one player, ratings; as JSON or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, request
from marshmallow import Schema, fields, validate

from cardledger.rules.games import games
from cardledger.study.stats import DIMENSIONS, Query, Statistics
from cardledger.study.stats.export import as_csv, as_json
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.query import SCALES
from cardledger.study.stats.review.bad_hands import BAD
from cardledger.study.stats.review.decision_costs import SPLITS as KINDS_OF
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.http.operations import JSON
from cardledger_api.http.schemas import Day
from cardledger_api.resources.decision_answers import AfterBadHandsSchema, DecisionsSchema
from cardledger_api.resources.forecast_answers import ForecastsSchema
from cardledger_api.resources.hands import SPLITS, WHERE
from cardledger_api.resources.stats_answers import (
    CardsSchema,
    CompanySchema,
    HeadToHeadSchema,
    MeasuresSchema,
    PairsSchema,
    PartnershipsSchema,
    PlayersSchema,
    PlayerStatsSchema,
    RatingsSchema,
    StrengthChangesSchema,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cardledger.study.stats import StatsTable

CSV = "text/csv"
_MEDIA = (JSON, CSV)
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


def recent(
    game: str | None, question: tuple[Hashable, ...], ask: Callable[[], StatsTable]
) -> dict[str, Any] | Response:
    """Answer a question on a game with the latest finished table, and have a newer one made."""
    statistics = Statistics.of(current_ledger().views)
    return _given(statistics.recent(game, question, ask))


@operations.add(
    "GET",
    "/stats/measures",
    query=MeasuresQuery,
    answer=MeasuresSchema,
    media=_MEDIA,
    example={"query": {"game": "whist"}},
)
def list_of_measures(query: dict[str, Any]) -> dict[str, Any] | Response:
    """List the measures, each with its formula in words."""
    statistics = Statistics.of(current_ledger().views)
    return _given(statistics.measures(query["game"]))


@operations.add(
    "GET",
    "/stats/players",
    query=PlayersQuery,
    answer=PlayersSchema,
    media=_MEDIA,
    example={"query": {"game": "diversity", "since": "2026-01-01"}},
)
def stats_of_players(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Compare the players of a game, the best first.

    Only finished hands count. Players who seldom met are in different pools, and places are within a pool.
    """
    statistics = Statistics.of(current_ledger().views)
    game, chosen, measure = query["game"], _selection(query), query["measure"]
    return recent(game, ("players", chosen, measure), lambda: statistics.players(game, chosen, measure))


@operations.add(
    "GET",
    "/players/<text:player>/stats",
    query=PlayerStatsQuery,
    answer=PlayerStatsSchema,
    media=_MEDIA,
    example={"path": {"player": "PLAYER"}, "query": {"by": "month"}},
)
def stats_of_player(player: str, query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show every measure of a player, game by game, beside that of the others."""
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("player", player, chosen), lambda: statistics.player(player, chosen, game))


@operations.add(
    "GET",
    "/players/<text:player>/change",
    query=ChangeQuery,
    answer=StrengthChangesSchema,
    media=_MEDIA,
    example={"path": {"player": "PLAYER"}, "query": {"since": "2026-01-01"}},
)
def change_of_player(player: str, query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show how a player's strength changed over time: over all matches, now, in a year, and whether it stayed the same."""
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("change", player, chosen), lambda: statistics.change(player, chosen, game))


@operations.add(
    "GET",
    "/players/<text:player>/company",
    query=ChangeQuery,
    answer=CompanySchema,
    media=_MEDIA,
    example={"path": {"player": "PLAYER"}, "query": {"game": "diversity"}},
)
def company_of_player(player: str, query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show how much better or worse a player does with each partner and against each opponent than strengths say."""
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("company", player, chosen), lambda: statistics.company(player, chosen, game))


@operations.add(
    "GET",
    "/stats/pairs",
    role="admin",
    query=PairsQuery,
    answer=PairsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "diversity"}},
)
def list_of_pairs(query: dict[str, Any]) -> dict[str, Any] | Response:
    """List pairs who both do better when they meet than strengths and chance explain; only for admins.

    `rate` is how often chance makes some pair of honest players stand out as much. Pairs who know each other's play
    look the same: this is no evidence of anybody's conduct.
    """
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("pairs", chosen), lambda: statistics.pairs(game, chosen))


@operations.add(
    "GET",
    "/stats/partnerships",
    query=PairsQuery,
    answer=PartnershipsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "whist"}},
)
def list_of_partnerships(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Rank the partnerships of a game, as they played; points are against the average pair."""
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("partnerships", chosen), lambda: statistics.partnerships(game, chosen))


@operations.add(
    "GET",
    "/stats/cards",
    query=PairsQuery,
    answer=CardsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "hearts"}},
)
def worth_of_cards(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show what each card of a game is worth to who is dealt it; only hands whose deal everybody may see count."""
    statistics = Statistics.of(current_ledger().views)
    game, chosen = query["game"], _selection(query)
    return recent(game, ("cards", chosen), lambda: statistics.cards(game, chosen))


@operations.add(
    "GET",
    "/stats/decisions",
    query=DecisionCostsQuery,
    answer=DecisionsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "ruff"}},
)
def cost_of_decisions(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show what each kind of decision in a game costs over all players; only hands count that were reviewed."""
    table = accountant.decisions(current_ledger(), query["game"], _selection(query), query["of"], patience=None)
    assert table is not None
    return _given(table)


@operations.add(
    "GET",
    "/stats/after-bad-hand",
    query=AfterBadHandQuery,
    answer=AfterBadHandsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "ruff"}},
)
def after_bad_hand(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show how much worse players do in the hand after a bad one; a return to the mean is no effect."""
    table = accountant.after_bad_hand(current_ledger(), query["game"], _selection(query), query["bad"], patience=None)
    assert table is not None
    return _given(table)


@operations.add(
    "GET",
    "/stats/forecasts",
    query=MeasuresQuery,
    answer=ForecastsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "ruff"}},
)
def score_of_forecasts(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show how good the forecasts by ratings were; each match was foretold by what was known before its day."""
    return _given(forecasts(Statistics.of(current_ledger().views), query["game"]))


@operations.add(
    "GET",
    "/players/<text:player>/head-to-head/<text:other>",
    answer=HeadToHeadSchema,
    media=_MEDIA,
    example={"path": {"player": "PLAYER", "other": "ben"}},
)
def head_to_head_of(player: str, other: str) -> dict[str, Any] | Response:
    """Show the results of two players against each other and as partners."""
    ledger = current_ledger()
    return _given(head_to_head(ledger, player, other))


@operations.add(
    "GET",
    "/stats/ratings",
    query=RatingsQuery,
    answer=RatingsSchema,
    media=_MEDIA,
    example={"query": {"game": "ruff"}},
)
def list_of_ratings(query: dict[str, Any]) -> dict[str, Any] | Response:
    """List the ratings of a game (Weng and Lin's Plackett-Luce), or the history of one player's rating.

    They are computed from the complete matches in the order of their days, then of recording.
    """
    statistics = Statistics.of(current_ledger().views)
    game, player = query["game"], query["player"]
    return recent(game, ("ratings", player), lambda: statistics.ratings(game, player))


def _selection(query: dict[str, Any]) -> Query:
    """Return the query of some arguments."""
    names = SelectionQuery().fields
    return Query.parse({name: str(query[name]) for name in names if query.get(name) is not None})


def _given(table: StatsTable) -> dict[str, Any] | Response:
    """Return a table in the requested form."""
    if request.accept_mimetypes.best_match(_MEDIA) == CSV:
        headers = {"Content-Disposition": f'attachment; filename="{table.name}.csv"', "Vary": "Accept"}
        return Response(as_csv(table), headers=headers, content_type=f"{CSV}; charset=utf-8")
    return as_json(table)
