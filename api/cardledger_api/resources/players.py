"""The resource of players: the matches, hands and wins of each, game by game."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.errors import FormatError, StoreError
from cardledger.record.readmodels.questions.careers import (
    ORDERS,
    count_players,
    evenings_by_player,
    list_players,
    players_after,
)
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import GameId, Whole, between
from cardledger_api.http.schemas import TOTAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger


class PlayerQuery(Schema):
    """Filters for players; `player` finds one whose id does not fit in an address, such as `..`."""

    limit = Whole(load_default=50, validate=between(1, 200))
    after = fields.String(load_default=None, metadata={"description": "the cursor `next` of the page before"})
    player = fields.String(load_default=None)
    q = fields.String(
        load_default=None, metadata={"description": "part of an id or a name; capitals and accents do not matter"}
    )
    game: fields.String = GameId(load_default=None)
    other_game = fields.String(
        load_default=None,
        metadata={"description": "only those who came to evenings of a game without rules here, by its name"},
    )
    sort = fields.String(
        load_default="name",
        validate=validate.OneOf([*ORDERS]),
        metadata={"description": "by id (`name`), most hands first, or those first who played last (`seen`)"},
    )
    total = TOTAL


class PlayerGameSchema(Schema):
    """A player's record in one game; some wins may be shared with others."""

    game = fields.String()
    matches = fields.Integer()
    complete = fields.Integer()
    hands = fields.Integer()
    wins = fields.Integer()


class PlayerSchema(Schema):
    """A player: name, all ids, totals, and the same for each game."""

    id = fields.String()
    name = fields.String()
    ids = fields.List(fields.String())
    evenings = fields.Integer(metadata={"description": "the evenings that name the player, with results alone too"})
    matches = fields.Integer()
    complete = fields.Integer()
    hands = fields.Integer()
    wins = fields.Integer()
    games = fields.List(fields.Nested(PlayerGameSchema))


class PlayerListSchema(Schema):
    """One page of players; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    players = fields.List(fields.Nested(PlayerSchema))
    next = fields.String(allow_none=True)
    total = fields.Integer()


_COUNT = re.compile("[0-9]{1,18}")
"""The cursor of an order other than that of ids."""
_COUNTS = ("matches", "complete", "hands", "wins")
_RECORDS = """SELECT p.player, m.game, count(*) AS matches, sum(m.status = 'complete') AS complete, sum(p.hands) AS hands,
    sum(p.won) AS wins FROM json_each(?) AS asked JOIN players AS p ON p.player = asked.value
    JOIN matches AS m ON m.match = p.match GROUP BY asked.key, m.game ORDER BY asked.key, m.game"""


@operations.add(
    "GET", "/players", query=PlayerQuery, answer=PlayerListSchema, example={"query": {"limit": 3}}
)  # fmt: skip
def list_of_players(query: dict[str, Any]) -> dict[str, Any]:
    """List players in the order of their ids, or another, a page at a time.

    In the order of ids, pages neither repeat nor skip anybody. In another, the cursor counts players, whose order may
    change while others record.
    """
    ledger = current_ledger()
    if query["player"] is not None:
        records = player_records(ledger, [query["player"]])
        return {"players": records, "next": None} | ({"total": len(records)} if query["total"] else {})
    shown, following = _page(query)
    total = {"total": count_players(ledger, query["q"], query["game"], query["other_game"])} if query["total"] else {}
    return {"players": player_records(ledger, shown), "next": following} | total


def _page(query: dict[str, Any]) -> tuple[list[str], str | None]:
    """Return the ids on a page, and the cursor of the next."""
    ledger = current_ledger()
    limit, after = query["limit"], query["after"] or ""
    if query["sort"] == "name":
        if query["q"] is None and query["game"] is None and query["other_game"] is None:
            ids = players_after(ledger, after, limit + 1)
        else:
            rows = list_players(ledger, limit + 1, 0, query["q"], query["game"], "name", after, query["other_game"])
            ids = [row["player"] for row in rows]
        return ids[:limit], ids[limit - 1] if len(ids) > limit else None
    if after and not _COUNT.fullmatch(after):
        raise FormatError("format.value", "after is no cursor of this order: use the `next` of an answer")
    skip = int(after or 0)
    found = list_players(
        ledger, limit + 1, skip, query["q"], query["game"], query["sort"], other_game=query["other_game"]
    )
    return [row["player"] for row in found[:limit]], str(skip + limit) if len(found) > limit else None


@operations.add(
    "GET", "/players/<text:player>", answer=PlayerSchema, example={"path": {"player": "PLAYER"}}
)  # fmt: skip
def read_player(player: str) -> dict[str, Any]:
    """Read a player: matches, hands and wins, in total and by game.

    Percent-encode the id in the address; any id of a person will do. The filter `player` lists their matches and
    hands.
    """
    ledger = current_ledger()
    records = player_records(ledger, [player])
    if not records:
        raise StoreError("store.unknown", f"there is no player {player!r}")
    return records[0]


def player_records(ledger: Ledger, players: Sequence[str]) -> list[dict[str, Any]]:
    """Return the records of players, without those who are in no match and came to no evening."""
    people = ledger.people()
    persons = [people.person(player) for player in players]
    came = evenings_by_player(ledger, persons)
    found: dict[str, list[dict[str, Any]]] = {}
    for row in ledger.views.reader.query(_RECORDS, (json.dumps(persons),)):
        found.setdefault(row["player"], []).append(row)
    games = {player: found.get(player, []) for player in dict.fromkeys(persons) if player in found or player in came}
    return [
        {
            "id": player,
            "name": people.name(player),
            "ids": people.ids(player),
            "evenings": came.get(player, 0),
            "games": rows,
            **{name: sum(row[name] for row in rows) for name in _COUNTS},
        }
        for player, rows in games.items()
    ]
