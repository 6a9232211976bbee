"""The page of an evening's handicaps: the ranking with them, and who gets which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, StoreError
from cardledger.record.recording.handicaps import give_handicaps, handicap_ranking
from cardledger.rules.evenings.handicaps import handicap_written, handicaps
from cardledger.rules.evenings.rounding import printed
from cardledger_api.auth.visible import rankings_shown, sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, running_page
from cardledger_web.views.directing import entries_of
from cardledger_web.views.evening_running import session_of
from cardledger_web.views.form import sentence
from cardledger_web.views.ranking import heading

if TYPE_CHECKING:
    from fractions import Fraction

    from werkzeug.wrappers import Response

_LONGEST = 9


@pages.app_template_global()
def has_handicaps(evening: str) -> bool:
    """Tell whether anybody has a handicap in an evening."""
    return bool(handicaps(current_ledger().evenings.stream(evening)))


@pages.get("/evenings/<evening>/handicaps")
def evening_handicaps(evening: str) -> Page:
    """The ranking with handicaps; for those who run the evening also the form that gives them."""
    session_of(current_ledger(), evening)
    return handicap_page(evening, {}, {})


@pages.post("/evenings/<evening>/handicaps")
@running_page
def set_handicaps(evening: str) -> Page | Response:
    """Record the handicaps of a form, all or none; an empty field is none."""
    ledger = current_ledger()
    texts = {
        entry: request.form.get(f"handicap-{entry}", "").strip()[:_LONGEST]
        for entry in session_of(ledger, evening).entries
    }
    given, wrong = {}, {}
    for entry, text in texts.items():
        try:
            given[entry] = handicap_written(text or "0")
        except LedgerError as error:
            wrong[entry] = sentence(error)
    if not wrong:
        try:
            give_handicaps(ledger, evening, g.recorder, given)
        except LedgerError as error:
            if isinstance(error, StoreError) and not isinstance(error, ConflictError):
                raise
            wrong[0] = sentence(error)
    if wrong:
        return handicap_page(evening, texts, wrong)
    return redirect(url_for("pages.evening_handicaps", evening=evening), 303)


def handicap_page(evening: str, texts: dict[int, str], wrong: dict[int, str]) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    known = {entry: _short(value) for entry, value in handicaps(ledger.evenings.stream(evening)).items()}
    refusal, found = "", None
    try:
        found = handicap_ranking(ledger, evening, rankings=rankings_shown(ledger))
    except LedgerError as error:  # a match that is void, say
        refusal = translated(error.message)
    groups: dict[tuple[str | None, str | None], list[dict[str, object]]] = {}
    for row in found["ranking"] if found else ():
        groups.setdefault((row["section"], row["line"]), []).append(row)
    text = render_template(
        "handicaps.html",
        evening=evening,
        session=state.opening,
        groups=[(heading(*group), rows) for group, rows in groups.items()],
        refusal=refusal,
        percent=found is not None and found["unit"] == "percent",
        given=bool(known),
        entries=entries_of(ledger, state),
        texts=known | texts,
        wrong=wrong,
        may=sees_all(evening),
    )
    return text, 400 if wrong else 200


def _short(value: Fraction) -> str:
    """Return a handicap as a field shows it: 4.5, not 4.50."""
    text = printed(value, 2)
    return text.rstrip("0").rstrip(".")
