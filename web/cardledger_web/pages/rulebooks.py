"""Pages of games: every rule with its anchor, so that rulings can link to it, and with the number of its decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template

from cardledger.record.readmodels.questions.violation_list import rule_counts
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games
from cardledger_api.auth.visible import sees_all

if TYPE_CHECKING:
    from flask import Blueprint

    from cardledger.record.recording.ledger import Ledger


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of games."""

    @pages.get("/games")
    def game_list() -> str:
        return render_template("games.html", games=games().values())

    @pages.get("/games/<id>")
    def rulebook(id: str) -> str:
        game = games().get(id) or abort(404)
        counts = rule_counts(ledger, id, under_way=sees_all())
        return render_template("game.html", game=game, common=COMMON, counts=counts)
