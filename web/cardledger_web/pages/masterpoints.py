"""The page of a club's masterpoints: the points of each player, and the tables by which it gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, RuleError, StoreError
from cardledger.formats.spreadsheets.lines_in_file import lines_in_file
from cardledger.formats.spreadsheets.reading import MOST_BYTES
from cardledger.record.people.spelling import tidy_name
from cardledger.record.recording.masterpoints import added_up, awarded, forget_table, give_table, tables_of
from cardledger.rules.evenings.masterpoint_table import LONGEST_TABLE, lines_of
from cardledger.rules.evenings.rounding import printed
from cardledger_api.auth.visible import rankings_shown, sees_all
from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evenings import Page, running_page
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

_LONGEST_NAME = 120


@pages.app_template_global()
def masterpoints_of(evening: str) -> dict[int, str]:
    """Return the masterpoints of an evening by number, as printed; none where nothing can be ranked."""
    ledger = current_ledger()
    try:
        found = awarded(ledger, evening, rankings_shown(ledger))
    except RuleError:
        return {}
    return {entry: printed(points) for entry, points in found.points.items()}


@pages.app_template_global()
def masterpoints_in(
    club: str | None = None, league: str | None = None, player: str | None = None
) -> list[tuple[str, str, int]]:
    """Return the players with masterpoints, most first: each with the points as printed, and how many evenings gave them."""
    ledger = current_ledger()
    found = added_up(ledger, club=club, league=league, player=player, rankings=rankings_shown(ledger))
    return [(each.player, printed(each.points), each.evenings) for each in found]


@pages.get("/clubs/<club>/masterpoints")
def club_masterpoints(club: str) -> Page:
    """The masterpoints of a club's players; for those who run its evenings also its tables."""
    return masterpoints_page(club, {}, "")


@pages.post("/clubs/<club>/masterpoints")
@running_page
def give_masterpoints(club: str) -> Page | Response:
    """Keep a table that lines say, or give one no longer."""
    ledger = current_ledger()
    texts = {
        "name": tidy_name(request.form.get("name", "")),
        "lines": request.form.get("lines", "")[: LONGEST_TABLE + 1],
    }
    file = request.files.get("file")
    try:
        if file is not None and file.filename:
            texts["lines"] = lines_in_file(file.filename, file.stream.read(MOST_BYTES + 1))
        if "forget" in request.form:
            forget_table(ledger, club, g.recorder, request.form["forget"])
        else:
            give_table(ledger, club, g.recorder, texts["name"][:_LONGEST_NAME], texts["lines"])
    except LedgerError as error:
        if isinstance(error, StoreError) and not isinstance(error, ConflictError):
            raise
        return masterpoints_page(club, texts, sentence(error))
    return redirect(url_for("pages.club_masterpoints", club=club), 303)


def masterpoints_page(club: str, texts: dict[str, str], wrong: str) -> Page:
    ledger = current_ledger()
    tables = tables_of(ledger, club)
    text = render_template(
        "masterpoints.html",
        club=club,
        opening=ledger.evenings.stream(club).state.opening,
        tables={name: lines_of(table) for name, table in tables.items()},
        texts=texts,
        wrong=wrong,
        may=sees_all(),
        longest={"name": _LONGEST_NAME, "lines": LONGEST_TABLE},
    )
    return text, 400 if wrong else 200
