"""The page of integrity: the state of the ledger, and checks of it: every hash, every course of play, every row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, redirect, render_template, url_for

from api.access import RoleWanted
from api.secrecy import sees_all
from web.checks import Checks

if TYPE_CHECKING:
    from flask import Blueprint
    from werkzeug.wrappers import Response

    from ledger.ledger import Ledger


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of integrity."""
    checks = Checks(ledger)

    @pages.get("/integrity")
    def integrity() -> str:
        matches, latest = ledger.views.reader.execute("SELECT count(*), max(recorded_at) FROM matches").fetchone()
        return render_template(
            "integrity.html",
            matches=matches,
            latest=latest,
            events=ledger.store.last_position(),
            folded=ledger.views.position,
            running=checks.running,
            last=checks.last,
            may_start=sees_all(),
        )

    @pages.post("/integrity")
    def check_integrity() -> Response:
        if not sees_all():
            raise RoleWanted("A check is for scorers to begin: it takes the server a while.")
        checks.start(g.recorder or "")
        return redirect(url_for("pages.integrity"), 303)
