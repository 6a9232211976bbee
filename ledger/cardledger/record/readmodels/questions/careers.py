"""Queries on players: the list, each player's record, their matches, and two players together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.record.people.spelling import fold
from cardledger.record.readmodels.questions.evening_list import CAME, spellings
from cardledger.record.readmodels.questions.searches import names_of, players

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.readmodels.readable import ReadableLedger
    from cardledger.rules.engine.days import DayOfPlay

ORDERS = {
    "hands": "hands DESC, player",
    "name": "player",
    "seen": "seen DESC, player",
}
"""The orders of a list of players."""
_CONDITIONS = {
    "game": "p.game = :game",
    "seats": "p.seats = :seats",
    "seat": "p.seat = :seat",
    "place": "p.place = :place",
    "since": "p.date >= :since",
    "until": "p.date <= :until",
    "after": """((p.date, p.position) < (:date, :position)
        OR p.date IS NULL AND (:date IS NOT NULL OR p.position < :position))""",
    "how": """iif(p.side IS NOT NULL, (p.side = o.side) = (:how = 'with'), EXISTS (SELECT 1 FROM company AS c
        WHERE c.match = p.match AND c.seat = p.seat AND c.other = o.seat AND c.how = :how))""",
}
_PLAYED = f"""WITH came AS (
        SELECT player, count(DISTINCT evening) AS evenings, max(day) AS day FROM ({CAME})
        WHERE player > :after AND (:game IS NULL OR game = :game) AND (:others IS NULL OR evening IN (SELECT evening
        FROM evenings WHERE other_game IN (SELECT value FROM json_each(:others)))) GROUP BY player
    ), sat AS (
        SELECT player, sum(matches) AS matches, sum(complete) AS complete, sum(won) AS won, sum(hands) AS hands,
        group_concat(DISTINCT game) AS games, (SELECT max(date) FROM players WHERE player = c.player) AS day
        FROM standings AS c WHERE player > :after AND :others IS NULL AND (:game IS NULL OR game = :game) GROUP BY player
    )
    SELECT player, coalesce(matches, 0) AS matches, coalesce(complete, 0) AS complete, coalesce(won, 0) AS won,
    coalesce(hands, 0) AS hands, games, coalesce(evenings, 0) AS evenings,
    nullif(max(coalesce(sat.day, ''), coalesce(came.day, '')), '') AS seen
    FROM people LEFT JOIN sat USING (player) LEFT JOIN came USING (player)
    WHERE player > :after AND (matches > 0 OR evenings > 0)
    AND (:names IS NULL OR player IN (SELECT value FROM json_each(:names)))"""
"""Everybody who sat in a match or came to an evening."""
_MET = """SELECT iif(p.side = o.side, 'with', 'against') AS how, p.game, p.seats, p.place, p.won, p.hands, p.total,
        o.total AS other_total, p.total - iif(p.side = o.side, 0, o.total) AS points
    FROM players AS p CROSS JOIN players AS o ON o.match = p.match AND o.player = :other
    WHERE p.player = :player AND p.side IS NOT NULL
    UNION ALL
    SELECT c.how, p.game, p.seats, p.place, p.won, c.hands, p.total, o.total, c.gain
    FROM players AS p CROSS JOIN players AS o ON o.match = p.match AND o.player = :other
    CROSS JOIN company AS c ON c.match = p.match AND c.seat = p.seat AND c.other = o.seat
    WHERE p.player = :player AND p.side IS NULL"""
"""How two players met in each match, and its result: the lead of one over the other, or for partners the points of
their side."""


@dataclass(frozen=True, slots=True)
class MatchesOf:
    """One page of a player's matches, newest day of play first, those of an unknown day last; `next` is the cursor of the page after it."""

    matches: list[dict[str, Any]]
    next: tuple[DayOfPlay, int] | None


def list_players(
    ledger: ReadableLedger,
    limit: int,
    skip: int = 0,
    search: str | None = None,
    game: str | None = None,
    order: str = "hands",
    after: str = "",
    other_game: str | None = None,
) -> list[dict[str, Any]]:
    """Return players with their matches, hands, wins and games, their evenings, and the last day they played.

    Somebody who came to an evening of which only results are known is in no match, and is a player too. `search` is
    part of an id or of a player's name, without regard to capitals and accents; `game` counts one game only, `other_game` the evenings of a game
    without rules. Only players with an id `after` the given one are returned.
    """
    given = {**_whose(ledger, search, game, other_game), "limit": limit, "skip": skip, "after": after}
    rows = ledger.views.reader.query(f"{_PLAYED} ORDER BY {ORDERS[order]} LIMIT :limit OFFSET :skip", given)
    return [row | {"games": row["games"].split(",") if row["games"] else []} for row in rows]


def count_players(
    ledger: ReadableLedger, search: str | None = None, game: str | None = None, other_game: str | None = None
) -> int:
    """Return how many players `list_players` has in all."""
    asked = ledger.views.reader.execute(
        f"SELECT count(*) FROM ({_PLAYED})", {**_whose(ledger, search, game, other_game), "after": ""}
    )
    number: int = asked.fetchone()[0]
    return number


def _whose(ledger: ReadableLedger, search: str | None, game: str | None, other_game: str | None) -> dict[str, Any]:
    """Return the values of the conditions on players by part of a name and by game, null for any."""
    others = None if other_game is None else json.dumps(spellings(ledger, other_game))
    if search is None:
        return {"names": None, "game": game, "others": others}
    words_of = names_of(ledger)
    names = [each.name for each in players(ledger) if fold(search) in words_of(each.name)]
    return {"names": json.dumps(names), "game": game, "others": others}


