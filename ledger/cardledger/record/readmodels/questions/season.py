"""Queries on a season of a club: the matches of an event or of a span of days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardledger.record.readmodels.readable import ReadableLedger

_COUNTS = "m.status <> 'void'"
_CONDITIONS = {"event": "m.event = :event", "since": "m.date >= :since", "until": "m.date <= :until"}
_MANY_DAYS = 60
"""With this many days of play or more, days are summed by month."""
_SWINGS = """SELECT s.match, s.hand, m.game, m.date, m.period, max(s.score) - min(s.score) AS amount, h.first_seq AS seq
    FROM matches AS m CROSS JOIN seats AS s ON s.match = m.match AND s.score IS NOT NULL
    JOIN hands AS h ON h.match = s.match AND h.hand = s.hand AND h.ended_by = 'play'
    WHERE {where} GROUP BY s.match, s.hand ORDER BY m.game, amount DESC, s.match, s.hand"""


@dataclass(frozen=True, slots=True)
class Season:
    """A season.

    Standings by game and size of table, days (or months) of play, attendance, and the biggest swings of each game.
    `undated` are the matches of an unknown day: left out of a season of days, and on no day of the season of an event.
    """

    matches: int
    hands: int
    first: str | None
    last: str | None
    undated: int
    standings: dict[tuple[str, int], list[dict[str, Any]]]
    days: list[dict[str, Any]]
    attendance: list[dict[str, Any]]
    swings: list[dict[str, Any]]


def season(ledger: ReadableLedger, *, fewest: frozenset[str], **filters: str | None) -> Season:
    """Return the season of an `event`, from a day `since` to a day `until`; None for any.

    `fewest` are the games won by the fewest points: there the fewest lead the standings.
    """
    where = " AND ".join([_COUNTS, *(sql for name, sql in _CONDITIONS.items() if filters.get(name) is not None)])
    query = ledger.views.reader.query
    given = {name: filters.get(name) for name in _CONDITIONS}
    days = [
        *query(
            "SELECT m.date AS day, count(*) AS matches, sum(m.hands_complete) AS hands FROM matches AS m"
            f" WHERE {where} GROUP BY m.date ORDER BY m.date",
            given,
        )
    ]
    played, hands = (sum(row[name] for row in days) for name in ("matches", "hands"))
    days = [row for row in days if row["day"] is not None]
    of_event = "" if filters.get("event") is None else f" AND {_CONDITIONS['event']}"
    undated = f"SELECT count(*) FROM matches AS m WHERE {_COUNTS} AND m.date IS NULL{of_event}"
    of_players = f"FROM matches AS m CROSS JOIN players AS p ON p.match = m.match WHERE {where}"
    standings: dict[tuple[str, int], list[dict[str, Any]]] = {}
    rows = query(
        "SELECT m.game, m.seats, p.player, count(*) AS matches, sum(p.place > 0) AS complete, sum(p.won) AS won,"
        f" sum(p.hands) AS hands, sum(p.total) AS points {of_players} GROUP BY 1, 2, 3",
        given,
    )
    for row in rows:
        standings.setdefault((row["game"], row["seats"]), []).append(row)
    for (game, _), some in standings.items():
        sign = 1 if game in fewest else -1
        some.sort(key=lambda row: (-row["won"], sign * row["points"] / max(row["hands"], 1), row["player"]))
    attendance = query(
        "SELECT p.player, count(DISTINCT m.date) AS days, count(*) AS matches, sum(p.hands) AS hands,"
        f" sum(p.won) AS won {of_players} GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 1",
        given,
    )
    best: dict[str, dict[str, Any]] = {}
    for row in query(_SWINGS.format(where=where), given):
        best.setdefault(row["game"], row)
    return Season(
        matches=played,
        hands=hands,
        first=days[0]["day"] if days else None,
        last=days[-1]["day"] if days else None,
        undated=ledger.views.reader.execute(undated, given).fetchone()[0],
        standings=dict(sorted(standings.items(), key=lambda item: (-sum(row["hands"] for row in item[1]), item[0]))),
        days=_by_month(days) if len(days) > _MANY_DAYS else days,
        attendance=[*attendance],
        swings=[*best.values()],
    )


def latest_day(ledger: ReadableLedger) -> str | None:
    """Return the last day of play, of a match or at a game without rules; None without any that is known."""
    day: str | None = ledger.views.reader.execute(
        f"SELECT max(day) FROM (SELECT max(m.date) AS day FROM matches AS m WHERE {_COUNTS} UNION ALL"
        " SELECT max(e.since) FROM evenings AS e WHERE e.other_game IS NOT NULL"
        " AND EXISTS (SELECT 1 FROM evening_results AS r WHERE r.evening = e.evening))"
    ).fetchone()[0]
    return day


def _by_month(days: list[dict[str, Any]]) -> list[dict[str, Any]]:
    months: dict[str, dict[str, Any]] = {}
    for row in days:
        month = months.setdefault(row["day"][:7], {"day": row["day"][:7], "matches": 0, "hands": 0})
        month["matches"] += row["matches"]
        month["hands"] += row["hands"]
    return [*months.values()]
