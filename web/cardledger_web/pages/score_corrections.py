"""Correcting a score: the number is tapped where it stands, what it changes is shown, and one button records it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import LONGEST_REASON, for_scorers
from cardledger_web.views.match import hand_rows
from cardledger_web.views.persons import seated
from cardledger_web.views.score_correction import correction_of, written_lines

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response

    from cardledger_web.pages.scoring import Page
    from cardledger_web.views.score_correction import ScoreCorrection


def corrected(match: str, given: MultiDict[str, str]) -> ScoreCorrection:
    ledger = current_ledger()
    stream = ledger.stream(match)
    return correction_of(ledger, match, stream, seated(ledger, match, stream.table.players), given, LONGEST_REASON)


def page(match: str, form: ScoreCorrection) -> Page:
    ledger = current_ledger()
    stream = ledger.stream(match)
    text = render_template(
        "score_correction.html",
        form=form,
        row=match_row(ledger, match),
        game=stream.table.game,
        table=stream.table,
        names=seated(ledger, match, stream.table.players),
        hands=hand_rows(stream),
        lines=written_lines(stream),
        boards={hand.number: getattr(hand, "board", 0) for hand in stream.table.hands},
        evening=table_of(ledger, match),
        longest=LONGEST_REASON,
    )
    return text, 400 if form.wrong else 200


@pages.get("/matches/<match>/correct")
def correct_score(match: str) -> Page:
    return page(match, corrected(match, request.args)) if sees_all(match) else for_scorers()


@pages.post("/matches/<match>/correct")
def record_correction(match: str) -> Page | Response:
    """Record the correction as it was shown."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    form = corrected(match, request.form)
    if not form.wrong and request.form.get("seq") != str(form.seq):
        form.wrong = _("Something was recorded meanwhile. Look at the correction as it is now.")
    if form.wrong or not form.events:
        return page(match, form)
    try:
        ledger.record(match, form.events, form.seq, g.recorder)
    except ConflictError:
        form.wrong = _("Another scorer was faster. Look at the correction as it is now.")
        return page(match, form)
    evening = table_of(ledger, match)
    if evening is not None:
        return redirect(url_for("pages.evening", evening=evening.evening), 303)
    return redirect(url_for("pages.match", match=match), 303)
