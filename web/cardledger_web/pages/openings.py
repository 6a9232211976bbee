"""Amending the opening of a match: its players, options, time and place, as one correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from flask import g, redirect, render_template, request, url_for

from cardledger.errors import LedgerError
from cardledger.record.matches.match_size import expect_room
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.known_players import KnownPlayers
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import LONGEST_REASON, for_scorers
from cardledger_web.views.changed_results import changed_results
from cardledger_web.views.form import option_name, sentence
from cardledger_web.views.new_opening import known_words, opening_of
from cardledger_web.views.opening import LONGEST, POLICIES, as_recorded

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.rules.stream import Stream
    from cardledger_web.pages.scoring import Page
    from cardledger_web.views.opening import Opening


def page(match: str, opening: Opening, changes: list[str] | None = None) -> Page:
    ledger = current_ledger()
    stream = ledger.stream(match)
    text = render_template(
        "amend_opening.html",
        opening=opening,
        changes=changes,
        seq=stream.seq,
        row=match_row(ledger, match),
        game=stream.table.game,
        option_name=option_name,
        known=known_words(ledger),
        policies=POLICIES,
        longest=LONGEST,
    )
    return text, 400 if opening.wrong else 200


@pages.get("/matches/<match>/opening")
def opening_form(match: str) -> Page:
    ledger = current_ledger()
    return page(match, as_recorded(match, _opening(ledger.stream(match)))) if sees_all(match) else for_scorers()


@pages.post("/matches/<match>/opening")
def amend_opening(match: str) -> Page | Response:
    """Record the opening as filled in; what changes results is shown first."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    stream = ledger.stream(match)
    old = _opening(stream)
    form = opening_of(request.form)
    form.game, form.id = old.game, match
    form.ask(KnownPlayers(ledger))
    new = form.event()
    if new is None:
        return page(match, form)
    if request.form.get("seq") != str(stream.seq):
        form.wrong[""] = _("Something was recorded meanwhile. Look at the form, and send it again.")
        return page(match, form)
    keys = ("players", "options", "policy", "event", "table", "place", "date")
    wanted = msgspec.structs.replace(old, **{key: getattr(new, key) for key in keys})
    within = ev.bare(wanted)
    assert isinstance(within, ev.Open)
    amend = ev.Amend(about=1, event=within, reason=request.form.get("reason", "").strip()[:LONGEST_REASON] or None)
    if within == ev.bare(old):
        form.wrong[""] = _("Nothing is changed yet.")
        return page(match, form)
    try:
        tried = stream.copy()
        expect_room(tried, amend)
        tried.append(amend)
        changes = [*changed_results(stream.table, tried.table, new.players)]
        if changes and request.form.get("sure") != str(len(changes)):
            return page(match, form, changes)
        ledger.record(match, [amend], stream.seq, g.recorder)
    except LedgerError as error:
        form.wrong["players" if error.code == "people.name" else ""] = sentence(error)
        return page(match, form)
    return redirect(url_for("pages.match", match=match), 303)


def _opening(stream: Stream) -> ev.Open:
    """Return the opening as it counts now."""
    _, opening = unroll(stream.heads[-1])[0]
    assert isinstance(opening, ev.Open)
    return opening
