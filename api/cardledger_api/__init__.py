"""The REST API under /api/v1: the content of a ledger as JSON. It imports `ledger` only; `web` mounts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from cardledger_api.auth.visible import expect_open
from cardledger_api.http import docs, problems
from cardledger_api.http.addresses import PREFIX, add_converters
from cardledger_api.http.operations import Operations
from cardledger_api.resources import (
    codes,
    deals,
    double_dummy,
    evenings,
    events,
    files,
    games,
    hands,
    integrity,
    live,
    matches,
    me,
    people,
    players,
    proofs,
    rankings,
    replay,
    review,
    rounds,
    searches,
    seasons,
    spreadsheets,
    stats,
    table,
    tables,
    tokens,
    travellers,
    violations,
    webhooks,
    what_if,
)

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.access import Access
    from cardledger_api.http.operations import Role

__all__ = ["PREFIX", "create_api"]


def create_api(ledger: Ledger, access: Access) -> Blueprint:
    """Return the API of a ledger, ready to be mounted in an application; `access` holds the roles."""
    api = Blueprint("api", __name__, url_prefix=PREFIX, template_folder="templates")
    add_converters(api)

    def allow(role: Role, stream: str | None) -> None:
        access.require(role, stream)
        expect_open(ledger, stream)

    operations = Operations(api, allow=allow)
    matches.add_operations(operations, ledger)
    events.add_operations(operations, ledger)
    table.add_operations(operations, ledger)
    replay.add_operations(operations, ledger)
    violations.add_operations(operations, ledger)
    searches.add_operations(operations, ledger)
    seasons.add_operations(operations, ledger)
    spreadsheets.add_operations(operations, ledger)
    files.add_operations(operations, ledger)
    evenings.add_operations(operations, ledger)
    rounds.add_operations(operations, ledger)
    travellers.add_operations(operations, ledger)
    rankings.add_operations(operations, ledger)
    games.add_operations(operations)
    codes.add_operations(operations)
    players.add_operations(operations, ledger)
    people.add_operations(operations, ledger)
    hands.add_operations(operations, ledger)
    stats.add_operations(operations, ledger)
    tables.add_operations(operations, ledger)
    what_if.add_operations(operations, ledger)
    review.add_operations(operations, ledger)
    deals.add_operations(operations, ledger)
    double_dummy.add_operations(operations, ledger)
    proofs.add_operations(operations, ledger)
    live.add_operations(operations, ledger, access)
    me.add_operations(operations, access)
    tokens.add_operations(operations, ledger, access)
    webhooks.add_operations(operations, ledger, access)
    integrity.add_operations(operations, ledger)
    docs.add_operations(operations, PREFIX)
    problems.add_handlers(api)
    return api
