"""The page that takes files of matches: boards of bridge in PBN, LIN and USEBIO, and match files of any game.

It shows them with every problem, and stores them.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.codes import explained
from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.usebio_sessions import noted, take_in_usebio
from cardledger.record.matches.matchfile import Problem
from cardledger.record.recording.evening_files import StoredEvening
from cardledger.record.recording.results import Imported
from cardledger.rules.engine.days import UNKNOWN
from cardledger.rules.games import games
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.uploads import evenings_sent, matches_sent
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.boards_file import boards_in, matches_in
from cardledger_web.views.form import sentence
from cardledger_web.views.spreadsheet import kept

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

    from cardledger.record.recording.ledger import Ledger

Page = tuple[str, int]
MOST_BYTES = 20_000_000
"""The size of a file on this page; the command line takes any."""


@pages.get("/boards/import")
def boards_import() -> Page:
    ledger = current_ledger()
    return shown_boards(ledger, [], "") if sees_all() else for_scorers()


def take_matches(ledger: Ledger, files: list[tuple[str, bytes]]) -> Page | AnyResponse:
    """Show the matches of some files, or store them if that was pressed."""
    if any(len(content) > MOST_BYTES for _, content in files):
        return shown_boards(ledger, [], _("The file is too large for this page: use `cardledger import`."))
    if "store" not in request.form:
        return shown_boards(ledger, files, "")
    wrong, evening, day = "", None, request.form.get("date", "").strip() or UNKNOWN
    played: set[str] = set()
    try:
        for name, content in files:
            ids: dict[int, str] = {}
            answers = noted(
                ledger.import_matches(matches_in(matches_sent(BytesIO(content), name, True)), g.recorder, day=day), ids
            )
            problems: list[object] = []
            for answer in answers:
                if isinstance(answer, Imported):
                    played.add(answer.game)
                else:
                    problems.append(answer)
            for made in take_in_usebio(ledger, evenings_sent(BytesIO(content), day), name, ids, g.recorder):
                evening = made.evening if isinstance(made, StoredEvening) else evening
                problems += [made] if isinstance(made, Problem) else []
            wrong = wrong or next((str(problem) for problem in problems), "")
    except LedgerError as error:
        wrong = sentence(error)
    if wrong:
        return shown_boards(ledger, files, wrong)
    if evening is not None:
        return redirect(url_for("pages.evening", evening=evening), 303)
    return redirect(url_for("pages.match_list", game=played.pop() if len(played) == 1 else None), 303)


def shown_boards(ledger: Ledger, files: list[tuple[str, bytes]], wrong: str) -> Page:
    """Return the page with the boards of some files."""
    shown = boards_in(matches_sent(BytesIO(content), name, True) for name, content in files) if files else None
    return render_template(
        "boards_import.html",
        shown=shown,
        wrong=wrong,
        day=request.form.get("date", ""),
        kept=kept(files) if files else "",
        explained=explained,
        games=games(),
    ), 400 if wrong else 200
