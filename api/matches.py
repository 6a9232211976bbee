"""The resource of matches: the list, and each with its replay result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api.conditions import etag
from api.schemas import MatchDetailSchema, MatchListSchema, MatchQuery
from api.secrecy import Secrets, public_filters, public_row, sees_all
from ledger.games import game
from ledger.readmodels.matchlist import MatchList, list_matches, match_row
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
        found = list_matches(ledger, **public_filters(query))
        return MatchList([public_row(ledger, row) for row in found.matches], found.next)

    @operations.add(
        "GET",
        "/matches/<match>",
        answer=MatchDetailSchema,
        gives={"ETag": "the seq of the match, for If-Match"},
        example={"path": {"match": "MATCH"}},
    )
    def read_match(match: str) -> tuple[dict[str, Any], dict[str, str]]:
        """Read a match: who, when and where, and its replay result.

        Readers are not shown the violations of a hand under way, which tell what was held, nor then the hash.
        """
        row = match_row(ledger, match)
        stream = ledger.stream(match)
        replay = result(stream.table)
        if not sees_all():
            replay["violations"] = Secrets(stream).violations(replay["violations"])
        return public_row(ledger, row) | {"result": replay}, {"ETag": etag(row["seq"])}
