"""The resource of statistics: measures, players compared, one player, ratings; as JSON or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, request

from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.definitions import definitions, measures
from cardledger.study.stats.export import as_csv, as_json
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.partner_calls import partner_calls
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.operations import JSON
from cardledger_api.resources.decision_answers import AfterBadHandsSchema, DecisionsSchema
from cardledger_api.resources.forecast_answers import DealerSchema, ForecastsSchema, PartnerCallsSchema
from cardledger_api.resources.head_to_head_answers import HeadToHeadSchema
from cardledger_api.resources.stats_answers import (
    CardsSchema,
    CompanySchema,
    DefinitionsSchema,
    MeasuresSchema,
    PairsSchema,
    PartnershipsSchema,
    PlayersSchema,
    PlayerStatsSchema,
    RatingsSchema,
    StrengthChangesSchema,
)
from cardledger_api.resources.stats_queries import (
    AfterBadHandQuery,
    CardsQuery,
    ChangeQuery,
    DecisionCostsQuery,
    MeasuresQuery,
    PairsQuery,
    PartnerCallsQuery,
    PlayersQuery,
    PlayerStatsQuery,
    RatingsQuery,
    SelectionQuery,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cardledger.study.stats import StatsTable

CSV = "text/csv"
_MEDIA = (JSON, CSV)


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
    """List the measures, each with its formula in words and its edition."""
    return _given(measures(query["game"]))


@operations.add(
    "GET",
    "/stats/definitions",
    query=MeasuresQuery,
    answer=DefinitionsSchema,
    media=_MEDIA,
    example={"query": {"game": "whist"}},
)
def list_of_definitions(query: dict[str, Any]) -> dict[str, Any] | Response:
    """List every edition of measures and estimators, and what changed."""
    return _given(definitions(query["game"]))


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
    query=CardsQuery,
    answer=CardsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "hearts", "how": "won"}},
)
def worth_of_cards(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show what each card of a game is worth to the player to whom it came; with a player, beside all others.

    Only hands whose deal everybody may see count. Players choose when to lead or to play a card, so its worth is no
    advice to do so more often.
    """
    statistics = Statistics.of(current_ledger().views)
    game, chosen, how, player = query["game"], _selection(query), query["how"], query["player"]
    return recent(game, ("cards", chosen, how, player), lambda: statistics.cards(game, chosen, how, player))


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
    return _given(accountant.decisions(current_ledger(), query["game"], _selection(query), query["of"], patience=None))


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
    return _given(
        accountant.after_bad_hand(current_ledger(), query["game"], _selection(query), query["bad"], patience=None)
    )


@operations.add(
    "GET",
    "/stats/partner-calls",
    query=PartnerCallsQuery,
    answer=PartnerCallsSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "spades"}},
)
def worth_of_partners_calls(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show what each call of a partner was worth in points: those of the hands less what such hands expect."""
    views = current_ledger().views
    sheet = Statistics.of(views).sheets.sheet(query["game"])
    return _given(partner_calls(views, sheet, _selection(query), query["of"]))


@operations.add(
    "GET",
    "/stats/dealer",
    query=MeasuresQuery,
    answer=DealerSchema,
    media=_MEDIA,
    heavy=True,
    example={"query": {"game": "ruff"}},
)
def favour_of_the_dealer(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Show whether the dealer is favoured, by game; without a game over the club too."""
    return _given(dealers_favour(Statistics.of(current_ledger().views), query["game"]))


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
