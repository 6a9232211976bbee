"""The list of matches: rows of the read model, newest first, a page at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.ledger import unknown

if TYPE_CHECKING:
    from ledger.ledger import Ledger

_JSON_COLUMNS = ("players", "options", "totals", "winners")
# Before its first deal a match has no rows in `seats`, so its list of players is asked then.
_PLAYER = """(match IN (SELECT match FROM seats WHERE player = :player) OR hands = 0
    AND EXISTS (SELECT 1 FROM json_each(players) WHERE value = :player))"""


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of matches; `next` is the cursor of the page after it, None on the last."""

    matches: list[dict[str, Any]]
    next: int | None


def list_matches(
    ledger: Ledger,
    limit: int,
    after: int | None = None,
    game: str | None = None,
    player: str | None = None,
) -> MatchList:
    """Return matches from the newest on, or those after a cursor.

    The cursor is the position of the last match shown: positions never change, so pages neither repeat nor skip
    a match while others are recorded.
    """
    conditions = {
        "position < :after": after,
        "game = :game": game,
        _PLAYER: player,
    }
    where = " AND ".join(sql for sql, value in conditions.items() if value is not None) or "true"
    rows = ledger.views.database.query(
        f"SELECT * FROM matches WHERE {where} ORDER BY position DESC LIMIT :limit",
        {"limit": limit + 1, "after": after, "game": game, "player": player},
    )
    matches = [_decoded(row) for row in rows]
    more = len(matches) > limit
    return MatchList(matches[:limit], matches[limit - 1]["position"] if more else None)


def match_row(ledger: Ledger, match: str) -> dict[str, Any]:
    """Return the row of one match; raises StoreError `store.unknown`."""
    rows = ledger.views.database.query("SELECT * FROM matches WHERE match = ?", (match,))
    for row in [*rows]:
        return _decoded(row)
    raise unknown(match)


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    return row | {column: json.loads(row[column]) for column in _JSON_COLUMNS}
