"""The page for the big screen of an evening: its tables, live, and the ranking in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template

from cardledger_web.views.screen import Screen

if TYPE_CHECKING:
    from flask import Blueprint

    from cardledger.record.recording.ledger import Ledger


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page."""

    @pages.get("/evenings/<evening>/screen")
    def screen(evening: str) -> str:
        # Read first: an event that comes meanwhile is then read again, not missed.
        position = ledger.store.last_position()
        return render_template("screen.html", screen=Screen(ledger, evening), position=position)
