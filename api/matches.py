"""The resource of matches: the list, and each with its replay result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import request

from api.matchlist import list_matches, match_row
from api.schemas import MatchDetailSchema, MatchListSchema, MatchQuery
from ledger.games import game
from ledger.replay import result

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_QUERY, _LIST, _DETAIL = MatchQuery(), MatchListSchema(), MatchDetailSchema()


def add_routes(api: Blueprint, ledger: Ledger) -> None:
    """Add the routes of matches."""

    @api.get("/matches")
    def matches() -> dict[str, Any]:
        wanted = _QUERY.load(request.args.to_dict())
        if wanted["game"] is not None:
            game(wanted["game"])  # an unknown one is an error, not an empty list
        answer: dict[str, Any] = _LIST.dump(list_matches(ledger, **wanted))
        return answer

    @api.get("/matches/<match>")
    def match(match: str) -> dict[str, Any]:
        row = match_row(ledger, match)
        answer: dict[str, Any] = _DETAIL.dump(row | {"result": result(ledger.stream(match).table)})
        return answer
