"""Pages of games: every rule under an anchor of its own, so that any ruling can link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template

from ledger.games import games
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from flask import Blueprint


def add_routes(pages: Blueprint) -> None:
    """Add the pages of games."""

    @pages.get("/games")
    def game_list() -> str:
        return render_template("games.html", games=games().values())

    @pages.get("/games/<id>")
    def rulebook(id: str) -> str:
        found = games().get(id) or abort(404)
        return render_template("game.html", game=found, common=COMMON)
