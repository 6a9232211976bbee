"""The leaders of a game: the comparison's players in its order, at all tables or those of one size."""

from __future__ import annotations

from flask import abort, render_template, request

from cardledger.rules.games import games
from cardledger.study.stats import Query, Statistics
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages

_SHOWN = 100


@pages.get("/games/<id>/leaders")
def leaderboard_of(id: str) -> str:
    ledger = current_ledger()
    statistics = Statistics.of(current_ledger().views)
    game = games().get(id) or abort(404)
    size = request.args.get("seats", type=int)
    query = Query(size=size if size in game.sizes else None)
    rows = statistics.recent(id, ("players", query), lambda: statistics.players(id, query)).rows
    found = ledger.views.reader.execute("SELECT DISTINCT seats FROM standings WHERE game = ? ORDER BY seats", (id,))
    sizes = [seats for (seats,) in found]
    return render_template(
        "leaders.html", game=game, sizes=sizes, size=query.size, rows=rows[:_SHOWN], number=len(rows),
        pools=len({row["pool"] for row in rows}),
    )  # fmt: skip
