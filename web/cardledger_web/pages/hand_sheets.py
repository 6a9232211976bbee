"""Hands as results only: the score sheet of a match, recorded in one go, and the reading of a hand on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from flask import abort, current_app, g, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from cardledger.errors import ConflictError
from cardledger.record.readmodels.questions.evening_list import boards_decided, boards_of_match
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.answers import as_json
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.directing import director_at
from cardledger_web.pages.scoring import desk_of, for_scorers
from cardledger_web.views.directing import decision_in
from cardledger_web.views.evening_running import standing_of
from cardledger_web.views.hand_sheet import sheet_of
from cardledger_web.views.persons import seated

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger_web.pages.scoring import Page
    from cardledger_web.views.hand_sheet import HandSheet

LONGEST_LINE: Final = 500
"""More than anybody writes of a hand on one line."""


def sheet(match: str, given: MultiDict[str, str]) -> HandSheet:
    ledger = current_ledger()
    stream = ledger.stream(match)
    decided = boards_decided(ledger, match)
    boards = [board for board in boards_of_match(ledger, match) if board not in decided]
    names = seated(ledger, match, stream.table.players)
    return sheet_of(stream, match, names, given, boards, decides=bool(director_at(match)))


def page(match: str, sheet: HandSheet) -> Page:
    ledger = current_ledger()
    text = render_template(
        "hand_sheet.html",
        sheet=sheet,
        row=match_row(ledger, match),
        game=ledger.stream(match).table.game,
        evening=standing_of(ledger, match),
    )
    return text, 400 if sheet.wrong else 200


@pages.get("/matches/<match>/sheet")
def hand_sheet(match: str) -> Page:
    if not sees_all(match):
        return for_scorers()
    return page(match, sheet(match, MultiDict()))


@pages.post("/matches/<match>/sheet")
def record_hand_sheet(match: str) -> Page | Response:
    """Check what was typed, and with `record` store all of it or nothing."""
    ledger = current_ledger()
    if not sees_all(match):
        return for_scorers()
    typed = sheet(match, request.form)
    if "record" not in request.form:
        return page(match, typed)
    seen = request.form.get("seq", "")
    if seen != str(typed.seq):
        typed.wrong = _(
            "Nothing is recorded yet: something was recorded meanwhile, "
            "perhaps these very hands. Look at the sheet as it is now."
        )
    elif typed.may_be_recorded():
        try:
            if typed.events:
                ledger.record(match, typed.events, typed.seq, g.recorder)
        except ConflictError:
            typed.wrong = _("Nothing is recorded yet: another scorer was faster. Send the sheet again.")
        else:
            if typed.decision is not None:
                board, said = typed.decision
                return redirect(f"{director_at(match)}&{urlencode({'board': board, 'said': said})}", 303)
            over = ledger.stream(match).table.status != "open"
            return redirect(url_for("pages.match" if over else "pages.hand_sheet", match=match), 303)
    return page(match, typed)


@pages.get("/matches/<match>/score/line")
def score_line(match: str) -> Page | Response:
    """What a `text` says of the next hand: keys of its deal, calls and tricks; or what is `wrong` with it.

    A director's decision on the `board` that comes next leads to the `director`.
    """
    if not sees_all(match):
        return for_scorers()
    ledger, text = current_ledger(), request.args.get("text", "")[:LONGEST_LINE]
    board, director = request.args.get("board", ""), director_at(match)
    if director and board and decision_in(text) is not None:
        body = {"director": f"{director}&{urlencode({'board': board, 'said': text.strip()})}"}
    else:
        body = desk_of(ledger, match).line(text) or abort(404)
    return current_app.response_class(as_json(body), mimetype="application/json")
