"""Links of the OpenAPI document: from what an answer holds to the operations that know more of it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Link(NamedTuple):
    """An operation that can follow another, its arguments taken from the first one's answer or request."""

    operation: str
    arguments: dict[str, str]


_MATCH = "$request.path.match"
_LINKS: dict[str, tuple[Link, ...]] = {
    "list_of_matches": (
        Link("read_match", {"match": "$response.body#/matches/0/id"}),
        Link("live_match", {"match": "$response.body#/matches/0/id"}),
        Link("list_of_matches", {"after": "$response.body#/next"}),
        Link("read_player", {"player": "$response.body#/matches/0/players/0"}),
        Link("read_game", {"game": "$response.body#/matches/0/game"}),
    ),
    "read_match": (
        Link("append_events", {"match": _MATCH, "If-Match": "$response.header.ETag"}),
        Link("read_events", {"match": _MATCH}),
        Link("read_table", {"match": _MATCH}),
        Link("read_audit", {"match": _MATCH}),
        Link("read_proof", {"match": _MATCH}),
        Link("read_receipt", {"match": _MATCH}),
        Link("live_match", {"match": _MATCH}),
        Link("read_player", {"player": "$response.body#/players/0"}),
        Link("read_game", {"game": "$response.body#/game"}),
    ),
    "open_match": (
        Link("read_match", {"match": "$response.body#/match"}),
        Link("append_events", {"match": "$response.body#/match", "If-Match": "$response.header.ETag"}),
        Link("what_if", {"match": "$response.body#/match"}),
    ),
    "append_events": (
        Link("append_events", {"match": _MATCH, "If-Match": "$response.header.ETag"}),
        Link("read_events", {"match": _MATCH}),
    ),
    "read_events": (Link("read_events", {"match": _MATCH, "after": "$response.body#/next"}),),
    "violations_of_matches": (
        Link("read_match", {"match": "$response.body#/violations/0/match"}),
        Link("violations_of_matches", {"after": "$response.body#/next"}),
    ),
    "list_of_games": (Link("read_game", {"game": "$response.body#/games/0/id"}),),
    "read_game": (
        Link("list_of_matches", {"game": "$response.body#/id"}),
        Link("list_of_hands", {"game": "$response.body#/id"}),
    ),
    "list_of_players": (
        Link("read_player", {"player": "$response.body#/players/0/id"}),
        Link("list_of_players", {"after": "$response.body#/next"}),
    ),
    "read_player": (
        Link("list_of_matches", {"player": "$response.body#/id"}),
        Link("list_of_hands", {"player": "$response.body#/id"}),
    ),
    "list_of_hands": (
        Link("read_match", {"match": "$response.body#/hands/0/match"}),
        Link("list_of_hands", {"after": "$response.body#/next"}),
    ),
}


def links_of(operation: str, known: set[str]) -> dict[str, Any]:
    """Return the links of an operation's answer as OpenAPI has them, by name."""
    return {
        f"{link.operation}_by_{'_'.join(link.arguments)}": {
            "operationId": link.operation,
            "parameters": link.arguments,
        }
        for link in _LINKS.get(operation, ())
        if link.operation in known
    }
