"""A player's progress with questions about hands, and whether the player's hands are posed as puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, redirect, render_template, request, url_for

from cardledger.record.people.people import Posed
from cardledger.rules.games import games
from cardledger.study.stats.review.answers import answers_of
from cardledger.study.stats.review.progress import progress
from cardledger_api.current import current_access, current_ledger
from cardledger_api.resources.own import expect_own, own_player
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import elsewhere

if TYPE_CHECKING:
    from werkzeug.wrappers import Response


@pages.get("/players/<player:player>/progress")
def player_progress(player: str) -> str | Response:
    """Somebody who answers need not have played."""
    return elsewhere(player, endpoint="pages.player_progress") or render_template(
        "player_progress.html", player=player, games=games()
    )


@pages.post("/players/<player:player>/posed")
def pose_hands(player: str) -> Response:
    """Leave a player's hands out of puzzles, or let them in again."""
    access = current_app.extensions["cardledger.access"]
    access.require("reader")
    ledger = current_ledger()
    event = Posed(player=expect_own(player, "admin"), posed=request.form.get("posed") == "yes")
    ledger.record_people([event], ledger.people().seq, str(access.name()))
    return redirect(url_for("pages.player", player=ledger.people().person(player), _anchor="person"), 303)


@pages.app_template_global()
def progress_of(player: str) -> dict[str, Any] | None:
    """Return what a player answered, None for nothing."""
    ledger = current_ledger()
    return progress(ledger, player) if answers_of(ledger, player) else None


@pages.app_template_global()
def poses(player: str) -> bool | None:
    """Return whether the hands of a player are posed as puzzles, None for a user who does not speak for the player."""
    ledger = current_ledger()
    if own_player() != ledger.people().person(player) and current_access().role() != "admin":
        return None
    return ledger.people().poses(player)
