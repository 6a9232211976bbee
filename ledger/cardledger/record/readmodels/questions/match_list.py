"""Queries on matches: the list, a page at a time, and one row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.shared_deals import NOT_HELD, held_hands
from cardledger.record.readmodels.tables.boards import IN_ALL_TABLES
from cardledger.record.readmodels.tables.occasions import NAMED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardledger.record.readmodels.readable import ReadableLedger
    from cardledger.record.store.readers import Reader

_COLUMNS = {column: name for name, column in NAMED.items()}
_JSON_COLUMNS = ("players", "options", "totals", "winners", "sides")
_OVER = f"""EXISTS (SELECT 1 FROM violations AS v WHERE v.match = m.match
    AND (m.status <> 'open' OR v.hand <= m.hands_complete) AND {NOT_HELD})"""
_MET = """EXISTS (SELECT 1 FROM players AS o WHERE o.match = p.match AND o.seat <> p.seat AND o.player = :{} AND
    iif(p.side IS NOT NULL, o.side {} p.side, EXISTS (SELECT 1 FROM company AS c
        WHERE c.match = p.match AND c.seat = p.seat AND c.other = o.seat AND c.how = '{}')))"""
_FILTERS: dict[str, str | dict[object, str]] = {
    "game": "m.game = :game",
    "player": "p.player = :player",
    "seats": "m.seats = :seats",
    "seat": "p.seat = :seat",
    "rank": "p.place = :rank",
    "against": _MET.format("against", "<>", "against"),
    "partner": _MET.format("partner", "=", "with"),
    "event": "m.event = :event",
    "board": "m.table_name = :board",
    "place": "m.venue = :place",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
    "date": {"known": "m.date IS NOT NULL", "unknown": "m.date IS NULL"},
    "status": "m.status = :status",
    "over": {True: "m.status IN ('complete', 'ended')", False: "m.status = 'open'"},
    "policy": "m.policy = :policy",
    "violations": {True: "m.violations > 0", False: "m.violations = 0"},
    "violations_over": {True: f"m.violations > 0 AND {_OVER}", False: f"NOT {_OVER}"},
    "public": {True: IN_ALL_TABLES, False: "true"},
    "corrections": {True: "m.corrections > 0", False: "m.corrections = 0"},
}
"""Conditions on the matches by filter name; a filter of few answers has one for each."""
DATES = ("known", "unknown")
"""Whether the day of play of matches is known."""
_OF_PLAYER = ("seat", "rank", "against", "partner")
"""The filters about one player of the match, `player` or else any; void matches pass none of them."""
ORDERS = ("newest", "oldest")
"""The orders of a list of matches, by their first event."""
_VOID_OF = """m.status = 'void' AND EXISTS (SELECT 1 FROM json_each(m.players) AS seat
    WHERE seat.value IN (SELECT value FROM json_each(:ids)))"""


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of matches; `next` is the cursor of the page after it, None on the last."""

    matches: list[dict[str, Any]]
    next: int | None


def list_matches(
    ledger: ReadableLedger, limit: int, after: int | None = None, *, sort: str = ORDERS[0], **filters: object
) -> MatchList:
    """Return matches, newest or oldest first, or those after a cursor; `filters` are those of `_FILTERS`, None for any.

    The cursor is the position of the last match shown: positions never change, so pages neither repeat nor skip
    a match while others are recorded.
    """
    given = {**_asked(ledger, filters), "limit": limit + 1, "after": after}
    rows: list[dict[str, Any]] = []
    tables, oldest = _tables(ledger, filters), sort == "oldest"
    beyond, order = (">", "ASC") if oldest else ("<", "DESC")
    for position, source, where in _sources(given):
        where = where if after is None else f"{where} AND {position} {beyond} :after"
        rows += tables.query(f"SELECT m.* FROM {source} WHERE {where} ORDER BY {position} {order} LIMIT :limit", given)
    matches = [_decoded(row) for row in sorted(rows, key=lambda row: row["position"], reverse=not oldest)]
    more = len(matches) > limit
    return MatchList(matches[:limit], matches[limit - 1]["position"] if more else None)


