"""Swapping two cards of a hand that were mixed up, in one correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.card_swap import swap_of
from cardledger_web.views.persons import seated

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response

    from cardledger_web.pages.scoring import Page
    from cardledger_web.views.card_swap import CardSwap


def swap(match: str, given: MultiDict[str, str]) -> CardSwap:
    ledger = current_ledger()
    stream = ledger.stream(match)
    return swap_of(stream, seated(ledger, match, stream.table.players), given)


def page(match: str, form: CardSwap) -> Page:
    ledger = current_ledger()
    game = ledger.stream(match).table.game
    text = render_template("card_swap.html", swap=form, row=match_row(ledger, match), game=game)
    return text, 400 if form.wrong else 200


@pages.get("/matches/<match>/swap")
def swap_cards(match: str) -> Page:
    return page(match, swap(match, request.args)) if sees_all(match) else for_scorers()


@pages.post("/matches/<match>/swap")
def record_swap(match: str) -> Page | Response:
    """Record the swap as it was shown: all its events, or none."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    form = swap(match, request.form)
    if not form.wrong and request.form.get("seq") != str(form.seq):
        form.wrong = _("Something was recorded meanwhile. Look at the swap as it is now.")
    if form.wrong or not form.events:
        return page(match, form)
    try:
        ledger.record(match, form.events, form.seq, g.recorder)
    except ConflictError:
        form.wrong = _("Another scorer was faster. Look at the swap as it is now.")
        return page(match, form)
    return redirect(url_for("pages.score", match=match), 303)
