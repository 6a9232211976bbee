"""Pages of matches: the list with its filters, one match, and its file to download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, render_template, request
from marshmallow import EXCLUDE

from api.matchlist import list_matches, match_row
from api.schemas import MatchQuery
from ledger.games import game, games
from web import plotlyjs
from web.figures import running_totals
from web.matchview import hand_rows, remark_rows, unjudged, violation_rows

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_ON_A_PAGE = 20
# Other people's links may carry arguments of their own; a page does not mind.
_QUERY = MatchQuery(only=("after", "game", "player"), unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of matches."""

    @pages.get("/")
    def home() -> str:
        given = {name: text for name, text in request.args.items() if text.strip()}
        wanted = _QUERY.load(given)
        found = list_matches(ledger, _ON_A_PAGE, **wanted)
        filters = {name: wanted[name] for name in ("game", "player") if wanted[name]}
        return render_template("home.html", found=found, games=games(), filters=filters, after=wanted["after"])

    @pages.get("/matches/<match>")
    def match(match: str) -> str:
        row = match_row(ledger, match)
        stream = ledger.stream(match)
        table = stream.table
        hands = hand_rows(table)
        totals = [hand.totals for hand in hands if hand.totals is not None]
        return render_template(
            "match.html",
            row=row,
            table=table,
            game=game(row["game"]),
            hands=hands,
            violations=violation_rows(stream),
            unjudged=unjudged(hands),
            remarks=remark_rows(ledger.events(match), table.players),
            figure=running_totals(table.players, totals).to_json() if totals else None,
            plotly=plotlyjs,
        )

    @pages.get("/matches/<match>.jsonl")
    def match_file(match: str) -> Response:
        (lines,) = ledger.export([match])
        return Response(
            lines,
            content_type="application/jsonl; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{match}.jsonl"'},
        )
