"""The pages of a progressive drive: how it begins, the sheet of each hand, the next hand, the hidden table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, RuleError, StoreError
from cardledger.record.people import recorders
from cardledger.record.recording.drives import MOST_HANDS, hidden_table_drawn
from cardledger.rules.evenings.drive_sheet import driven_hand, is_over, last_hand, numbered
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, number_in_form, refused, running_page
from cardledger_web.views.drive import (
    MOVES,
    TRUMPS,
    DriveForm,
    DriveSheet,
    can_be_driven,
    drive_form,
    drive_sheet,
    has_pairs,
    has_trumps,
    kinds_in_words,
    last_drive,
    rules_of,
    takes_tricks,
    trump_in_words,
)
from cardledger_web.views.evening_running import recorded, session_of
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.drive_sheet import DrivenHand


@pages.get("/evenings/<evening>/drive")
def evening_drive(evening: str) -> Page | Response:
    """The sheet of a hand, the last one unless asked for.

    Scorers go to the form that begins the drive if there is none.
    """
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if not last_hand(state):
        begins = sees_all(evening) and can_be_driven(state)
        return redirect(url_for("pages.begin_form" if begins else "pages.evening", evening=evening))
    asked = request.args.get("hand", "")
    round = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else None
    try:
        sheet = drive_sheet(state, ledger.evenings.at(), round)
    except RuleError:
        abort(404)
    return sheet_page(evening, state, sheet)


def by_name(ledger: Ledger, state: SessionState, sheet: DrivenHand) -> list[tuple[str, int]]:
    """Return the players of a hand by name, each with the table, 0 for one who sits out."""
    people = ledger.people()
    at = {entry: table.number for table in sheet.tables for entry in table.entries} | dict.fromkeys(
        sheet.sitting_out, 0
    )
    found = [(people.person(p), table) for entry, table in at.items() for p in state.players(entry, sheet.round)]
    return sorted(found, key=lambda one: (people.name(one[0]).casefold(), one[0]))


def begin_page(evening: str, state: SessionState, form: DriveForm) -> Page:
    text = render_template(
        "drive_begin.html",
        evening=evening,
        session=state.opening,
        opening=form,
        here=[*state.here],
        moves=MOVES if has_pairs(state) else {"winners_up": MOVES["winners_up"]},
        trumps=TRUMPS if has_trumps(state) else {},
        paired=has_pairs(state),
        by_tricks=takes_tricks(state),
        most=MOST_HANDS,
    )
    return text, 400 if form.wrong else 200


def sheet_page(evening: str, state: SessionState, sheet: DriveSheet) -> Page:
    ledger = current_ledger()
    movement = state.drive(sheet.sheet.round)
    assert movement is not None
    stream = ledger.evenings.stream(evening)
    latest = driven_hand(state)
    person = ledger.people().person
    text = render_template(
        "drive.html",
        evening=evening,
        session=state.opening,
        opening=sheet,
        sheet=sheet.sheet,
        lines=sheet.lines,
        trump=trump_in_words(sheet.sheet),
        rules=rules_of(state, movement),
        kinds=kinds_in_words(state),
        seated_by_name=by_name(ledger, state, sheet.sheet),
        sitting_out=[person(p) for entry in sheet.sheet.sitting_out for p in state.players(entry, sheet.sheet.round)],
        hands=[round for round in state.rounds if state.drive(round) is movement],
        start=movement.start,
        latest=latest.round,
        here=[*state.here],
        ladies=drive_form(state).ladies if movement.moves == "ladies_up" else None,
        over=is_over(latest),
        may=sees_all(evening) and state.status == "open",
        hidden_table=stream.hidden_table,
    )
    return text, 400 if sheet.wrong else 200


@pages.get("/evenings/<evening>/drive/begin")
@running_page
def begin_form(evening: str) -> Page | Response:
    """The form that begins a drive, where that can be."""
    state = session_of(current_ledger(), evening)
    if not can_be_driven(state):
        return redirect(url_for("pages.evening", evening=evening))
    last = last_drive(current_ledger(), state.opening.club, evening)
    return begin_page(evening, state, drive_form(state, last=last))


@pages.post("/evenings/<evening>/drive/begin")
@running_page
def begin_drive(evening: str) -> Page | Response:
    ledger = current_ledger()
    form = drive_form(session_of(ledger, evening), request.form)

    def begun(state: SessionState) -> Sequence[Event]:
        return [] if last_hand(state) else form.begun(state) or []

    try:
        recorded(ledger, evening, g.recorder, begun)
    except LedgerError as error:
        _expect_no_fault(error)
        form.wrong[""] = sentence(error)
    if form.wrong:
        return begin_page(evening, session_of(ledger, evening), form)
    return _seated(evening, session_of(ledger, evening).round + 1, form)


def _seated(evening: str, round: int, form: DriveForm | None = None) -> Page | Response:
    """Seat everybody for a round, and show its sheet."""
    ledger = current_ledger()
    try:
        ledger.evenings.rounds.set(evening, recorders.by(g.recorder), round=round)
    except LedgerError as error:
        return refused(evening, error)
    return redirect(url_for("pages.evening_drive", evening=evening), 303)


@pages.post("/evenings/<evening>/drive/hand")
@running_page
def next_hand(evening: str) -> Page | Response:
    """Seat everybody for the next hand; the same again changes nothing."""
    return _seated(evening, number_in_form("round"))


@pages.post("/evenings/<evening>/drive/tricks")
@running_page
def enter_tricks(evening: str) -> Page | Response:
    """Record the tricks of a hand, all tables that are filled in, or none if one is wrong."""
    ledger = current_ledger()
    state = session_of(ledger, evening)
    round = number_in_form("round")
    try:
        sheet = drive_sheet(state, ledger.evenings.at(), round)
    except RuleError as error:
        return refused(evening, error)
    tricks = sheet.read(state, request.form)
    if not sheet.wrong:
        try:
            ledger.evenings.drives.enter(evening, g.recorder, round, tricks)
        except LedgerError as error:
            _expect_no_fault(error)
            sheet.wrong[""] = sentence(error)
    if sheet.wrong:
        return sheet_page(evening, state, sheet)
    latest = driven_hand(session_of(ledger, evening)).round
    return redirect(url_for("pages.evening_drive", evening=evening, hand=None if round == latest else round), 303)


@pages.post("/evenings/<evening>/drive/ladies")
@running_page
def say_ladies(evening: str) -> Page | Response:
    """Say who plays as a lady from the next hand on; all others who are here play as gentlemen."""
    ledger = current_ledger()
    ladies = {*request.form.getlist("ladies")}
    try:
        recorded(
            ledger,
            evening,
            g.recorder,
            lambda state: numbered(state, {p: "lady" if p in ladies else "gentleman" for p in state.here}),
        )
    except LedgerError as error:
        return refused(evening, error)
    return redirect(url_for("pages.evening_drive", evening=evening), 303)


@pages.post("/evenings/<evening>/drive/hidden-table")
@running_page
def draw_hidden_table(evening: str) -> Page | Response:
    """Say which table is the hidden one; said again, the last counts."""
    ledger = current_ledger()
    table = number_in_form("table")
    drawn = ledger.evenings.stream(evening).hidden_table  # as shown: another scorer may have drawn it
    try:
        recorded(ledger, evening, g.recorder, lambda state: [] if drawn == table else hidden_table_drawn(state, table))
    except LedgerError as error:
        return refused(evening, error)
    return redirect(url_for("pages.evening_drive", evening=evening), 303)


def _expect_no_fault(error: LedgerError) -> None:
    """Let errors of the store through: they are not about the form."""
    if isinstance(error, StoreError) and not isinstance(error, ConflictError):
        raise error
