"""The page of a director: rulings and boards not played; what they change is shown, and one button records them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.readmodels.questions.evening_list import boards_of_match, table_of
from cardledger.record.recording.directing import boards_at_tables
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, running_page
from cardledger_web.views.directing import (
    GIVEN,
    KINDS,
    LONGEST,
    decisions_of,
    director_form,
    entries_of,
    lines_of,
    meant_in_words,
    rounds_of,
)
from cardledger_web.views.evening_running import session_of
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger_web.views.directing import DirectorForm


@pages.app_template_global()
def director_at(match: str) -> str:
    """Return the way to the director's decisions on the boards of a match's table, "" for who may not decide on them."""
    ledger = current_ledger()
    place = table_of(ledger, match)
    if place is None or not sees_all(place.evening) or not boards_of_match(ledger, match):
        return ""
    return url_for("pages.evening_director", evening=place.evening, round=place.round, table=place.table)


def director_page(evening: str, form: DirectorForm) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if state.opening.scoring.kind not in ON_BOARDS:
        raise StoreError("store.unknown", "this evening is played without boards: correct its matches")
    boards = boards_at_tables(ledger, evening)
    rankings = ledger.evenings.rankings
    made = decisions_of(ledger, ledger.evenings.stream(evening), state, lambda: rankings.travellers(evening))[::-1]
    text = render_template(
        "evening_director.html",
        evening=evening,
        session=state.opening,
        form=form,
        heading=meant_in_words(form, state) if form.chosen else "",
        lines=lines_of(ledger, state, form.chosen[0]) if len(form.chosen) == 1 else None,
        rounds=rounds_of(boards),
        numbers=sorted({one.board for one in boards}),
        made=made,
        back=next((one for one in made if one.seq == form.back and not one.match), None),
        kinds=KINDS,
        entries=entries_of(ledger, state),
        given=GIVEN,
        longest=LONGEST,
    )
    return text, 400 if form.wrong else 200


@pages.get("/evenings/<evening>/director")
@running_page
def evening_director(evening: str) -> Page:
    return director_page(evening, director_form(current_ledger(), evening, request.args))


@pages.post("/evenings/<evening>/director")
@running_page
def record_decision(evening: str) -> Page | Response:
    """Record a decision as it was shown, or take one back."""
    ledger = current_ledger()
    form = director_form(ledger, evening, request.form)
    directed = form.directed
    if directed and request.form.get("seq") != str(directed.seq):
        form.wrong = _("Something was recorded meanwhile. Look at what the decision changes now.")
    if directed is None or form.wrong:
        return director_page(evening, form)
    try:
        ledger.evenings.record(evening, directed.events, directed.seq, g.recorder, as_written=False)
    except ConflictError:
        form.wrong = _("Another scorer was faster. Look at what the decision changes now.")
        return director_page(evening, form)
    except LedgerError as error:
        if isinstance(error, StoreError):
            raise
        form.wrong, form.directed = sentence(error), None
        return director_page(evening, form)
    return redirect(url_for("pages.evening_director", evening=evening, _anchor="made"), 303)
