"""Links of the OpenAPI document: from the values of an answer to operations on them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Link(NamedTuple):
    """An operation that can follow another, with arguments from the first one's answer or request."""

    operation: str
    arguments: dict[str, str]


_MATCH = "$request.path.match"


def _of_kind(kind: str) -> dict[str, tuple[Link, ...]]:
    """Return the links of clubs, sessions or leagues."""
    one = f"$request.path.{kind}"
    first = f"$response.body#/{kind}s/0/id"
    reading = tuple(
        Link(name, {kind: one})
        for name in (
            f"read_{kind}_events",
            *(() if kind == "club" else (f"read_{kind}_ranking",)),
            *(("propose_round", "read_travellers") if kind == "session" else ()),
        )
    )
    appending = Link(f"append_{kind}_events", {kind: one, "If-Match": "$response.header.ETag"})
    return {
        f"list_of_{kind}s": (
            Link(f"read_{kind}", {kind: first}),
            *(Link(link.operation, {kind: first}) for link in reading),
            Link(f"list_of_{kind}s", {"after": "$response.body#/next"}),
        ),
        f"read_{kind}": (appending, *reading),
        f"open_{kind}": (
            Link(f"read_{kind}", {kind: "$response.body#/evening"}),
            Link(f"append_{kind}_events", {kind: "$response.body#/evening", "If-Match": "$response.header.ETag"}),
        ),
        f"append_{kind}_events": (appending, Link(f"read_{kind}_events", {kind: one})),
        f"read_{kind}_events": (Link(f"read_{kind}_events", {kind: one, "after": "$response.body#/next"}),),
        f"publish_{kind}": (Link(f"read_{kind}_ranking", {kind: one}),),
    }


_LINKS: dict[str, tuple[Link, ...]] = {
    **_of_kind("club"),
    **_of_kind("session"),
    **_of_kind("league"),
    "propose_round": (Link("open_round", {"session": "$request.path.session"}),),
    "open_round": (
        Link("read_session", {"session": "$request.path.session"}),
        Link("read_match", {"match": "$response.body#/tables/0/match"}),
    ),
    "read_travellers": (Link("read_match", {"match": "$response.body#/boards/0/lines/0/match"}),),
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


def links_of(operation: str, operations: set[str]) -> dict[str, Any]:
    """Return the links of an operation's answer as OpenAPI has them, by name."""
    return {
        f"{link.operation}_by_{'_'.join(link.arguments)}": {
            "operationId": link.operation,
            "parameters": link.arguments,
        }
        for link in _LINKS.get(operation, ())
        if link.operation in operations
    }
