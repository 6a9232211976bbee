"""Questions to the read models: the list of matches, a page at a time, and one row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.ledger import Ledger

_JSON_COLUMNS = ("players", "options", "totals", "winners")
_OVER = """EXISTS (SELECT 1 FROM violations AS v WHERE v.match = m.match
    AND (m.status <> 'open' OR v.hand <= m.hands_complete))"""
_FILTERS: dict[str, str | dict[object, str]] = {
    "game": "m.game = :game",
    "player": "p.player = :player",
    "event": "m.event = :event",
    "board": "m.board = :board",
    "place": "m.place = :place",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
    "status": "m.status = :status",
    "over": {True: "m.status <> 'open'", False: "m.status = 'open'"},
    "policy": "m.policy = :policy",
    "violations": {True: "m.violations > 0", False: "m.violations = 0"},
    "violations_over": {True: f"m.violations > 0 AND {_OVER}", False: f"NOT {_OVER}"},
    "corrections": {True: "m.corrections > 0", False: "m.corrections = 0"},
}
"""Conditions on the matches by the names of the filters; where a yes or a no is asked for, one for either."""


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of matches; `next` is the cursor of the page after it, None on the last."""

    matches: list[dict[str, Any]]
    next: int | None


def list_matches(ledger: Ledger, limit: int, after: int | None = None, **filters: object) -> MatchList:
    """Return matches from the newest on, or those after a cursor; `filters` are those of `_FILTERS`, None for any.

    The cursor is the position of the last match shown: positions never change, so pages neither repeat nor skip
    a match while others are recorded.
    """
    filters = resolved(ledger, filters)
    position, source = _source(filters)
    where = [_where(filters), *(() if after is None else (f"{position} < :after",))]
    rows = ledger.views.database.query(
        f"SELECT m.* FROM {source} WHERE {' AND '.join(where)} ORDER BY {position} DESC LIMIT :limit",
        {**filters, "limit": limit + 1, "after": after},
    )
    matches = [_decoded(row) for row in rows]
    more = len(matches) > limit
    return MatchList(matches[:limit], matches[limit - 1]["position"] if more else None)


def match_ids(ledger: Ledger, **filters: object) -> list[str]:
    """Return the ids of the matches that the filters let through, in the order of the ledger."""
    filters = resolved(ledger, filters)
    position, source = _source(filters)
    rows = ledger.views.database.query(
        f"SELECT m.match FROM {source} WHERE {_where(filters)} ORDER BY {position}", filters
    )
    return [row["match"] for row in rows]


def match_row(ledger: Ledger, match: str) -> dict[str, Any]:
    """Return the row of one match; raises StoreError `store.unknown`."""
    rows = ledger.views.database.query("SELECT * FROM matches WHERE match = ?", (match,))
    for row in [*rows]:
        return _decoded(row)
    raise StoreError("store.unknown", f"there is no match {match}")


def violations_over(ledger: Ledger, row: dict[str, Any]) -> int:
    """Return how many violations a match has in hands that are over."""
    rows = ledger.views.reader.execute(
        "SELECT count(*) FROM violations WHERE match = ? AND hand <= ?", (row["match"], row["hands_complete"])
    )
    number: int = rows.fetchone()[0]
    return number


def resolved(ledger: Ledger, filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return filters with the person a `player` among them means: rows name persons, whatever id a match has."""
    player = filters.get("player")
    return {**filters} if player is None else {**filters, "player": ledger.people().person(player)}


def _source(filters: Mapping[str, object]) -> tuple[str, str]:
    """Return the column to go along, and the tables: the matches of a player are found by way of that player."""
    if filters.get("player") is None:
        return "m.position", "matches AS m"
    return "p.position", "players AS p CROSS JOIN matches AS m ON m.match = p.match"


def _where(filters: Mapping[str, object]) -> str:
    return " AND ".join(_condition(name, value) for name, value in filters.items() if value is not None) or "true"


def _condition(name: str, value: object) -> str:
    sql = _FILTERS[name]
    return sql if isinstance(sql, str) else sql[value]


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    return row | {column: json.loads(row[column]) for column in _JSON_COLUMNS}
