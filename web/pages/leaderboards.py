"""The leaderboard of a game, at tables of one size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template, request

from ledger.games import games
from ledger.readmodels.leaderboards import MIN_HANDS, leaderboard, table_sizes

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_SHOWN = 100


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the leaderboards."""

    @pages.get("/games/<id>/leaders")
    def leaderboard_of(id: str) -> str:
        game = games().get(id) or abort(404)
        sizes = table_sizes(ledger).get(id, [])
        chosen = request.args.get("seats", default=sizes[0] if sizes else game.players[0], type=int)
        board = leaderboard(ledger, game, chosen if chosen in game.players else game.players[0], _SHOWN)
        return render_template("leaders.html", game=game, sizes=sorted(sizes), board=board, least=MIN_HANDS)
