"""The page for the big screen of an evening: its tables, live, and the ranking in turn."""

from __future__ import annotations

from flask import render_template

from cardledger_api.current import current_ledger
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.screen import Screen


@pages.get("/evenings/<evening>/screen")
def screen(evening: str) -> str:
    # Read first: an event that comes meanwhile is then read again, not missed.
    ledger = current_ledger()
    position = ledger.store.last_position()
    return render_template("screen.html", screen=Screen(ledger, evening), position=position)
