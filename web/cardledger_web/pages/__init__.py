"""The pages: server-rendered HTML, one module for each subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from cardledger_api.auth.visible import expect_open
from cardledger_web.figures import plotlyjs
from cardledger_web.figures.picture import pictures
from cardledger_web.pages import (
    audits,
    boards_import,
    card_swaps,
    downloads,
    evening_entries,
    evening_import,
    evening_results,
    evenings,
    hand_sheets,
    hands,
    help,
    home,
    integrity,
    invitations,
    leaderboards,
    matches,
    offline,
    openings,
    players,
    receipts,
    replay,
    rulebooks,
    scoring,
    screen,
    season,
    sharing,
    statistics,
    tables,
    texts,
    violations,
    what_if,
)
from cardledger_web.pages import (
    people as whoiswho,
)
from cardledger_web.views import persons
from cardledger_web.views.dates import in_words, moment, short_day, zone
from cardledger_web.views.match import minus, option_text
from cardledger_web.views.plain import plain
from cardledger_web.views.wording import players_in_words, wording

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


def create_pages(ledger: Ledger) -> Blueprint:
    """Return the pages of a ledger, ready to be mounted in an application."""
    pages = Blueprint("pages", __name__)
    pages.before_request(lambda: expect_open(ledger, (request.view_args or {}).get("match")))
    pages.add_app_template_filter(minus, "minus")
    pages.add_app_template_filter(option_text, "option")
    pages.add_app_template_filter(in_words, "day")
    pages.add_app_template_filter(short_day, "short_day")
    pages.add_app_template_filter(moment, "moment")
    pages.add_app_template_filter(plain, "plain")
    pages.add_app_template_filter(wording, "wording")
    pages.add_app_template_filter(players_in_words, "players_in_words")
    pages.add_app_template_global(zone, "zone")

    persons.add_filters(pages, ledger)
    pages.add_app_template_filter(pictures, "pictures")
    home.add_routes(pages, ledger)
    matches.add_routes(pages, ledger)
    downloads.add_routes(pages, ledger)
    evening_results.add_routes(pages, ledger)
    receipts.add_routes(pages, ledger)
    leaderboards.add_routes(pages, ledger)
    replay.add_routes(pages, ledger)
    rulebooks.add_routes(pages, ledger)
    audits.add_routes(pages, ledger)
    hands.add_routes(pages, ledger)
    players.add_routes(pages, ledger)
    violations.add_routes(pages, ledger)
    integrity.add_routes(pages, ledger)
    invitations.add_routes(pages, ledger)
    scoring.add_routes(pages, ledger)
    hand_sheets.add_routes(pages, ledger)
    card_swaps.add_routes(pages, ledger)
    openings.add_routes(pages, ledger)
    screen.add_routes(pages, ledger)
    evening_import.add_routes(pages, ledger)
    boards_import.add_routes(pages, ledger)
    evenings.add_routes(pages, ledger)
    evening_entries.add_routes(pages, ledger)
    statistics.add_routes(pages, ledger)
    season.add_routes(pages, ledger)
    what_if.add_routes(pages, ledger)
    sharing.add_routes(pages, ledger)
    tables.add_routes(pages, ledger)
    whoiswho.add_routes(pages, ledger)
    help.add_routes(pages)
    offline.add_routes(pages)
    texts.add_routes(pages)
    plotlyjs.add_routes(pages)
    return pages
