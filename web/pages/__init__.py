"""The pages: server-rendered HTML, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, g

from web import plotlyjs
from web.matchview import minus, option_text
from web.pages import (
    audits,
    downloads,
    hands,
    home,
    integrity,
    leaderboards,
    matches,
    players,
    replay,
    rulebooks,
    scoring,
    violations,
)
from web.pages.dates import in_words, moment

if TYPE_CHECKING:
    from ledger.ledger import Ledger


def create_pages(ledger: Ledger) -> Blueprint:
    """Return the pages of a ledger, ready to be mounted in an application."""
    pages = Blueprint("pages", __name__)
    pages.add_app_template_filter(minus, "minus")
    pages.add_app_template_filter(option_text, "option")
    pages.add_app_template_filter(in_words, "day")
    pages.add_app_template_filter(moment, "moment")

    @pages.app_template_filter("called")
    def _called(player: str) -> str:
        """Return what a player is called, as known when the page was begun."""
        if "people" not in g:
            g.people = ledger.people()
        name: str = g.people.name(player)
        return name

    pages.add_app_template_global(plotlyjs.map_style_id, "map_style_id")
    home.add_routes(pages, ledger)
    matches.add_routes(pages, ledger)
    downloads.add_routes(pages, ledger)
    leaderboards.add_routes(pages, ledger)
    replay.add_routes(pages, ledger)
    rulebooks.add_routes(pages, ledger)
    audits.add_routes(pages, ledger)
    hands.add_routes(pages, ledger)
    players.add_routes(pages, ledger)
    violations.add_routes(pages, ledger)
    integrity.add_routes(pages, ledger)
    scoring.add_routes(pages, ledger)
    plotlyjs.add_routes(pages)
    return pages
