"""The resource of games: their rulebooks and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api.schemas import GameListSchema
from ledger.games import games
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from api.operations import Operations


def add_operations(operations: Operations) -> None:
    """Declare the operations on games."""

    @operations.add("GET", "/games", answer=GameListSchema)
    def list_of_games() -> dict[str, Any]:
        """List the games with their options and rulebooks, and the rules they share."""
        return {"games": games().values(), "common_rules": COMMON}
