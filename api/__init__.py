"""The REST API under /api/v1: what the ledger knows, as JSON. It imports `ledger` only; `web` mounts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from api import games, matches, problems

if TYPE_CHECKING:
    from ledger.ledger import Ledger

PREFIX = "/api/v1"


def create_api(ledger: Ledger) -> Blueprint:
    """Return the API of a ledger, ready to be mounted in an application."""
    api = Blueprint("api", __name__, url_prefix=PREFIX)
    matches.add_routes(api, ledger)
    games.add_routes(api)
    problems.add_handlers(api)
    return api
