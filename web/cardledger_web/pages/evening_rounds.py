"""The pages of an evening's rounds: the next round, taking it back, and results without a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.people import recorders
from cardledger.record.recording.at_tables import record_until_taken
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.said import settling
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import games
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, number_in_form, refused, running_page, to_round
from cardledger_web.views.drive import can_be_driven
from cardledger_web.views.evening_running import (
    RoundForm,
    as_sent,
    game_of_round,
    next_step,
    proposed,
    session_of,
    sizes,
    takes_substitutes,
)
from cardledger_web.views.form import sentence
from cardledger_web.views.result_sheet import ResultSheet, sheet_of
from cardledger_web.views.wording import seat_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream


def round_page(evening: str, form: RoundForm | None, wrong: str, game: str, size: str) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    text = render_template(
        "evening_round.html",
        evening=evening,
        session=state.opening,
        form=form,
        wrong=wrong,
        game=game,
        size=size,
        sizes=sizes(state, game),
        seats=seat_names(game, max((len(table) for table in form.tables), default=0) if form else 0),
        games=games(),
        present=state.here,
        entries=len(state.entries),
        substitutes=takes_substitutes(state),
        planned=bool(state.movements),
        can_be_driven=can_be_driven(state),
        number=form.round if form else state.round + 1,
    )
    return text, 400 if wrong and request.method == "POST" else 200


@pages.get("/evenings/<evening>/round")
@running_page
def evening_round(evening: str) -> Page | Response:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if next_step(state) != "evening_round":
        return to_round(evening)
    game = request.args.get("game") or game_of_round(state)
    size = request.args.get("size", "")
    try:
        return round_page(evening, proposed(ledger, evening, game, size), "", game, size)
    except LedgerError as error:
        if isinstance(error, StoreError):
            raise
        return round_page(evening, None, sentence(error), game, size)


@pages.post("/evenings/<evening>/round")
@running_page
def open_round(evening: str) -> Page | Response:
    ledger = current_ledger()
    form = RoundForm(
        round=number_in_form("round"),
        game=request.form.get("game", ""),
        size=request.form.get("size", ""),
        tables=[],
        by_hand="by_hand" in request.form,
    )
    while players := tuple(filter(None, request.form.getlist(f"table-{len(form.tables) + 1}"))):
        form.tables.append(players)
    form.fixed = not form.tables
    try:
        _open(evening, form)
    except LedgerError as error:
        if isinstance(error, StoreError) and not isinstance(error, ConflictError):
            raise
        if form.fixed:
            return round_page(evening, None, sentence(error), form.game, form.size)
        return round_page(evening, as_sent(ledger, evening, form), sentence(error), form.game, form.size)
    return redirect(url_for("pages.evening", evening=evening), 303)


def _open(evening: str, form: RoundForm) -> None:
    ledger = current_ledger()
    rounds, by = ledger.evenings.rounds, recorders.by(g.recorder)
    if form.by_hand:
        rounds.set(evening, by, round=form.round, game=form.game or None, tables=form.tables or None)
    else:
        rounds.open(evening, by, round=form.round, game=form.game or None, tables=form.tables or None)


@pages.post("/evenings/<evening>/round/back")
@running_page
def take_round_back(evening: str) -> Page | Response:
    """Take a round back in which nothing is played yet, and propose its tables again."""
    ledger = current_ledger()
    try:
        ledger.evenings.rounds.take_back(evening, recorders.by(g.recorder), number_in_form("round"))
    except LedgerError as error:
        return refused(evening, error)
    return redirect(url_for("pages.evening_round", evening=evening), 303)


def sheet_page(evening: str, sheet: ResultSheet) -> Page:
    ledger = current_ledger()
    opening = session_of(ledger, evening).opening
    return render_template("evening_sheet.html", evening=evening, session=opening, sheet=sheet), (
        400 if sheet.wrong else 200
    )


@pages.get("/evenings/<evening>/results")
@running_page
def evening_results(evening: str) -> Page:
    ledger = current_ledger()
    return sheet_page(evening, sheet_of(session_of(ledger, evening), request.args))


@pages.post("/evenings/<evening>/results")
@running_page
def enter_results(evening: str) -> Page | Response:
    ledger = current_ledger()
    sheet = sheet_of(session_of(ledger, evening), request.form)
    result = sheet.result()
    if result is None:
        return sheet_page(evening, sheet)

    def entered(stream: EveningStream) -> Sequence[Event]:
        assert isinstance(stream.state, SessionState)
        seq, known = stream.state.results.get((result.round, result.table, None), (0, None))
        if known == result or known is not None and _same(known, result):
            return []
        return settling(stream, [ev.EveningAmend(about=seq, event=result) if known is not None else result])

    try:
        record_until_taken(ledger, evening, g.recorder, entered, as_written=sheet.as_written)
    except LedgerError as error:
        sheet.wrong[""] = sentence(error)
        return sheet_page(evening, sheet)
    return redirect(url_for("pages.evening", evening=evening), 303)


def _same(one: ev.Result, other: ev.Result) -> bool:
    """Tell whether two results say the same."""
    return all(getattr(one, form) == getattr(other, form) for form in ev.FORMS)
