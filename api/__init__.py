"""The REST API under /api/v1: what the ledger knows, as JSON. It imports `ledger` only; `web` mounts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from api import (
    docs,
    events,
    files,
    games,
    hands,
    live,
    matches,
    people,
    players,
    problems,
    proofs,
    replay,
    review,
    stats,
    table,
    violations,
)
from api.addresses import add_converters
from api.operations import Operations

if TYPE_CHECKING:
    from api.access import Access
    from ledger.ledger import Ledger

PREFIX = "/api/v1"


def create_api(ledger: Ledger, access: Access) -> Blueprint:
    """Return the API of a ledger, ready to be mounted in an application; `access` decides who may do what."""
    api = Blueprint("api", __name__, url_prefix=PREFIX, template_folder="templates")
    add_converters(api)
    operations = Operations(api, allow=access.require)
    matches.add_operations(operations, ledger)
    events.add_operations(operations, ledger)
    table.add_operations(operations, ledger)
    replay.add_operations(operations, ledger)
    violations.add_operations(operations, ledger)
    files.add_operations(operations, ledger)
    games.add_operations(operations)
    players.add_operations(operations, ledger)
    people.add_operations(operations, ledger)
    hands.add_operations(operations, ledger)
    stats.add_operations(operations, ledger)
    review.add_operations(operations, ledger)
    proofs.add_operations(operations, ledger)
    live.add_operations(operations, ledger, access)
    docs.add_operations(operations, PREFIX)
    problems.add_handlers(api)
    return api
