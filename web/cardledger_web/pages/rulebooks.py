"""Pages of games: every rule with its anchor, so that rulings can link to it, and with the number of its decisions."""

from __future__ import annotations

from flask import abort, render_template

from cardledger.record.readmodels.questions.violation_list import rule_counts
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages


@pages.get("/games")
def game_list() -> str:
    return render_template("games.html", games=games().values())


@pages.get("/games/<id>")
def rulebook(id: str) -> str:
    ledger = current_ledger()
    game = games().get(id) or abort(404)
    counts = rule_counts(ledger, id, under_way=sees_all())
    return render_template("game.html", game=game, common=COMMON, counts=counts)
