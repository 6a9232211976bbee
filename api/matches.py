"""The resource of matches: the list, and each with its replay result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api.matchlist import MatchList, list_matches, match_row
from api.schemas import MatchDetailSchema, MatchListSchema, MatchQuery
from ledger.games import game
from ledger.replay import result

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on matches."""

    @operations.add("GET", "/matches", query=MatchQuery, answer=MatchListSchema, example={"query": {"limit": 2}})
    def list_of_matches(query: dict[str, Any]) -> MatchList:
        """List matches, newest first, a page at a time.

        The cursor `next` of an answer is the `after` of the next page; pages neither skip nor repeat while others record.
        """
        if query["game"] is not None:
            game(query["game"])  # an unknown one is an error, not an empty list
        return list_matches(ledger, **query)

    @operations.add(
        "GET",
        "/matches/<match>",
        answer=MatchDetailSchema,
        gives={"ETag": "the seq of the match, for If-Match"},
        example={"path": {"match": "MATCH"}},
    )
    def read_match(match: str) -> tuple[dict[str, Any], dict[str, str]]:
        """Read a match: who, when and where, and its replay result."""
        row = match_row(ledger, match)
        return row | {"result": result(ledger.stream(match).table)}, {"ETag": etag(row["seq"])}


def etag(seq: int) -> str:
    """Return the entity tag of a match at a seq."""
    return f'"{seq}"'
