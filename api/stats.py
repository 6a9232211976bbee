"""The resource of statistics: measures, players compared, one player, ratings; as JSON or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, request
from marshmallow import Schema, fields, validate

from api.fields import GameId, Whole
from api.operations import JSON
from api.schemas import Day
from ledger.games import games
from ledger.stats import DIMENSIONS, Query, Statistics
from ledger.stats.export import as_csv, as_json
from ledger.stats.sheet import names_of
from ledger.stats.tables import measures_of

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger
    from ledger.stats import Table

CSV = "text/csv"
_MEDIA = (JSON, CSV)
_GROUP = {"type": ["string", "integer"]}
_MEASURES = sorted({measure.id for id in games() for measure in measures_of(id)})
_DIMENSIONS = [*DIMENSIONS, *sorted({name for id in games() for name in names_of(id)[2:]})]


class SelectionQuery(Schema):
    """Which hands statistics are of, all that is said holding, and what they are split by."""

    since = Day(load_default=None)
    until = Day(load_default=None)
    event = fields.String(load_default=None)
    against = fields.String(
        load_default=None,
        metadata={"description": "players who all sat at other seats, commas between them (a comma in a name: %2C)"},
    )
    seat = Whole(load_default=None, validate=validate.Range(0, 99), metadata={"description": "seat, from 0"})
    turn = Whole(
        load_default=None,
        validate=validate.Range(0, 99),
        metadata={"description": "place from the dealer, 1 for left of the dealer"},
    )
    size = Whole(load_default=None, validate=validate.Range(0, 99), metadata={"description": "number of players"})
    option = fields.String(
        load_default=None,
        validate=validate.Regexp("^[^:,]+:[^,]*(,[^:,]+:[^,]*)*$", error="not NAME:VALUE with commas between"),
        metadata={"description": "options of the match as NAME:VALUE, commas between them"},
    )
    policy = fields.String(load_default=None, validate=validate.OneOf(("strict", "record")))
    by = fields.String(
        load_default=None,
        validate=validate.OneOf(_DIMENSIONS),
        metadata={"description": "what to split by: a dimension, or a count that the game has"},
    )


class MeasuresQuery(Schema):
    """Of which game; without, of every one."""

    game = GameId(load_default=None)


class PlayersQuery(SelectionQuery):
    """Of which game, and by which measure; without, by points a hand with all that the comparison says."""

    game = GameId(required=True)
    measure = fields.String(
        load_default=None,
        validate=validate.OneOf(_MEASURES),
        metadata={"description": "id of a measure that the game has"},
    )


class PlayerStatsQuery(SelectionQuery):
    """Of which game; without, of every one that the player played."""

    game = GameId(load_default=None)


class RatingsQuery(Schema):
    """Of which game, and of which player how the rating came about."""

    game = GameId(required=True)
    player = fields.String(load_default=None)


class BasisSchema(Schema):
    """What numbers were computed from: events up to `position`, the editions of the rules, hands counted and left out.

    `score_only` hands are known by their points alone, `hidden` ones have a deal that nobody recorded; left out are
    hands `under_way` in open matches and `abandoned` ones.
    """

    position = fields.Integer()
    rules = fields.List(fields.String())
    matches = fields.Integer()
    hands = fields.Integer()
    score_only = fields.Integer()
    hidden = fields.Integer()
    under_way = fields.Integer()
    abandoned = fields.Integer()


class StatsSchema(Schema):
    """An answer: the query as asked, what was computed from what, by game, and remarks to go with the numbers."""

    name = fields.String()
    query = fields.String()
    by = fields.String(allow_none=True)
    basis = fields.Dict(keys=fields.String(), values=fields.Nested(BasisSchema))
    notes = fields.List(fields.String())


class MeasureSchema(Schema):
    """A measure; `game` is null for one of all games, `better` is more, fewer or neither (empty)."""

    game = fields.String(allow_none=True)
    measure = fields.String()
    title = fields.String()
    formula = fields.String()
    better = fields.String()
    kind = fields.String(metadata={"description": "mean, share or rate: it decides the interval"})
    source = fields.String(metadata={"description": "rule or record it rests on"})


class MeasuresSchema(StatsSchema):
    """The measures."""

    rows = fields.List(fields.Nested(MeasureSchema))


class ComparedSchema(Schema):
    """A player of a game. Without `measure` and `by`, points a hand and the comparison; with them, value and group.

    `low` and `high` are the ends of the 95% interval. `adjusted` has the opponents taken into account, `error` is its
    standard error; `believed` is that shrunk towards the field; `best` the probability of being the best; `q` the
    p-value against the field, corrected for many comparisons, and `verdict` better or worse where it is below 0.05.
    Who has too few hands has no rank, and `note` says so.
    """

    rank = fields.Integer(allow_none=True)
    rank_low = fields.Integer(allow_none=True)
    rank_high = fields.Integer(allow_none=True)
    player = fields.String()
    group = fields.Raw(allow_none=True, metadata=_GROUP)
    hands = fields.Integer()
    matches = fields.Integer()
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
    wins = fields.Float(allow_none=True)
    rating = fields.Float(allow_none=True)
    note = fields.String()


class PlayersSchema(StatsSchema):
    """Players of a game, the best first."""

    rows = fields.List(fields.Nested(ComparedSchema))


class ValueSchema(Schema):
    """A measure of a player, beside that of all others in the same matches' selection."""

    game = fields.String()
    group = fields.Raw(allow_none=True, metadata=_GROUP)
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


