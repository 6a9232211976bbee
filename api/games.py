"""The resource of games: their rulebooks and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api.schemas import GameListSchema
from ledger.games import games
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from flask import Blueprint

_LIST = GameListSchema()


def add_routes(api: Blueprint) -> None:
    """Add the routes of games."""

    @api.get("/games")
    def list_games() -> dict[str, Any]:
        answer: dict[str, Any] = _LIST.dump({"games": games().values(), "common_rules": COMMON})
        return answer