def count_matches(ledger: ReadableLedger, **filters: object) -> int:
    """Return how many matches pass the filters."""
    given = _asked(ledger, filters)
    tables = _tables(ledger, filters)
    counts = (
        tables.execute(f"SELECT count(*) FROM {source} WHERE {where}", given).fetchone()[0]
        for _, source, where in _sources(given)
    )
    return sum(counts)


def match_ids(ledger: ReadableLedger, **filters: object) -> list[str]:
    """Return the ids of the matches that pass the filters, in the order of the ledger."""
    given, tables = _asked(ledger, filters), _tables(ledger, filters)
    rows: list[dict[str, Any]] = []
    for _, source, where in _sources(given):
        rows += tables.query(f"SELECT m.match, m.position FROM {source} WHERE {where}", given)
    return [row["match"] for row in sorted(rows, key=lambda row: row["position"])]


def match_row(ledger: ReadableLedger, match: str) -> dict[str, Any]:
    """Return the row of one match; raises StoreError `store.unknown`."""
    rows = ledger.views.reader.query("SELECT * FROM matches WHERE match = ?", (match,))
    for row in [*rows]:
        return _decoded(row)
    raise StoreError("store.unknown", f"there is no match {match}")


def violations_over(ledger: ReadableLedger, row: dict[str, Any], held: Collection[int] = ()) -> int:
    """Return how many violations a match has in hands that are over, without hands that stay hidden."""
    over = row["hands"] if row["status"] in ("complete", "ended") else row["hands_complete"]
    rows = ledger.views.reader.execute(
        "SELECT count(*) FROM violations WHERE match = ? AND hand "
        "<= ? AND hand NOT IN (SELECT value FROM json_each(?))",
        (row["match"], over, json.dumps([*held])),
    )
    number: int = rows.fetchone()[0]
    return number


def resolved(ledger: ReadableLedger, filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters with players replaced by the persons: rows name persons, whatever id a match has."""
    person = ledger.people().person
    players = {name: filters[name] for name in ("player", "against", "partner") if filters.get(name) is not None}
    return {**filters} | {name: person(player) for name, player in players.items()}


def _tables(ledger: ReadableLedger, filters: Mapping[str, object]) -> Reader:
    """Return the tables to ask: what is public is decided by current ones only."""
    return ledger.views.current if filters.get("public") else ledger.views.reader


def _asked(ledger: ReadableLedger, filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return filters as queries take them, with every id of a player among them."""
    player, asked = filters.get("player"), resolved(ledger, filters)
    if player is not None:
        asked["ids"] = json.dumps(ledger.people().ids(player))
    if filters.get("violations_over") is not None:
        asked["held"] = held_hands(ledger.views)
    return asked


def _sources(filters: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Return the parts of a query: the column to follow, the tables, and the conditions.

    A player's matches are found through the table of players, except void ones, which have no rows there.
    """
    conditions = {
        name: sql if isinstance(sql := _FILTERS[name], str) else sql[value]
        for name, value in filters.items()
        if value is not None and name in _FILTERS
    }
    about = [conditions.pop(name) for name in _OF_PLAYER if name in conditions]
    if "player" not in conditions:
        if about:
            conditions["any"] = f"EXISTS (SELECT 1 FROM players AS p WHERE p.match = m.match AND {' AND '.join(about)})"
        return [("m.position", "matches AS m", " AND ".join(conditions.values()) or "true")]
    where = " AND ".join((*conditions.values(), *about))
    of_player = ("p.position", "players AS p CROSS JOIN matches AS m ON m.match = p.match", where)
    if about:
        return [of_player]
    void = " AND ".join((conditions | {"player": _VOID_OF}).values())
    return [of_player, ("m.position", "matches AS m", void)]


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as the API and the pages have it: their names of columns, lists and objects in place of JSON."""
    named = {_COLUMNS.get(column, column): value for column, value in row.items()}
    return named | {column: json.loads(row[column]) for column in _JSON_COLUMNS}
