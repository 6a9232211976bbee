"""The pages: server-rendered HTML, one module a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from web import plotlyjs
from web.matchview import minus, option_text
from web.pages import matches, rulebooks
from web.pages.dates import in_words

if TYPE_CHECKING:
    from ledger.ledger import Ledger


def create_pages(ledger: Ledger) -> Blueprint:
    """Return the pages of a ledger, ready to be mounted in an application."""
    pages = Blueprint("pages", __name__)
    pages.add_app_template_filter(minus, "minus")
    pages.add_app_template_filter(option_text, "option")
    pages.add_app_template_filter(in_words, "day")
    matches.add_routes(pages, ledger)
    rulebooks.add_routes(pages)
    plotlyjs.add_routes(pages)
    return pages
