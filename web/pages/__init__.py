"""The pages: server-rendered HTML, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from web import persons, plotlyjs
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
    receipts,
    replay,
    rulebooks,
    scoring,
    season,
    statistics,
    tables,
    violations,
    whoiswho,
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

    persons.add_filters(pages, ledger)
    pages.add_app_template_global(plotlyjs.map_style_id, "map_style_id")
    home.add_routes(pages, ledger)
    matches.add_routes(pages, ledger)
    downloads.add_routes(pages, ledger)
    receipts.add_routes(pages, ledger)
    leaderboards.add_routes(pages, ledger)
    replay.add_routes(pages, ledger)
    rulebooks.add_routes(pages, ledger)
    audits.add_routes(pages, ledger)
    hands.add_routes(pages, ledger)
    players.add_routes(pages, ledger)
    violations.add_routes(pages, ledger)
    integrity.add_routes(pages, ledger)
    scoring.add_routes(pages, ledger)
    statistics.add_routes(pages, ledger)
    season.add_routes(pages, ledger)
    tables.add_routes(pages, ledger)
    whoiswho.add_routes(pages, ledger)
    plotlyjs.add_routes(pages)
    return pages