class PlayerStatsSchema(StatsSchema):
    """The measures of a player, game by game."""

    rows = fields.List(fields.Nested(ValueSchema))


class RatingSchema(Schema):
    """A rating: of a player as of now (rank, played), or after a match (number, match, seat, place).

    `rating` is mu − 3 sigma; everybody starts at 0, with mu 25 and sigma 25/3.
    """

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
    """The ratings of a game, or how that of a player came about."""

    rows = fields.List(fields.Nested(RatingSchema))


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on statistics."""
    found = Statistics.of(ledger.views)

    @operations.add(
        "GET",
        "/stats/measures",
        query=MeasuresQuery,
        answer=MeasuresSchema,
        media=_MEDIA,
        example={"query": {"game": "diamonds-bid"}},
    )
    def list_of_measures(query: dict[str, Any]) -> dict[str, Any] | Response:
        """List the measures, each with its formula in words."""
        return _given(found.measures(query["game"]))

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

        Hands that are not over do not count. Nobody is ranked with too few hands.
        """
        return _given(found.players(query["game"], _selection(query), query["measure"]))

    @operations.add(
        "GET",
        "/players/<text:player>/stats",
        query=PlayerStatsQuery,
        answer=PlayerStatsSchema,
        media=_MEDIA,
        example={"path": {"player": "PLAYER"}, "query": {"by": "month"}},
    )
    def stats_of_player(player: str, query: dict[str, Any]) -> dict[str, Any] | Response:
        """Tell every measure of a player, game by game, beside that of the others."""
        return _given(found.player(player, _selection(query), query["game"]))

    @operations.add(
        "GET",
        "/stats/ratings",
        query=RatingsQuery,
        answer=RatingsSchema,
        media=_MEDIA,
        example={"query": {"game": "ruff"}},
    )
    def list_of_ratings(query: dict[str, Any]) -> dict[str, Any] | Response:
        """List the ratings of a game (Weng and Lin's Plackett-Luce), or how a player's came about.

        They follow from the complete matches in the order of their days, then of their recording.
        """
        return _given(found.ratings(query["game"], query["player"]))


def _selection(query: dict[str, Any]) -> Query:
    """Return the query that arguments stand for."""
    names = SelectionQuery().fields
    return Query.parse({name: str(query[name]) for name in names if query[name] is not None})


def _given(table: Table) -> dict[str, Any] | Response:
    """Return a table in the form that is asked for."""
    if request.accept_mimetypes.best_match(_MEDIA) == CSV:
        headers = {"Content-Disposition": f'attachment; filename="{table.name}.csv"', "Vary": "Accept"}
        return Response(as_csv(table), headers=headers, content_type=f"{CSV}; charset=utf-8")
    return as_json(table)
