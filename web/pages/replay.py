"""Pages of the replayer: a hand at one of its events, for a page of its own or for a frame on somebody else's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import abort, g, redirect, render_template, request, url_for

from api.operations import ROLES
from api.replay import replay_of
from api.secrecy import Secrets, sees_all
from ledger.games import game
from ledger.readmodels.matchlist import match_row
from ledger.rulebook import COMMON
from ledger.steps import hand_at
from web.cards import deck
from web.coursefigure import counted, course
from web.headers import allow_frames
from web.luckview import reviewed_hand
from web.replayview import ReplayView

if TYPE_CHECKING:
    from flask import Blueprint
    from werkzeug.wrappers import Response

    from ledger.ledger import Ledger
    from ledger.table import Table


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of the replayer."""

    @pages.get("/matches/<match>/replay")
    def replay_match(match: str) -> Response:
        hands = ledger.stream(match).table.hands
        kept: dict[str, Any] = {name: request.args[name] for name in ("view", "embed") if name in request.args}
        return redirect(url_for("pages.replay", match=match, seq=hands[0].first if hands else 1, **kept))

    @pages.get("/matches/<match>/replay/<int:seq>")
    def replay(match: str, seq: int) -> str:
        embed = request.args.get("embed") == "1"
        if embed:
            # What stands in a frame on another page is what everybody may see, whoever is looking.
            g.role = ROLES[0]
            allow_frames(request.environ)
        stream = ledger.stream(match)
        table = stream.table
        if not 1 <= seq <= stream.seq:
            abort(404)
        found = replay_of(ledger, match, hand_at(table, seq), request.args.get("view") or None)
        starter = "starter" in table.game.deal_keys
        secret = not sees_all() and bool(found["hand"]) and Secrets(stream).covers(table.hands[found["hand"] - 1].first)
        view = ReplayView(found, seq, table.pack, starter=starter, may_see_all=not secret)
        review = None
        if not embed and found["hand"] and found["end"] is not None:
            review = reviewed_hand(ledger, match, found["hand"])
        return _page(embed, view, table, match_row(ledger, match), review)


def _page(embed: bool, view: ReplayView, table: Table, row: dict[str, Any], review: dict[str, Any] | None) -> str:
    replay = view.replay
    what, rows = counted(
        table, [(seq, view.states[seq - replay["first"]]) for seq in view.line if seq >= _deal_of(view)]
    )
    return render_template(
        "replay.html",
        frame="bare.html" if embed else "base.html",
        embed=embed,
        asked=request.args.get("view"),
        row=row,
        game=game(replay["game"]),
        table=table,
        replay=replay,
        view=view,
        review=review,
        neighbours={
            n: table.hands[n - 1].first for n in (replay["hand"] - 1, replay["hand"] + 1) if 0 < n <= len(table.hands)
        },
        deck=deck(table.pack),
        rules=json.dumps({rule.id: rule.text for rule in (*table.game.book, *COMMON)}),
        figure=course(replay["names"], what, rows).to_json() if rows else None,
        counted=what,
    )


def _deal_of(view: ReplayView) -> int:
    deals = (step["seq"] for step in view.replay["steps"] if step["counts"] and step["counts"]["type"] == "deal")
    return next(deals, 0)
