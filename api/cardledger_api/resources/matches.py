"""The resource of matches: the list, and each with its replay result."""

from __future__ import annotations

from typing import Any

from cardledger.record.matches.replay import result
from cardledger.record.readmodels.questions.match_list import count_matches, list_matches, match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.games import game
from cardledger_api.auth.visible import public_filters, public_row, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.schemas import MatchDetailSchema, MatchListSchema, MatchQuery


@operations.add("GET", "/matches", query=MatchQuery, answer=MatchListSchema, example={"query": {"limit": 2}})
def list_of_matches(query: dict[str, Any]) -> dict[str, Any]:
    """List matches, newest first or oldest first, a page at a time.

    The cursor `next` of an answer is the `after` of the next page; pages neither skip nor repeat a match while
    others record.
    """
    ledger = current_ledger()
    if query["game"] is not None:
        game(query["game"])  # an unknown one is an error, not an empty list
    limit, after, sort, total = (query.pop(name) for name in ("limit", "after", "sort", "total"))
    filters = public_filters(query)
    listed = list_matches(ledger, limit, after, sort=sort, **filters)
    answer = {"matches": [public_row(ledger, row) for row in listed.matches], "next": listed.next}
    return answer | ({"total": count_matches(ledger, **filters)} if total else {})


@operations.add(
    "GET",
    "/matches/<match>",
    answer=MatchDetailSchema,
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH"}},
)
def read_match(match: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Read a match: players, date, place and replay result.

    Readers do not see the violations of a hand under way, which reveal the cards held, nor the hash until it is
    over. They do not see the tricks of a hand whose cards another table is playing or will play (`withheld`).
    """
    ledger = current_ledger()
    row = match_row(ledger, match)
    stream = ledger.stream(match)
    replay = result(stream.table)
    if not sees_all(match):
        secrets = Secrets.of(ledger, match, stream)
        replay["violations"] = secrets.violations(replay["violations"])
        for hand in replay["hands"]:
            if secrets.holds(hand["number"]):
                for key in ("sides", *(fact.key for fact in stream.table.game.shown.facts)):
                    hand.pop(key, None)
                hand |= {"tricks": [], "withheld": True}
    return public_row(ledger, row) | {"result": replay}, {"ETag": etag(row["seq"])}
