"""The pages of tables that enter their own results, and of what several phones of a table said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import abort, g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.recording.at_tables import enter_at_table, settle
from cardledger_api.auth.scopes import TablePlace
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, number_in_form, refused, running_page
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.at_table import DifferenceRow, at_table, difference_rows
from cardledger_web.views.drive import trump_in_words
from cardledger_web.views.evening_running import session_of
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger_web.views.at_table import AtTable

_RIGHT = re.compile(r"(points|places)( -?[0-9]{1,9}){1,8}")


@pages.app_template_global()
def differences_at(evening: str) -> list[DifferenceRow]:
    """Return the tables of an evening whose results the director has to decide; none for others."""
    ledger = current_ledger()
    return difference_rows(ledger, ledger.evenings.stream(evening)) if sees_all(evening) else []


@pages.get("/evenings/<evening>/tables/<int:table>")
def evening_table(evening: str, table: int) -> Page | Response:
    """What a table of an evening plays now: its match, or the result that it enters; else the evening."""
    ledger = current_ledger()
    state = session_of(ledger, evening)
    if match := TablePlace(evening, table).match(ledger):
        return redirect(url_for("pages.score", match=match), 303)
    page = at_table(ledger.evenings.stream(evening), table) if sees_all(f"{evening}/{table}") else None
    if page is None or state.status != "open":
        return redirect(url_for("pages.evening", evening=evening), 303)
    return table_page(evening, page)


@pages.post("/evenings/<evening>/tables/<int:table>")
def enter_result(evening: str, table: int) -> Page | Response:
    """Record what a phone at a table says that it scored."""
    ledger = current_ledger()
    if not sees_all(f"{evening}/{table}"):
        return for_scorers()
    page = at_table(ledger.evenings.stream(evening), table, request.form)
    if page is None:
        return redirect(url_for("pages.evening", evening=evening), 303)
    entered = page.entered(request.form)
    if entered is not None:
        try:
            number, written = number_in_form("round"), page.sheet.as_written
            enter_at_table(ledger, evening, g.recorder, number, table, *entered, as_written=written)
        except LedgerError as error:
            if isinstance(error, StoreError) and not isinstance(error, ConflictError):
                raise
            page.wrong[""] = sentence(error)
    if page.wrong:
        return table_page(evening, page)
    return redirect(url_for("pages.evening_table", evening=evening, table=table), 303)


@pages.post("/evenings/<evening>/differences")
@running_page
def settle_difference(evening: str) -> Page | Response:
    """Record which result of a table is right, as the director decides."""
    ledger = current_ledger()
    form, *values = (
        request.form.get("right", "").split() if _RIGHT.fullmatch(request.form.get("right", "")) else abort(400)
    )
    numbers = [*map(int, values)]
    try:
        round, table, written = number_in_form("round"), number_in_form("table"), "as_written" in request.form
        settle(ledger, evening, g.recorder, round, table, form, numbers, as_written=written)
    except LedgerError as error:
        return refused(evening, error)
    drive = session_of(ledger, evening).drive(number_in_form("round")) is not None
    return redirect(url_for("pages.evening_drive" if drive else "pages.evening", evening=evening), 303)


def table_page(evening: str, page: AtTable) -> Page:
    ledger = current_ledger()
    text = render_template(
        "at_table.html",
        evening=evening,
        session=session_of(ledger, evening).opening,
        page=page,
        trump=trump_in_words(page.hand) if page.hand is not None else "",
        position=ledger.store.last_position(),
    )
    return text, 400 if page.wrong else 200