def players_after(ledger: ReadableLedger, after: str, limit: int) -> list[str]:
    """Return the ids of the players after an id, in the order of ids; few of a large ledger are looked at."""
    rows = ledger.views.reader.execute(
        "SELECT player FROM people AS who WHERE player > :after AND (EXISTS (SELECT 1 FROM players AS s WHERE s.player ="
        f" who.player) OR EXISTS (SELECT 1 FROM ({CAME}) AS came WHERE came.player = who.player))"
        " ORDER BY player LIMIT :limit",
        {"after": after, "limit": limit},
    )
    return [player for (player,) in rows]


def evenings_by_player(ledger: ReadableLedger, players: Sequence[str]) -> dict[str, int]:
    """Return how many evenings name each of some persons, without those whom none names."""
    rows = ledger.views.reader.execute(
        f"SELECT player, count(DISTINCT evening) FROM ({CAME}) WHERE player IN (SELECT value FROM json_each(?)) GROUP BY 1",
        (json.dumps([*players]),),
    )
    return dict(rows.fetchall())


def career(ledger: ReadableLedger, player: str) -> list[dict[str, Any]]:
    """Return the rows of `careers` of a player; none for somebody who is in no match."""
    return [*ledger.views.reader.query("SELECT * FROM careers WHERE player = ?", (_person(ledger, player),))]


def matches_of(
    ledger: ReadableLedger, player: str, limit: int, after: tuple[DayOfPlay, int] | None = None, **filters: object
) -> MatchesOf:
    """Return a player's matches, newest day of play first, or those after a cursor.

    `filters` are those of `_CONDITIONS`, None for any; place 0 stands for matches that are not complete. The cursor is
    the day and the position of the last match shown.
    """
    date, position = after or (None, None)
    given = {**filters, "after": after}
    where = " AND ".join(["p.player = :player", *(_CONDITIONS[name] for name in given if given[name] is not None)])
    rows = ledger.views.reader.query(
        "SELECT p.match, p.game, p.date, m.period, p.position, p.seat, p.seats, "
        "p.hands, p.total, p.place, p.won, m.players, m.sides,"
        f" m.status, m.event FROM players AS p JOIN matches AS m ON m.match = p.match WHERE {where}"
        " ORDER BY p.date DESC, p.position DESC LIMIT :limit",
        {**filters, "player": _person(ledger, player), "date": date, "position": position, "limit": limit + 1},
    )
    matches = [*rows]
    last = matches[limit - 1] if len(matches) > limit else None
    return MatchesOf(matches[:limit], (last["date"], last["position"]) if last else None)


def meetings(
    ledger: ReadableLedger, player: str, other: str, limit: int | None = None, **filters: object
) -> list[dict[str, Any]]:
    """Return the matches that two players both sat in, newest day of play first, with the points of both.

    `filters` as in `matches_of`, and `how` they met as in `met`; `other_total` and `other_place` are the other
    player's.
    """
    where = " AND ".join(["p.player = :player", *(_CONDITIONS[name] for name in filters if filters[name] is not None)])
    rows = ledger.views.reader.query(
        "SELECT p.match, p.game, p.date, m.period, p.seats, p.hands, p.total, p.place, p.won, o.total AS other_total,"
        " o.place AS other_place FROM players AS p CROSS JOIN players AS o ON o.match = p.match AND o.player = :other"
        " JOIN matches AS m ON m.match = p.match"
        f" WHERE {where} ORDER BY p.date DESC, p.position DESC LIMIT :limit",
        {**filters, **_two(ledger, player, other), "limit": -1 if limit is None else limit},
    )
    return [*rows]


def met(ledger: ReadableLedger, player: str, other: str) -> list[dict[str, Any]]:
    """Return the results of two players by game, number of players and `how` they met.

    `against` each other or `with`, as partners.

    `won` counts the complete matches that the first player won, `more` and `fewer` those in which the first had more or
    fewer points. A match whose sides change from hand to hand counts once for each way they met in it. `points` are the
    first player's less the other's; for partners, those of their side. `played` counts the matches with a hand. The
    sums over these of squared points, points times hands, and squared hands give the error of points a hand.
    """
    rows = ledger.views.reader.query(
        "SELECT m.how, m.game, m.seats, count(*) AS matches, sum(m.place > 0) AS complete, sum(m.won) AS won,"
        " sum(m.hands) AS hands, sum(m.place AND m.total > m.other_total) AS more,"
        " sum(m.place AND m.total < m.other_total) AS fewer, sum(m.points) AS points,"
        " sum(m.hands > 0) AS played, sum(m.points * m.points) AS squares,"
        " sum(m.points * m.hands) AS products, sum(m.hands * m.hands) AS hands_squared"
        f" FROM ({_MET}) AS m GROUP BY 1, 2, 3 ORDER BY 1, sum(m.hands) DESC, 2, 3",
        _two(ledger, player, other),
    )
    return [*rows]


def met_most(ledger: ReadableLedger, player: str, limit: int) -> list[tuple[str, int]]:
    """Return the players met most often in the latest matches, with the number of matches."""
    rows = ledger.views.reader.execute(
        "SELECT o.player, count(*) FROM (SELECT match FROM players WHERE player = :player"
        " ORDER BY date DESC, position DESC LIMIT 200) AS p JOIN players AS o USING (match)"
        " WHERE o.player <> :player GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit",
        {"player": _person(ledger, player), "limit": limit},
    )
    return rows.fetchall()


def _person(ledger: ReadableLedger, player: str) -> str:
    """Return the person behind a player id, since the rows name persons."""
    return ledger.people().person(player)


def _two(ledger: ReadableLedger, player: str, other: str) -> dict[str, str]:
    return {"player": _person(ledger, player), "other": _person(ledger, other)}
