"""Scoring at the table: the form that opens a match, the scorer's page, and the log beside it."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

import msgspec
from flask import abort, current_app, g, redirect, render_template, request, url_for
from marshmallow import ValidationError

from cardledger.errors import LedgerError, StoreError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.known_players import KnownPlayers
from cardledger.record.recording.own_boards import own_boards
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http import problems
from cardledger_api.http.answers import as_json
from cardledger_api.http.schemas import sides_of
from cardledger_api.resources.table import TableQuery, WhatIfSchema
from cardledger_api.resources.two_records import TwoRecordsAskedSchema
from cardledger_web.engine.opening import GAME, PLACE
from cardledger_web.languages import _, language
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.offline import KEPT_UNTIL, for_an_evening, kept_until
from cardledger_web.views.desk import Desk
from cardledger_web.views.evening_running import standing_of
from cardledger_web.views.form import option_name
from cardledger_web.views.new_opening import blank, known_words, opening_of
from cardledger_web.views.opening import LONGEST, POLICIES, SEATS
from cardledger_web.views.persons import seated
from cardledger_web.views.scorecard import pack_of, scorecard

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger_web.views.opening import Opening

Page = tuple[str, int]
PageToKeep = tuple[str, int, dict[str, str]]
LONGEST_REASON = 200
"""The greatest length of a reason in a form."""


def form(opening: Opening) -> PageToKeep:
    ledger = current_ledger()
    text = render_template(
        "new_match.html",
        opening=opening,
        games=games(),
        option_name=option_name,
        sides_of=sides_of,
        known=known_words(ledger),
        policies=POLICIES,
        longest=LONGEST,
        seats=SEATS,
        kept_until=(until := for_an_evening()),
        erasures=people_of(ledger).erasures,
        ways=json.dumps(ways_on(PLACE, GAME)),
    )
    return (text, 400, {}) if opening.wrong else (text, 200, {KEPT_UNTIL: until})


@pages.get("/matches/new")
def new_match() -> Page | PageToKeep:
    if not sees_all():
        return for_scorers()
    opening = blank(current_ledger(), request.args.get("game"), g.recorder)
    if request.args.get("players") == "none":
        opening.players = []
    return form(opening)


@pages.post("/matches/new")
def open_match() -> Page | PageToKeep | Response:
    # Access control (api/cardledger_api/auth/users.py) has checked that the form is ours: a browser's cookie counts
    # only with a
    # request of our own origin.
    ledger = current_ledger()
    if not sees_all():
        return for_scorers()
    opening = opening_of(request.form)
    opening.ask(KnownPlayers(ledger))
    event = opening.event()
    if event is None:
        return form(opening)
    try:
        match = ledger.record(None, [event], 0, g.recorder).match
    except StoreError as error:
        if error.code != "store.duplicate":
            raise
        # The scorer went back, changed the form and sent it again.
        opening.id = str(uuid.uuid4())
        opening.wrong[""] = _("This form has already opened a match. Send it again to open another.")
        return form(opening)
    return redirect(url_for("pages.hand_sheet" if "sheet" in request.form else "pages.score", match=match), 303)


@pages.get("/matches/<match>/score")
def score(match: str) -> Page | PageToKeep:
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    stream, row = ledger.stream(match), match_row(ledger, match)
    desk, until = desk_of(ledger, match), kept_until(ledger, match)
    text = render_template(
        "score.html",
        kept_until=until,
        erasures=people_of(ledger).erasures,
        row=row,
        at=ways_on(match, stream.table.game.id),
        policy=row["policy"],
        occasion=(row["event"], row["board"], row["place"]),
        table=stream.table,
        game=stream.table.game,
        card=json.dumps(scorecard(stream.table, desk.names), ensure_ascii=False),
        desk=desk,
        pack=pack_of(stream.table),
        evening=standing_of(ledger, match),
        match=match,
    )
    return (text, 200, {KEPT_UNTIL: until}) if until else (text, 200)


@pages.get("/matches/new/score")
def score_empty() -> Page | PageToKeep:
    """The scorer's page without a match: a browser keeps it, and fills it for a match that it opens without a connection."""
    if not sees_all():
        return for_scorers()
    return render_template("score.html", row=None, game=None), 200, {KEPT_UNTIL: for_an_evening()}


