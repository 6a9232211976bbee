"""The resource of players: who has played, how much, and what they won, game by game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from api.fields import Whole
from ledger.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api.operations import Operations
    from ledger.ledger import Ledger


class PlayerQuery(Schema):
    """Which players to list; `player` asks for one by an id that does not fit in an address, such as `..`."""

    limit = Whole(load_default=50, validate=validate.Range(1, 200))
    after = fields.String(load_default=None, metadata={"description": "the cursor `next` of the page before"})
    player = fields.String(load_default=None)


class PlayerGameSchema(Schema):
    """What a player has to show in one game; of the matches won, some may be shared with others."""

    game = fields.String()
    matches = fields.Integer()
    complete = fields.Integer()
    hands = fields.Integer()
    wins = fields.Integer()


class PlayerSchema(Schema):
    """A player: what they are called, all ids that mean them, the sums, and the same by game."""

    id = fields.String()
    name = fields.String()
    ids = fields.List(fields.String())
    matches = fields.Integer()
    complete = fields.Integer()
    hands = fields.Integer()
    wins = fields.Integer()
    games = fields.List(fields.Nested(PlayerGameSchema))


class PlayerListSchema(Schema):
    """One page of players; `next` is the cursor to give as `after`, null on the last page."""

    players = fields.List(fields.Nested(PlayerSchema))
    next = fields.String(allow_none=True)


_COUNTS = ("matches", "complete", "hands", "wins")
# Each step goes to the next player of the index, however many matches the one before has.
_NEXT = """WITH RECURSIVE found (player) AS (
    SELECT min(player) FROM players WHERE player > :after
    UNION ALL SELECT (SELECT min(player) FROM players WHERE player > found.player) FROM found
    WHERE player IS NOT NULL LIMIT :limit
) SELECT player FROM found WHERE player IS NOT NULL"""
_TOLD = """SELECT p.player, m.game, count(*) AS matches, sum(m.status = 'complete') AS complete, sum(p.hands) AS hands,
    sum(p.won) AS wins FROM json_each(?) AS asked JOIN players AS p ON p.player = asked.value
    JOIN matches AS m ON m.match = p.match GROUP BY asked.key, m.game ORDER BY asked.key, m.game"""


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on players."""

    @operations.add(
        "GET", "/players", query=PlayerQuery, answer=PlayerListSchema, example={"query": {"limit": 3}}
    )  # fmt: skip
    def list_of_players(query: dict[str, Any]) -> dict[str, Any]:
        """List players in the order of their ids, a page at a time."""
        if query["player"] is not None:
            return {"players": told(ledger, [query["player"]]), "next": None}
        asked = {"after": query["after"] or "", "limit": query["limit"] + 1}
        ids = [row["player"] for row in ledger.views.database.query(_NEXT, asked)]
        shown = ids[: query["limit"]]
        return {"players": told(ledger, shown), "next": shown[-1] if len(ids) > len(shown) else None}

    @operations.add(
        "GET", "/players/<text:player>", answer=PlayerSchema, example={"path": {"player": "PLAYER"}}
    )  # fmt: skip
    def read_player(player: str) -> dict[str, Any]:
        """Read a player: matches, hands and wins, in all and by game.

        An id stands in the address percent-encoded; of a person with several, any of them. Their matches and hands are those listed with `player`.
        """
        found = told(ledger, [player])
        if not found:
            raise StoreError("store.unknown", f"there is no player {player!r}")
        return found[0]


def told(ledger: Ledger, players: Sequence[str]) -> list[dict[str, Any]]:
    """Return what there is to tell of players, leaving out those who are in no match."""
    people = ledger.people()
    persons = [people.person(player) for player in players]
    games: dict[str, list[dict[str, Any]]] = {}
    for row in ledger.views.database.query(_TOLD, (json.dumps(persons),)):
        games.setdefault(row["player"], []).append(row)
    return [
        {
            "id": player,
            "name": people.name(player),
            "ids": people.ids(player),
            "games": rows,
            **{name: sum(row[name] for row in rows) for name in _COUNTS},
        }
        for player, rows in games.items()
    ]
