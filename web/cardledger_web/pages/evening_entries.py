"""The pages on which an evening of pairs or teams gets its entries, and any evening of boards its movement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, RuleError, StoreError
from cardledger.record.people import recorders
from cardledger.record.recording.known_players import KnownPlayers
from cardledger.record.recording.latecomers import latecomers
from cardledger.record.recording.movements import entry_changes, movement_events
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import running_page
from cardledger_web.views.evening_entries import (
    LINES,
    entered_already,
    entries_of,
)
from cardledger_web.views.evening_movement import COMPARE, LONGEST_TIME, RANK, movement_form
from cardledger_web.views.evening_opening import MOST_BOARDS, regulars
from cardledger_web.views.evening_running import next_step, recorded, session_of, takes_substitutes
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.wrappers import Response

    from cardledger.record.recording.latecomers import Sits
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.evening_events import Entry
    from cardledger.rules.evenings.session import SessionState
    from cardledger_web.views.evening_entries import EntriesForm
    from cardledger_web.views.evening_movement import MovementForm

Page = tuple[str, int]


# --- pairs and teams


def entries_page(evening: str, form: EntriesForm) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    text = render_template(
        "evening_entries.html",
        evening=evening,
        session=state.opening,
        opening=form,
        begun=state.round,
        closed=state.status == "closed",
        chosen=bool(state.movements),
        empty=bool(form.late),
        lines=LINES,
        on_boards=state.opening.scoring.kind in ON_BOARDS,
        players=regulars(ledger, state.opening.club, state.opening.date),
    )
    return text, 400 if form.wrong else 200


@pages.get("/evenings/<evening>/entries")
@running_page
def evening_entries(evening: str) -> Page | Response:
    state = _entered(evening)
    form = entered_already(state)
    form.texts["boards"] = request.args.get("boards", "")
    return entries_page(evening, form)


@pages.post("/evenings/<evening>/entries")
@running_page
def enter_entries(evening: str) -> Page | Response:
    """Record who competes, or substitutes once a round has begun, all or nothing; the players are here then."""
    ledger = current_ledger()
    form = entries_of(request.form, _entered(evening))
    if "more" in request.form and not form.kept:
        form.lengthen()
        return entries_page(evening, form)
    known = KnownPlayers(ledger)
    form.ask(known)
    late = form.latecomers(ledger, known)
    entries = form.entries(ledger, known)
    if entries is not None:
        try:
            recorded(ledger, evening, g.recorder, lambda state: _changes(evening, state, entries, late, form.texts))
        except LedgerError as error:
            _expect_no_fault(error)
            form.wrong[""] = sentence(error)
    if form.wrong:
        return entries_page(evening, form)
    if form.kept:
        return redirect(url_for("pages.evening", evening=evening), 303)
    if session_of(ledger, evening).opening.scoring.kind not in ON_BOARDS:
        return redirect(url_for("pages.evening_round", evening=evening), 303)
    boards = form.texts.get("boards") or None
    return redirect(url_for("pages.evening_movement", evening=evening, boards=boards), 303)


def _changes(
    evening: str,
    state: SessionState,
    entries: Sequence[Entry],
    late: Mapping[int, Sequence[str]],
    texts: Mapping[str, str],
) -> list[Event]:
    """Return the events that make these the entries of an evening, and seat those who come late."""
    ledger = current_ledger()
    events, after = entry_changes(ledger, evening, state, entries), state.copy()
    for number, players in late.items():
        for event in events:
            after.apply(event, 0)
        sits: Sits = "now" if texts["sits"] == "now" else "next"
        _place, events_of_one = latecomers(ledger, evening, after, number, players, sits, recorders.by(g.recorder))
        events, after = [*events, *events_of_one], state.copy()
    return events


def _entered(evening: str) -> SessionState:
    """Return an evening with entries; raises StoreError `store.unknown` while single players need none."""
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if state.opening.unit == "player" and not takes_substitutes(state):
        raise StoreError("store.unknown", "single players are not entered: they are here")
    return state


# --- who plays whom


def movement_page(evening: str, form: MovementForm) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    text = render_template(
        "evening_movement.html",
        evening=evening,
        session=state.opening,
        opening=form,
        number=len(state.here if state.opening.unit == "player" else state.entries),
        most_boards=MOST_BOARDS,
        longest_time=LONGEST_TIME,
        compare=COMPARE,
        rank=RANK,
        played=state.round,
        substitutes=takes_substitutes(state),
    )
    return text, 400 if form.wrong else 200


@pages.get("/evenings/<evening>/movement")
@running_page
def evening_movement(evening: str) -> Page | Response:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if next_step(state) == "evening_entries":
        return redirect(url_for("pages.evening_entries", evening=evening), 303)
    text, _status = movement_page(evening, movement_form(state, request.args))
    return text, 200


@pages.post("/evenings/<evening>/movement")
@running_page
def choose_movement(evening: str) -> Page | Response:
    ledger = current_ledger()
    form = movement_form(session_of(ledger, evening), request.form)
    name = request.form.get("movement")

    def chosen(state: SessionState) -> list[Event]:
        if request.form.get("round", "0") != str(state.round):
            raise RuleError("session.phase", _("a round has begun since this page was shown: look at it again"))
        choices = {choice.name: choice.suited for choice in movement_form(state, request.form).choices}
        if name not in choices:
            raise RuleError("session.movement", _("this movement does not suit who competes now: choose another"))
        return movement_events(ledger, evening, state, choices[name])

    if not form.wrong:
        try:
            recorded(ledger, evening, g.recorder, chosen)
        except LedgerError as error:
            _expect_no_fault(error)
            form.wrong[""] = sentence(error)
    if form.wrong:
        return movement_page(evening, form)
    return redirect(url_for("pages.evening_round", evening=evening), 303)


def _expect_no_fault(error: LedgerError) -> None:
    """Let errors of the store through: they are not about the form."""
    if isinstance(error, StoreError) and not isinstance(error, ConflictError):
        raise error