@pages.get("/matches/<match>/score/table")
def score_table(match: str) -> Page | Response:
    """The table as the API tells it, now or after the event `at`, with its drawing."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    try:
        told = desk_of(ledger, match).table(TableQuery().load(request.args)["at"])
    except LedgerError as error:
        return problems.of_ledger(error)
    return _json(told)


@pages.get("/matches/<match>/score/desk")
def score_desk(match: str) -> Page | Response:
    """What the engine in the browser needs to do what the server does (engine/inside.py): events, names, own boards.

    With `after`, the events after that number alone.
    """
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    desk, after = desk_of(ledger, match), request.args.get("after", 0, int)
    own = desk.own
    return _json(
        {
            "match": match,
            "events": [msgspec.Raw(ev.encode(event)) for event in ledger.events(match)[max(after, 0) :]],
            "names": desk.names,
            "own": own._asdict() | {"decided": sorted(own.decided)},
            "language": language(),
            "opening": desk.opening,
        }
    )


@pages.post("/matches/<match>/score/what-if")
def score_tried(match: str) -> Page | Response:
    """The table after events that are tried and not stored, as the API tells it, with its drawing."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    try:
        body = WhatIfSchema().load(request.get_json())
        told = desk_of(ledger, match).tried(body["events"], body["at"])
    except ValidationError as error:
        return problems.of_validation(error)
    except LedgerError as error:
        return problems.of_ledger(error)
    return _json(told)


@pages.post("/matches/<match>/score/compared")
def score_compared(match: str) -> Page | Response:
    """What was recorded after an event beside the entries that a phone kept, as the API tells it, with its drawing."""
    if not sees_all(match):
        return for_scorers()
    try:
        body = TwoRecordsAskedSchema().load(request.get_json())
        told = desk_of(current_ledger(), match).compared(body["events"], body["at"])
    except ValidationError as error:
        return problems.of_validation(error)
    except LedgerError as error:
        return problems.of_ledger(error)
    return _json(told)


def ways_on(match: str, game: str) -> dict[str, str]:
    """Return the addresses that the scorer's page of a match leads to."""
    page = url_for("pages.score", match=match)
    return {
        "api": url_for("api.read_match", match=match),
        "page": page,
        "log": url_for("pages.score_log", match=match),
        "opening": url_for("pages.opening_form", match=match),
        "sign_in": url_for("sign_in", next=page),
        "sheet": url_for("pages.hand_sheet", match=match),
        "match": url_for("pages.match", match=match),
        "replay": url_for("pages.replay_match", match=match),
        "swap": url_for("pages.swap_cards", match=match),
        "another": url_for("pages.new_match", game=game),
        "rules": url_for("pages.rulebook", id=game),
    }


def desk_of(ledger: Ledger, match: str) -> Desk:
    """Return the scorer's desk of a match."""
    stream = ledger.stream(match)
    return Desk(
        match,
        stream,
        seated(ledger, match, stream.table.players),
        own_boards(ledger, match, stream.table),
        current_app.jinja_env,
        url_for("pages.opening_form", match=match),
    )


def _json(told: object) -> Response:
    return current_app.response_class(as_json(told), mimetype="application/json")


@pages.get("/matches/<match>/score/follows")
def score_follows(match: str) -> Page | Response:
    """The points by side, with the one that is left out if it follows from the others: `points=8&points=&points=5`."""
    if not sees_all(match):
        return for_scorers()
    return _json({"points": desk_of(current_ledger(), match).follows(request.args.getlist("points"))})


@pages.get("/matches/<match>/score/log")
def score_log(match: str) -> Page:
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    return desk_of(ledger, match).log(whole="all" in request.args), 200


@pages.get("/matches/<match>/score/evening")
def score_evening(match: str) -> Page:
    """The standing of the evening, which the scorer's page reads again after each hand."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    return render_template("score_evening.html", evening=standing_of(ledger, match) or abort(404), match=match), 200


@pages.post("/matches/<match>/void")
def declare_void(match: str) -> Page | Response:
    """Declare a match void, or bring it back, as the form says and the match allows."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    stream = ledger.stream(match)
    reason = request.form.get("reason", "").strip()[:LONGEST_REASON] or None
    brings_back = "back" in request.form
    if brings_back == bool(stream.void):  # otherwise another scorer was faster
        event = ev.Retract(to=stream.void - 1, reason=reason) if brings_back else ev.Void(reason=reason)
        ledger.record(match, [event], stream.seq, g.recorder)
    return redirect(url_for("pages.match", match=match), 303)


def for_scorers() -> Page:
    """Return the page that says how to become a scorer: 401 for those without a token, 403 for readers with one."""
    return render_template("for_scorers.html", name=g.recorder), 403 if g.recorder else 401
