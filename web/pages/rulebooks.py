"""Pages of games: every rule under an anchor of its own, so that any ruling can link to it, and what it has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template

from api.secrecy import sees_all
from ledger.games import games
from ledger.readmodels.violationlist import rule_counts
from ledger.rulebook import COMMON

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of games."""

    @pages.get("/games")
    def game_list() -> str:
        return render_template("games.html", games=games().values())

    @pages.get("/games/<id>")
    def rulebook(id: str) -> str:
        found = games().get(id) or abort(404)
        counts = rule_counts(ledger, id, under_way=sees_all())
        return render_template("game.html", game=found, common=COMMON, counts=counts)
