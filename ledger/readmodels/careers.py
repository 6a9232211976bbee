"""Questions to the read models: who plays, what each player has to show, their matches, and two of them together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.readmodels.searches import fold, names_of, players

if TYPE_CHECKING:
    from ledger.ledger import Ledger

ORDERS = {
    "hands": "hands DESC, player",
    "name": "player",
    "seen": "seen DESC, player",
}
"""How a list of players may be ordered."""
_CONDITIONS = {
    "game": "p.game = :game",
    "seats": "p.seats = :seats",
    "seat": "p.seat = :seat",
    "place": "p.place = :place",
    "since": "p.date >= :since",
    "until": "p.date <= :until",
    "after": "(p.date, p.position) < (:date, :position)",
}


@dataclass(frozen=True, slots=True)
class MatchesOf:
    """One page of a player's matches, newest day of play first; `next` is the cursor of the page after it."""

    matches: list[dict[str, Any]]
    next: tuple[str, int] | None


def list_players(
    ledger: Ledger, limit: int, skip: int = 0, search: str | None = None, game: str | None = None, order: str = "hands"
) -> list[dict[str, Any]]:
    """Return players with their matches, hands, wins and games, and the day they were seen last.

    `search` is part of an id or of what a player is called, whatever its capitals and accents; `game` one that counts
    alone.
    """
    conditions = {"game = :game": game, "player IN (SELECT value FROM json_each(:names))": search}
    where = " AND ".join(sql for sql, value in conditions.items() if value is not None) or "true"
    known = names_of(ledger)
    names = [name for name, _ in players(ledger) if fold(search) in known(name)] if search is not None else []
    rows = ledger.views.database.query(
        "SELECT player, sum(matches) AS matches, sum(iif(place, matches, 0)) AS complete, sum(won) AS won,"
        " sum(hands) AS hands, group_concat(DISTINCT game) AS games,"
        " (SELECT max(date) FROM players WHERE player = c.player) AS seen"
        f" FROM careers AS c WHERE {where} GROUP BY player ORDER BY {ORDERS[order]} LIMIT :limit OFFSET :skip",
        {"names": json.dumps(names), "game": game, "limit": limit, "skip": skip},
    )
    return [row | {"games": row["games"].split(",")} for row in rows]


def career(ledger: Ledger, player: str) -> list[dict[str, Any]]:
    """Return the rows of `careers` of a player; none for one who is in no match."""
    return [*ledger.views.database.query("SELECT * FROM careers WHERE player = ?", (_person(ledger, player),))]


def matches_of(
    ledger: Ledger, player: str, limit: int, after: tuple[str, int] | None = None, **filters: object
) -> MatchesOf:
    """Return a player's matches from the newest day of play on, or those after a cursor.

    `filters` are those of `_CONDITIONS`, None for any; place 0 stands for matches that are not complete. The cursor is
    the day and the position of the last match shown.
    """
    date, position = after or (None, None)
    given = {**filters, "after": after}
    where = " AND ".join(["p.player = :player", *(_CONDITIONS[name] for name in given if given[name] is not None)])
    rows = ledger.views.database.query(
        "SELECT p.match, p.game, p.date, p.position, p.seat, p.seats, p.hands, p.total, p.place, p.won, m.players,"
        f" m.status, m.event FROM players AS p JOIN matches AS m ON m.match = p.match WHERE {where}"
        " ORDER BY p.date DESC, p.position DESC LIMIT :limit",
        {**filters, "player": _person(ledger, player), "date": date, "position": position, "limit": limit + 1},
    )
    found = [*rows]
    last = found[limit - 1] if len(found) > limit else None
    return MatchesOf(found[:limit], (last["date"], last["position"]) if last else None)


def meetings(
    ledger: Ledger, player: str, other: str, limit: int | None = None, **filters: object
) -> list[dict[str, Any]]:
    """Return the matches that two players both sat in, newest day of play first, with the points of both.

    `filters` as in `matches_of`; `other_total` and `other_place` are the other player's.
    """
    where = " AND ".join(["p.player = :player", *(_CONDITIONS[name] for name in filters if filters[name] is not None)])
    rows = ledger.views.database.query(
        "SELECT p.match, p.game, p.date, p.seats, p.hands, p.total, p.place, o.total AS other_total,"
        " o.place AS other_place FROM players AS p CROSS JOIN players AS o ON o.match = p.match AND o.player = :other"
        f" WHERE {where} ORDER BY p.date DESC, p.position DESC LIMIT :limit",
        {**filters, **_two(ledger, player, other), "limit": -1 if limit is None else limit},
    )
    return [*rows]


def met(ledger: Ledger, player: str, other: str) -> list[dict[str, Any]]:
    """Return by game and number of players how two players fared in the matches both sat in.

    `more` and `fewer` count the complete matches in which the first had more or fewer points, `points` are the first
    one's less the other's. `played` counts the matches with a hand; over them are the sums of the squares of points, of
    points by hands, and of the squares of hands, from which the error of points a hand follows.
    """
    rows = ledger.views.database.query(
        "SELECT p.game, p.seats, count(*) AS matches, sum(p.place > 0) AS complete, sum(p.hands) AS hands,"
        " sum(p.total - o.total) AS points, sum(p.place AND p.total > o.total) AS more,"
        " sum(p.place AND p.total < o.total) AS fewer,"
        " sum(p.hands > 0) AS played, sum((p.total - o.total) * (p.total - o.total)) AS squares,"
        " sum((p.total - o.total) * p.hands) AS products, sum(p.hands * p.hands) AS hands_squared"
        " FROM players AS p CROSS JOIN players AS o ON o.match = p.match AND o.player = :other"
        " WHERE p.player = :player GROUP BY 1, 2 ORDER BY 5 DESC",
        _two(ledger, player, other),
    )
    return [*rows]


def met_most(ledger: Ledger, player: str, limit: int) -> list[tuple[str, int]]:
    """Return whom a player sat with in most of the latest matches, with their number."""
    rows = ledger.views.reader.execute(
        "SELECT o.player, count(*) FROM (SELECT match FROM players WHERE player = :player"
        " ORDER BY date DESC, position DESC LIMIT 200) AS p JOIN players AS o USING (match)"
        " WHERE o.player <> :player GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit",
        {"player": _person(ledger, player), "limit": limit},
    )
    return rows.fetchall()


def _person(ledger: Ledger, player: str) -> str:
    """Return the person a player id means: the rows name persons."""
    return ledger.people().person(player)


def _two(ledger: Ledger, player: str, other: str) -> dict[str, str]:
    return {"player": _person(ledger, player), "other": _person(ledger, other)}
