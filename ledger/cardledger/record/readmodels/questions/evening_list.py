"""Queries on evenings: the list of sessions, the evening of a match, clubs with the players who come to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import StoreError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.spelling import fold
from cardledger.record.readmodels.questions.match_list import ORDERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.readmodels.readable import ReadableLedger

LATELY = 10
"""The number of a club's last evenings whose players are known there."""


CAME = """SELECT p.player, c.evening, e.game, e.since AS day FROM people AS p CROSS JOIN json_each(p.ids) AS i
    CROSS JOIN evening_players AS c ON c.recorded_as = i.value
    JOIN evenings AS e ON e.evening = c.evening AND e.kind = 'session'"""
"""The sessions that name a person, by any id: a row for each id in each."""
_FILTERS = {
    "club": "e.club = :club",
    "status": "e.status = :status",
    "game": "e.game = :game",
    "other_game": "e.other_game IN (SELECT value FROM json_each(:other_game))",
    "since": "e.until >= :since",
    "until": "e.since <= :until",
    "player": f"e.evening IN (SELECT evening FROM ({CAME}) WHERE player = :player)",
}
"""Conditions on evenings by the name of a filter."""


class EveningTable(NamedTuple):
    """The table of an evening that a match was played at; round and table count from 1."""

    evening: str
    name: str
    date: str
    round: int
    table: int


class EveningList(NamedTuple):
    """Sessions in the order asked for; `next` is the position to give as `after`, None at the end."""

    evenings: list[dict[str, Any]]
    next: int | None


def table_of(ledger: ReadableLedger, match: str) -> EveningTable | None:
    """Return the table whose result a match is; of several evenings that name it, the first."""
    row = ledger.views.reader.execute(
        "SELECT e.evening, e.name, e.since, r.round, "
        "r.table_number FROM evening_results AS r JOIN evenings AS e USING (evening)"
        " WHERE r.match = ? ORDER BY e.position, r.round, r.table_number LIMIT 1",
        (match,),
    ).fetchone()
    return EveningTable(*row) if row else None


def boards_of_match(ledger: ReadableLedger, match: str) -> list[int]:
    """Return the boards of an evening whose results a match gives, in the order in which its table plays them."""
    rows = ledger.views.reader.execute(
        "SELECT board FROM evening_results WHERE match = ? AND board > 0 ORDER BY evening, seq, board", (match,)
    )
    return [*dict.fromkeys(board for (board,) in rows)]


def boards_decided(ledger: ReadableLedger, match: str) -> set[int]:
    """Return the boards of a match that its table need not play: the director ruled on them, or they are absent."""
    rows = ledger.views.reader.execute("SELECT board FROM evening_boards WHERE match = ? AND entered", (match,))
    return {board for (board,) in rows}


def list_evenings(
    ledger: ReadableLedger,
    limit: int,
    after: int | None = None,
    kind: str = "session",
    *,
    sort: str = ORDERS[0],
    **filters: str | None,
) -> EveningList:
    """Return evenings of a kind by day, newest or oldest first.

    As rows of `evenings` with `club_name` and the number of `players`.

    `filters` are `club`, `status`, `game`, `other_game` (a game without rules, whatever capitals and accents its name
    has), a `player` by any id, and the days `since` and `until`, which are included; None for any.
    """
    given, where = _given(ledger, filters)
    beyond, order = (">", "ASC") if sort == "oldest" else ("<", "DESC")
    rows = [
        *ledger.views.reader.query(
            "SELECT e.*, c.name AS club_name,"
            " (SELECT count(*) FROM evening_players AS p WHERE p.evening = e.evening) AS players"
            f" FROM evenings AS e LEFT JOIN evenings AS c ON c.evening = e.club WHERE e.kind = :kind{where}"
            f" AND (:after IS NULL OR (coalesce(e.since, ''), e.position) {beyond}"
            " (SELECT coalesce(since, ''), position FROM evenings WHERE position = :after))"
            f" ORDER BY e.since {order}, e.position {order} LIMIT :limit",
            {"kind": kind, "after": after, "limit": limit + 1, **given},
        )
    ]
    return EveningList(rows[:limit], rows[limit - 1]["position"] if len(rows) > limit else None)


def count_evenings(ledger: ReadableLedger, kind: str = "session", **filters: str | None) -> int:
    """Return how many evenings of a kind pass the filters of `list_evenings`."""
    given, where = _given(ledger, filters)
    asked = f"SELECT count(*) FROM evenings AS e WHERE e.kind = :kind{where}"
    return int(ledger.views.reader.execute(asked, {"kind": kind, **given}).fetchone()[0])


def _given(ledger: ReadableLedger, filters: Mapping[str, str | None]) -> tuple[dict[str, str], str]:
    """Return the filters that are given, and their conditions; the rows name persons."""
    given = {name: value for name, value in filters.items() if value is not None}
    if "player" in given:
        given["player"] = ledger.people().person(given["player"])
    if "other_game" in given:
        given["other_game"] = json.dumps(spellings(ledger, given["other_game"]))
    return given, "".join(f" AND {_FILTERS[name]}" for name in given)


