"""The REST API under /api/v1: the content of a ledger as JSON. It imports `ledger` only; `web` mounts it."""

from __future__ import annotations

from cardledger_api.blueprint import api, operations
from cardledger_api.http import problems
from cardledger_api.http.addresses import PREFIX
from cardledger_api.resources import (
    at_tables,
    audits,
    codes,
    deals,
    docs,
    double_dummy,
    drives,
    evenings,
    events,
    files,
    games,
    hands,
    integrity,
    knowledge,
    live,
    matches,
    me,
    movements,
    people,
    players,
    proofs,
    quiz,
    rankings,
    replay,
    review,
    rounds,
    searches,
    seasons,
    spreadsheets,
    stats,
    table,
    table_results,
    tables,
    tokens,
    travellers,
    violations,
    webhooks,
    what_if,
)

__all__ = ["PREFIX", "api"]

problems.add_handlers(api)
operations.in_order(
    module.__name__
    for module in (
        matches,
        events,
        table,
        audits,
        replay,
        knowledge,
        quiz,
        violations,
        searches,
        seasons,
        spreadsheets,
        table_results,
        files,
        evenings,
        movements,
        rounds,
        drives,
        at_tables,
        travellers,
        rankings,
        games,
        codes,
        players,
        people,
        hands,
        stats,
        tables,
        what_if,
        review,
        deals,
        double_dummy,
        proofs,
        live,
        me,
        tokens,
        webhooks,
        integrity,
        docs,
    )
)
