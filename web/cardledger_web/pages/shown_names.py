"""How much of a player's name is shown in what is published: the player, or an admin, decides it on the player's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import abort, current_app, redirect, request, url_for

from cardledger.record.people.people import PublishedName
from cardledger.record.people.shown import ALL
from cardledger_api.current import current_access, current_ledger
from cardledger_api.resources.own import expect_own, own_player
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.people import how_shown

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.record.people.shown import HowShown


class NameOnPage(NamedTuple):
    """What is decided of a player alone, None for nothing, and what the rule says."""

    decided: HowShown | None
    rule: HowShown


@pages.post("/players/<player:player>/shown")
def show_name(player: str) -> Response:
    """Decide how much of a player's name is shown in what is published."""
    access = current_app.extensions["cardledger.access"]
    access.require("reader")
    ledger, player = current_ledger(), expect_own(player, "admin")
    try:
        event = PublishedName(player=player, shown=how_shown(request.form))
    except (KeyError, ValueError):
        abort(400)
    ledger.record_people([event], ledger.people().seq, str(access.name()))
    return redirect(url_for("pages.player", player=ledger.people().person(player), _anchor="person"), 303)


@pages.app_template_global()
def shown_name(player: str) -> NameOnPage | None:
    """Return how much of a player's name is shown; None for a user who does not speak for the player."""
    people = current_ledger().people()
    if own_player() != people.person(player) and current_access().role() != "admin":
        return None
    return NameOnPage(people.decided(player), people.rule or ALL)
