"""Queries on violations across matches: a page at a time, and counts by kind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.record.readmodels.questions.match_list import resolved
from cardledger.record.readmodels.questions.shared_deals import NOT_HELD, held_back, held_hands, held_pairs

if TYPE_CHECKING:
    from cardledger.record.readmodels.readable import ReadableLedger

_CONDITIONS = {
    "game": "m.game = :game",
    "player": "v.player = :player",
    "rule": "v.rule = :rule",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
}
_MATCHES = {"game": "game = :game", "since": "date >= :since", "until": "date <= :until"}
# A revoke reveals the cards held.
_OVER = f"(m.status <> 'open' OR v.hand <= m.hands_complete) AND {NOT_HELD}"


@dataclass(frozen=True, slots=True)
class ViolationList:
    """One page of violations; `next` is the cursor of the page after it, None on the last."""

    violations: list[dict[str, Any]]
    next: tuple[int, int] | None


def list_violations(
    ledger: ReadableLedger,
    limit: int,
    after: tuple[int, int] | None = None,
    *,
    under_way: bool = True,
    **filters: str | None,
) -> ViolationList:
    """Return violations, newest match first, in order within a match; or those after a cursor.

    `filters` are those of `_CONDITIONS`, None for any. The cursor is the match's position and the seq of the last one
    shown. Without `under_way`, violations in unfinished hands of open matches are left out, and those of deals that
    another table is playing or will play.
    """
    filters = resolved(ledger, filters) | {"held": "[]" if under_way else held_hands(ledger.views)}
    where = _where(filters, under_way)
    if after is not None:
        where += " AND (m.position < :position OR m.position = :position AND v.seq > :seq)"
    position, seq = after or (None, None)
    # Without a rule or a player, the newest matches that have any are looked at, not all there are.
    few = filters.get("rule") is not None or filters.get("player") is not None
    newest = "matches AS m INDEXED BY matches_violations CROSS JOIN violations AS v"
    source = "violations AS v JOIN matches AS m" if few else newest
    rows = ledger.views.reader.query(
        "SELECT m.position, v.match, m.game, m.date, m.period, m.seats, "
        "m.options, v.seq, v.hand, v.seat, v.player, v.rule, v.legal"
        f" FROM {source} USING (match) WHERE m.violations > 0 AND {where}"
        " ORDER BY m.position DESC, v.seq LIMIT :limit",
        {**filters, "position": position, "seq": seq, "limit": limit + 1},
    )
    violations = [row | {"legal": row["legal"].split()} for row in rows]
    last = violations[limit - 1] if len(violations) > limit else None
    return ViolationList(violations[:limit], (last["position"], last["seq"]) if last else None)


def count_violations(ledger: ReadableLedger, *, under_way: bool = True, **filters: str | None) -> list[dict[str, Any]]:
    """Return how many violations there are by rule, player, game and month of play, those of `list_violations`.

    `judged` are those among them in hands that `judged_hands` counts.
    """
    filters = resolved(ledger, filters) | {"held": "[]" if under_way else held_hands(ledger.views)}
    rows = ledger.views.reader.query(
        "SELECT v.rule, v.player, m.game, substr(m.date, 1, 7) AS month, count(*) AS count,"
        " sum(m.policy = 'record' AND h.ended_by IS 'play') AS judged"
        " FROM violations AS v JOIN matches AS m USING (match) JOIN hands AS h ON h.match = v.match AND h.hand = v.hand"
        f" WHERE {_where(filters, under_way)} GROUP BY 1, 2, 3, 4",
        filters,
    )
    return [*rows]


def judged_hands(ledger: ReadableLedger, *, under_way: bool = True, **filters: str | None) -> dict[str, int]:
    """Return by game how many hands were played out card by card in matches that record irregular play.

    `filters` and `under_way` are those of `list_violations`, but the rule is ignored; a player's hands are all hands at
    which the player sat.
    """
    filters = resolved(ledger, filters)
    conditions = [sql for name, sql in _MATCHES.items() if filters.get(name) is not None]
    if filters.get("player") is not None:
        conditions.append("player = :player")
    days = filters.get("since") is not None or filters.get("until") is not None
    # Each match counts once: at the player's seat, or else at all of its seats, each with the same number of hands.
    judged = "sum(judged) / seats" if filters.get("player") is None else "sum(judged)"
    rows = ledger.views.reader.execute(
        f"SELECT game, sum(hands) FROM (SELECT game, {judged} AS hands FROM {'players' if days else 'standings'}"
        f" WHERE {' AND '.join(conditions) or 'true'} GROUP BY game, seats) GROUP BY game HAVING sum(hands) > 0",
        filters,
    )
    counts = dict(rows.fetchall())
    if not under_way:
        if filters.get("player") is None:
            conditions.append("seat = 0")
        held = ledger.views.reader.execute(
            # CROSS JOIN makes SQLite begin with the few hands that stay hidden, not with all there are.
            "SELECT game, count(*) FROM json_each(:held) AS held CROSS JOIN players AS p"
            " JOIN hands AS h ON h.match = p.match AND h.hand = json_extract(held.value, '$[1]')"
            " JOIN (SELECT match, policy FROM matches) AS m ON m.match = p.match WHERE p.match = json_extract(held.value, '$[0]')"
            f" AND policy = 'record' AND ended_by = 'play' AND {' AND '.join(conditions)} GROUP BY game",
            filters | {"held": json.dumps(held_pairs(ledger.views))},
        )
        for id, number in held.fetchall():
            counts[id] -= number
    return {id: number for id, number in counts.items() if number}


def rule_counts(ledger: ReadableLedger, game: str, *, under_way: bool = True) -> dict[tuple[str, str], tuple[int, int]]:
    """Return in how many hands of a game, and how often, each rule decided something (`resolved`) or was `broken`.

    The counts come from the read model `rulings`. `under_way` is as in `list_violations`. Deals that another table is
    playing or will play do not count.
    """
    reader = ledger.views.reader
    rows = reader.execute("SELECT rule, verdict, hands, count FROM rules WHERE game = ?", (game,))
    counts = {(rule, verdict): (hands, count) for rule, verdict, hands, count in rows}
    if not under_way:
        rows = reader.execute(
            "SELECT v.rule, count(DISTINCT v.match || ' ' || v.hand), count(*)"
            " FROM matches AS m JOIN violations AS v USING (match) WHERE m.game = :game AND m.match IN"
            " (SELECT match FROM matches WHERE status = 'open' UNION SELECT value FROM json_each(:matches))"
            f" AND NOT ({_OVER}) GROUP BY 1",
            {"game": game, "held": held_hands(ledger.views), "matches": json.dumps([*held_back(ledger.views)])},
        )
        resolved = reader.execute(
            "SELECT rule, count(*), sum(count) FROM rulings WHERE game = ? AND verdict = 'resolved'"
            " AND match || ' ' || hand IN (SELECT value FROM json_each(?)) GROUP BY 1",
            (game, held_hands(ledger.views)),
        )
        for verdict, hidden in (("broken", rows), ("resolved", resolved)):
            for rule, hands, count in hidden.fetchall():
                all_hands, all_counts = counts.pop((rule, verdict))
                if all_counts > count:
                    counts[rule, verdict] = all_hands - hands, all_counts - count
    return counts


def _where(filters: dict[str, str | None], under_way: bool) -> str:
    conditions = [_CONDITIONS[name] for name, value in filters.items() if value is not None and name in _CONDITIONS]
    return " AND ".join(conditions if under_way else [*conditions, _OVER]) or "true"
