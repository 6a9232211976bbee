"""Questions to the read models: violations across matches, a page at a time, and how many there are of which kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.readmodels.matchlist import resolved

if TYPE_CHECKING:
    from ledger.ledger import Ledger

_CONDITIONS = {
    "game": "m.game = :game",
    "player": "v.player = :player",
    "rule": "v.rule = :rule",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
}
_MATCHES = {"game": "game = :game", "since": "date >= :since", "until": "date <= :until"}
# A revoke tells what a hand holds.
_OVER = "(m.status <> 'open' OR v.hand <= m.hands_complete)"


@dataclass(frozen=True, slots=True)
class ViolationList:
    """One page of violations; `next` is the cursor of the page after it, None on the last."""

    violations: list[dict[str, Any]]
    next: tuple[int, int] | None


def list_violations(
    ledger: Ledger,
    limit: int,
    after: tuple[int, int] | None = None,
    *,
    under_way: bool = True,
    **filters: str | None,
) -> ViolationList:
    """Return violations, those of the newest match first and within a match in order, or those after a cursor.

    `filters` are those of `_CONDITIONS`, None for any. The cursor is the match's position and the seq of the last one
    shown. Without `under_way`, those of hands that are not over in matches still open are left out.
    """
    filters = resolved(ledger, filters)
    where = _where(filters, under_way)
    if after is not None:
        where += " AND (m.position < :position OR m.position = :position AND v.seq > :seq)"
    position, seq = after or (None, None)
    rows = ledger.views.database.query(
        "SELECT m.position, v.match, m.game, m.date, m.seats, m.options, v.seq, v.hand, v.seat, v.player, v.rule, v.legal"
        f" FROM violations AS v JOIN matches AS m USING (match) WHERE {where}"
        " ORDER BY m.position DESC, v.seq LIMIT :limit",
        {**filters, "position": position, "seq": seq, "limit": limit + 1},
    )
    found = [row | {"legal": row["legal"].split()} for row in rows]
    last = found[limit - 1] if len(found) > limit else None
    return ViolationList(found[:limit], (last["position"], last["seq"]) if last else None)


def count_violations(ledger: Ledger, *, under_way: bool = True, **filters: str | None) -> list[dict[str, Any]]:
    """Return how many violations there are by rule, player, game and month of play, those of `list_violations`.

    `judged` are those among them in hands that `judged_hands` counts.
    """
    filters = resolved(ledger, filters)
    rows = ledger.views.database.query(
        "SELECT v.rule, v.player, m.game, substr(m.date, 1, 7) AS month, count(*) AS count,"
        " sum(m.policy = 'record' AND h.ended_by IS 'play') AS judged"
        " FROM violations AS v JOIN matches AS m USING (match) JOIN hands AS h ON h.match = v.match AND h.hand = v.hand"
        f" WHERE {_where(filters, under_way)} GROUP BY 1, 2, 3, 4",
        filters,
    )
    return [*rows]


def judged_hands(ledger: Ledger, **filters: str | None) -> dict[str, int]:
    """Return by game how many hands were played out card by card where irregular play is recorded.

    `filters` are those of `list_violations`; the rule does not matter, and a player's hands are those sat in.
    """
    filters = resolved(ledger, filters)
    # Every match counts once: at the player's seat, or else at the first.
    conditions = ["seat = 0" if filters.get("player") is None else "player = :player"]
    conditions += [sql for name, sql in _MATCHES.items() if filters.get(name) is not None]
    days = filters.get("since") is not None or filters.get("until") is not None
    rows = ledger.views.reader.execute(
        f"SELECT game, sum(judged) FROM {'players' if days else 'careers'} WHERE {' AND '.join(conditions)}"
        " GROUP BY game HAVING sum(judged) > 0",
        filters,
    )
    return dict(rows.fetchall())


def rule_counts(ledger: Ledger, game: str, *, under_way: bool = True) -> dict[tuple[str, str], tuple[int, int]]:
    """Return in how many hands of a game, and how often, each rule decided something (`resolved`) or was `broken`.

    What is counted is in the read model `rulings`. Without `under_way` as in `list_violations`.
    """
    reader = ledger.views.reader
    rows = reader.execute("SELECT rule, verdict, hands, count FROM rules WHERE game = ?", (game,))
    counts = {(rule, verdict): (hands, count) for rule, verdict, hands, count in rows}
    if not under_way:
        rows = reader.execute(
            "SELECT v.rule, count(DISTINCT v.match), count(*) FROM matches AS m JOIN violations AS v USING (match)"
            f" WHERE m.status = 'open' AND m.game = ? AND NOT {_OVER} GROUP BY 1",
            (game,),
        )
        for rule, hands, count in rows:
            all_hands, all_counts = counts.pop((rule, "broken"))
            if all_counts > count:
                counts[rule, "broken"] = all_hands - hands, all_counts - count
    return counts


def _where(filters: dict[str, str | None], under_way: bool) -> str:
    conditions = [_CONDITIONS[name] for name, value in filters.items() if value is not None]
    return " AND ".join(conditions if under_way else [*conditions, _OVER]) or "true"
