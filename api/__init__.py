"""The REST API under /api/v1: what the ledger knows, as JSON. It imports `ledger` only; `web` mounts it."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from flask import Blueprint, Response, json

from api import games, matches, problems
from api.openapi import document
from api.operations import JSON, Operations

if TYPE_CHECKING:
    from ledger.ledger import Ledger

PREFIX = "/api/v1"


def create_api(ledger: Ledger) -> Blueprint:
    """Return the API of a ledger, ready to be mounted in an application."""
    api = Blueprint("api", __name__, url_prefix=PREFIX)
    operations = Operations(api, allow=lambda role: None)
    matches.add_operations(operations, ledger)
    games.add_operations(operations)
    problems.add_handlers(api)
    described = json.dumps(document(operations.declared, PREFIX, version("cardledger"))) + "\n"
    api.add_url_rule("/openapi.json", "openapi", lambda: Response(described, content_type=JSON))
    return api