def other_games(ledger: ReadableLedger, club: str | None = None) -> list[str]:
    """Return the games without rules of a club, or of all, each as it was written last; the one played last first."""
    rows = ledger.views.reader.execute(
        "SELECT other_game FROM evenings WHERE other_game IS NOT NULL AND (:club IS NULL OR club = :club)"
        " GROUP BY other_game ORDER BY max(since) DESC, max(position) DESC",
        {"club": club},
    )
    by_name: dict[str, str] = {}
    for (name,) in rows:
        if not is_pseudonym(name):
            by_name.setdefault(fold(name), name)
    return [*by_name.values()]


def spellings(ledger: ReadableLedger, name: str) -> list[str]:
    """Return the ways in which a game without rules is written: capitals and accents make no other game."""
    rows = ledger.views.reader.execute("SELECT DISTINCT other_game FROM evenings WHERE other_game IS NOT NULL")
    return sorted(written for (written,) in rows if fold(written) == fold(name))


def all_evenings(ledger: ReadableLedger) -> list[dict[str, Any]]:
    """Return the rows of all clubs, sessions and leagues, in the order of recording."""
    return [*ledger.views.reader.query("SELECT * FROM evenings ORDER BY position")]


def evenings_with(ledger: ReadableLedger, player: str) -> list[dict[str, Any]]:
    """Return the rows of the sessions that name a player, given by any id, in the order of recording."""
    given, where = _given(ledger, {"player": player})
    asked = f"SELECT e.* FROM evenings AS e WHERE e.kind = 'session'{where} ORDER BY e.position"
    return [*ledger.views.reader.query(asked, given)]


def evening_row(ledger: ReadableLedger, evening: str) -> dict[str, Any]:
    """Return the row of a club, a session or a league; raises StoreError `store.unknown`."""
    for row in [*ledger.views.reader.query("SELECT * FROM evenings WHERE evening = ?", (evening,))]:
        return row
    raise StoreError("store.unknown", f"there is no club, session or league {evening}")


def evenings_named(ledger: ReadableLedger, name: str) -> list[dict[str, Any]]:
    """Return the rows of the clubs, sessions and leagues with a name, the newest first."""
    asked = "SELECT * FROM evenings WHERE name = ? ORDER BY coalesce(since, '') DESC, position DESC"
    return [*ledger.views.reader.query(asked, (name,))]


def evenings_beginning(ledger: ReadableLedger, name: str) -> list[dict[str, Any]]:
    """Return the rows of the clubs, sessions and leagues whose names begin so, in small letters or large, the newest first."""
    asked = "SELECT * FROM evenings ORDER BY coalesce(since, '') DESC, position DESC"
    begun = name.casefold()
    return [row for row in ledger.views.reader.query(asked) if begun and row["name"].casefold().startswith(begun)]


def clubs(ledger: ReadableLedger) -> dict[str, str]:
    """Return the names of clubs by id, the one that opened an evening last first."""
    rows = ledger.views.reader.execute(
        "SELECT c.evening, c.name FROM evenings AS c LEFT JOIN "
        "evenings AS s ON s.club = c.evening AND s.kind = 'session'"
        " WHERE c.kind = 'club' GROUP BY c.evening ORDER BY max(coalesce(s.position, 0)) DESC, c.position DESC"
    )
    return dict(rows.fetchall())


def last_evening(ledger: ReadableLedger, club: str, game: str | None = None) -> str | None:
    """Return the id of the session that a club opened last, of a game with rules or without if one is given."""
    row = ledger.views.reader.execute(
        "SELECT evening FROM evenings WHERE club = :club AND kind = 'session'"
        " AND (:game IS NULL OR :game IN (game, other_game)) ORDER BY position DESC LIMIT 1",
        {"club": club, "game": game},
    ).fetchone()
    return row[0] if row else None


def comers(ledger: ReadableLedger, club: str) -> list[str]:
    """Return the ids of the players of a club's last evenings, as written."""
    rows = ledger.views.reader.execute(
        "SELECT DISTINCT recorded_as FROM evening_players WHERE evening IN (SELECT evening FROM evenings"
        " WHERE club = ? AND kind = 'session' ORDER BY since DESC, position DESC LIMIT ?)",
        (club, LATELY),
    )
    return [player for (player,) in rows]


def open_leagues(ledger: ReadableLedger, club: str, day: str) -> dict[str, str]:
    """Return the names of a club's leagues on a day by id, in the order of recording."""
    rows = ledger.views.reader.execute(
        "SELECT evening, name FROM evenings WHERE kind = 'league' "
        "AND club = ? AND ? BETWEEN since AND until ORDER BY position",
        (club, day),
    )
    return dict(rows.fetchall())
