"""Questions to the read models: the list of matches, one row, and violations across matches, a page at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.ledger import Ledger

_JSON_COLUMNS = ("players", "options", "totals", "winners")
# Before its first deal a match has no rows in `seats`, so its list of players is asked then.
_PLAYER = """(match IN (SELECT match FROM seats WHERE player = :player) OR hands = 0
    AND EXISTS (SELECT 1 FROM json_each(players) WHERE value = :player))"""
_FILTERS = {
    "game": "game = :game",
    "player": _PLAYER,
    "event": "event = :event",
    "since": "date >= :since",
    "until": "date <= :until",
    "status": "status = :status",
    "policy": "policy = :policy",
    "violations": "(violations > 0) = :violations",
    "violations_over": """EXISTS (SELECT 1 FROM violations AS v WHERE v.match = matches.match
        AND (matches.status <> 'open' OR v.hand <= matches.hands_complete)) = :violations_over""",
}
"""Conditions on the matches by the names of the filters."""


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of matches; `next` is the cursor of the page after it, None on the last."""

    matches: list[dict[str, Any]]
    next: int | None


@dataclass(frozen=True, slots=True)
class ViolationList:
    """One page of violations; `next` as in `MatchList`."""

    violations: list[dict[str, Any]]
    next: tuple[int, int] | None


def list_matches(ledger: Ledger, limit: int, after: int | None = None, **filters: object) -> MatchList:
    """Return matches from the newest on, or those after a cursor; `filters` are those of `_FILTERS`, None for any.

    The cursor is the position of the last match shown: positions never change, so pages neither repeat nor skip
    a match while others are recorded.
    """
    where = [_where(filters), *(() if after is None else ("position < :after",))]
    rows = ledger.views.database.query(
        f"SELECT * FROM matches WHERE {' AND '.join(where)} ORDER BY position DESC LIMIT :limit",
        {**filters, "limit": limit + 1, "after": after},
    )
    matches = [_decoded(row) for row in rows]
    more = len(matches) > limit
    return MatchList(matches[:limit], matches[limit - 1]["position"] if more else None)


def match_ids(ledger: Ledger, **filters: object) -> list[str]:
    """Return the ids of the matches that the filters let through, in the order of the ledger."""
    rows = ledger.views.database.query(
        f"SELECT match FROM matches WHERE {_where(filters)} ORDER BY position", dict(filters)
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
    rows = ledger.views.file.reader.execute(
        "SELECT count(*) FROM violations WHERE match = ? AND hand <= ?", (row["match"], row["hands_complete"])
    )
    number: int = rows.fetchone()[0]
    return number


def list_violations(
    ledger: Ledger,
    limit: int,
    after: tuple[int, int] | None = None,
    game: str | None = None,
    player: str | None = None,
    rule: str | None = None,
    *,
    under_way: bool = True,
) -> ViolationList:
    """Return violations, those of the newest match first and within a match in order, or those after a cursor.

    The cursor is the match's position and the seq of the last one shown. Without `under_way`, those of hands that
    are not over in matches still open are left out: a revoke tells what a hand holds.
    """
    conditions = {
        "(position < :position OR position = :position AND violations.seq > :seq)": after,
        "game = :game": game,
        "player = :player": player,
        "rule = :rule": rule,
        "(status <> 'open' OR hand <= hands_complete)": None if under_way else True,
    }
    where = " AND ".join(sql for sql, value in conditions.items() if value is not None) or "true"
    position, seq = after or (None, None)
    rows = ledger.views.database.query(
        "SELECT position, violations.match, game, violations.seq, hand, seat, player, rule, legal"
        f" FROM violations JOIN matches USING (match) WHERE {where}"
        " ORDER BY position DESC, violations.seq LIMIT :limit",
        {"position": position, "seq": seq, "game": game, "player": player, "rule": rule, "limit": limit + 1},
    )
    found = [row | {"legal": row["legal"].split()} for row in rows]
    last = found[limit - 1] if len(found) > limit else None
    return ViolationList(found[:limit], (last["position"], last["seq"]) if last else None)


def _where(filters: Mapping[str, object]) -> str:
    return " AND ".join(_FILTERS[name] for name, value in filters.items() if value is not None) or "true"


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    return row | {column: json.loads(row[column]) for column in _JSON_COLUMNS}
