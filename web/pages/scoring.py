"""Scoring at the table: the form that opens a match, the scorer's page, and the log beside it."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from api.packs import kind_of
from api.secrecy import sees_all
from ledger.errors import StoreError
from ledger.games import games
from ledger.readmodels.matchlist import match_row
from web.opening import LONGEST, POLICIES, SEATS, blank, known_words, opening_of, option_name
from web.persons import seated
from web.scorecard import log_of, scorecard

if TYPE_CHECKING:
    from flask import Blueprint
    from werkzeug.wrappers import Response

    from ledger.ledger import Ledger
    from web.opening import Opening

Page = tuple[str, int]


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of scorers."""

    def form(opening: Opening) -> Page:
        text = render_template(
            "new_match.html",
            opening=opening,
            games=games(),
            kind_of=kind_of,
            option_name=option_name,
            known=known_words(ledger),
            policies=POLICIES,
            longest=LONGEST,
            seats=SEATS,
        )
        return text, 400 if opening.wrong else 200

    @pages.get("/matches/new")
    def new_match() -> Page:
        if not sees_all():
            return _for_scorers()
        return form(blank(request.args.get("game")))

    @pages.post("/matches/new")
    def open_match() -> Page | Response:
        # That the form is one of ours is made sure of where access is decided (api/access.py): a browser's cookie
        # counts only with a request of our own origin.
        if not sees_all():
            return _for_scorers()
        opening = opening_of(request.form)
        event = opening.event()
        if event is None:
            return form(opening)
        try:
            match = ledger.record(None, [event], 0, g.recorder).match
        except StoreError as error:
            if error.code != "store.duplicate":
                raise
            # Somebody went back, changed the form and sent it again.
            opening.id = str(uuid.uuid4())
            opening.wrong[""] = "This form has opened a match already. Send it again to open another."
            return form(opening)
        return redirect(url_for("pages.score", match=match), 303)

    @pages.get("/matches/<match>/score")
    def score(match: str) -> Page:
        if not sees_all():
            return _for_scorers()
        stream, row = ledger.stream(match), match_row(ledger, match)
        events, names = ledger.events(match), seated(ledger, match, stream.table.players)
        text = render_template(
            "score.html",
            row=row,
            table=stream.table,
            game=stream.table.game,
            card=json.dumps(scorecard(stream.table, names), ensure_ascii=False),
            log=log_of(stream, events[: stream.seq], names, whole=False),
        )
        return text, 200

    @pages.get("/matches/<match>/score/log")
    def score_log(match: str) -> Page:
        if not sees_all():
            return _for_scorers()
        stream = ledger.stream(match)
        events, names = ledger.events(match)[: stream.seq], seated(ledger, match, stream.table.players)
        log = log_of(stream, events, names, whole="all" in request.args)
        return render_template("score_log.html", log=log), 200


def _for_scorers() -> Page:
    """Return the page that says how to become a scorer: 401 for those without a token, 403 for readers with one."""
    return render_template("for_scorers.html", name=g.recorder), 403 if g.recorder else 401
