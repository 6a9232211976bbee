"""Pages of matches: the list with its filters, one match, and its file to download."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from flask import Response, render_template, request
from marshmallow import EXCLUDE, fields

from api.schemas import MatchQuery
from api.secrecy import Secrets, public_row, sees_all
from ledger.games import game, games
from ledger.readmodels.matchlist import MatchList, list_matches, match_row
from web import plotlyjs
from web.figures import running_totals
from web.matchview import hand_rows, remark_rows, unjudged, violation_rows

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_ON_A_PAGE = 20


class _Query(MatchQuery):
    """As the API's, but a game that nobody knows has no matches, instead of being an error."""

    game = fields.String(load_default=None)


# Other people's links may carry arguments of their own; a page does not mind.
_QUERY = _Query(only=("after", "game", "player"), unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of matches."""

    @pages.get("/")
    def home() -> str:
        given = {name: text for name, text in request.args.items() if text.strip()}
        wanted = _QUERY.load(given)
        listed = list_matches(ledger, _ON_A_PAGE, **wanted)
        found = MatchList([public_row(ledger, row) for row in listed.matches], listed.next)
        filters = {name: wanted[name] for name in ("game", "player") if wanted[name]}
        return render_template("home.html", found=found, games=games(), filters=filters, after=wanted["after"])

    @pages.get("/matches/<match>")
    def match(match: str) -> str:
        row = public_row(ledger, match_row(ledger, match))
        stream = ledger.stream(match)
        table = stream.table
        events = ledger.events(match)
        violations = violation_rows(stream)
        if not sees_all():
            secrets = Secrets(stream)
            events = [secrets.public(event, seq) for seq, event in enumerate(events, 1)]
            violations = [row for row in violations if not secrets.covers(row.seq)]
        hands = hand_rows(table)
        totals = [hand.totals for hand in hands if hand.totals is not None]
        return render_template(
            "match.html",
            row=row,
            table=table,
            game=game(row["game"]),
            hands=hands,
            violations=violations,
            unjudged=unjudged(hands),
            remarks=remark_rows(events, table.players),
            figure=running_totals(table.players, totals).to_json() if totals else None,
            plotly=plotlyjs,
        )

    @pages.get("/matches/<match>.jsonl")
    def match_file(match: str) -> Response:
        (lines,) = ledger.export([match])
        if not sees_all():
            # Up to the first card that is not to be seen yet: the beginning of a match file is one, too.
            secrets, rows = Secrets(ledger.stream(match)), ledger.store.read(match)
            shown = takewhile(lambda row: secrets.public_line(row.line, row.seq) == row.line, rows)
            lines = "".join(row.line + "\n" for row in shown)
        return Response(
            lines,
            content_type="application/jsonl; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{match}.jsonl"'},
        )
