"""The resource of results of games without rules: who was ahead of how many, with intervals, and whom a player met."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cardledger.study.stats.table_results import table_results
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.schemas import Day


class TableResultQuery(Schema):
    """The game, and which evenings; `player` says for whom to tell the others met."""

    other_game = fields.String(
        required=True, metadata={"description": "name of a game without rules; capitals and accents do not matter"}
    )
    club = fields.String(load_default=None, metadata={"description": "id of the club"})
    since = Day(load_default=None)
    until = Day(load_default=None)
    player = fields.String(load_default=None, metadata={"description": "any id of a player, whose opponents are shown"})


class PlayerResultSchema(Schema):
    """A player's tables at the game. An evening is one observation, and the verdict is corrected for all players."""

    player = fields.String()
    evenings = fields.Integer()
    tables = fields.Integer()
    first = fields.Integer()
    ahead = fields.Float()
    low = fields.Float(allow_none=True)
    high = fields.Float(allow_none=True)
    points = fields.Float(allow_none=True)
    verdict = fields.String(allow_none=True, metadata={"enum": ["better", "worse", None]})


class MetAtTablesSchema(Schema):
    """How the player did at tables with another one."""

    other = fields.String()
    ahead = fields.Integer()
    level = fields.Integer()
    behind = fields.Integer()
    partners = fields.Integer()


class TableResultsSchema(Schema):
    """The players of a game without rules, the surest to be ahead first; and whom the player met, most often first."""

    evenings = fields.Integer()
    tables = fields.Integer()
    players = fields.List(fields.Nested(PlayerResultSchema))
    met = fields.List(fields.Nested(MetAtTablesSchema))


@operations.add(
    "GET",
    "/sessions/results",
    query=TableResultQuery,
    answer=TableResultsSchema,
    heavy=True,
    example={"query": {"other_game": "Canasta"}},
)
def results_of_tables(query: dict[str, Any]) -> dict[str, Any]:
    """Compare the players of a game without rules by their places at the tables, with intervals.

    At each table a player is ahead of a share of the others; 0.5 is chance, whatever the points and the number of
    players. Results that come from matches are left out.
    """
    return table_results(current_ledger(), **query).as_json()
