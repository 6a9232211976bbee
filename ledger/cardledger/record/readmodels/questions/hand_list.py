"""Queries on hands: every hand in which something happened, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.record.readmodels.questions.card_in_hand import HAS_CARD, card_and_way
from cardledger.record.readmodels.questions.match_list import ORDERS, resolved
from cardledger.record.readmodels.questions.shared_deals import held_hands
from cardledger.rules.engine.situations import codes_of
from cardledger.sentence import from_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.readmodels.readable import ReadableLedger

_OF_HAND = "match = h.match AND hand = h.hand"
_SCORE = f"""EXISTS (SELECT 1 FROM seats WHERE {_OF_HAND}
    AND (:player IS NULL OR player = :player) AND (:seat IS NULL OR seat = :seat)
    AND (:score_min IS NULL OR score >= :score_min) AND (:score_max IS NULL OR score <= :score_max))"""
_CONDITIONS = {
    "game": "m.game = :game",
    "seats": "m.seats = :seats",
    "player": "p.player = :player",
    "event": "m.event = :event",
    "since": "m.date >= :since",
    "until": "m.date <= :until",
    "ended_by": "h.ended_by = :ended_by",
    "rule": f"EXISTS (SELECT 1 FROM rulings WHERE {_OF_HAND} AND rule = :rule AND verdict = 'resolved')",
    "violation": "EXISTS (SELECT 1 FROM violations WHERE match = h.match AND hand = h.hand AND rule = :violation)"
    " AND m.match IN (SELECT match FROM violations WHERE rule = :violation)",
    "doubtful": f"EXISTS (SELECT 1 FROM doubts WHERE {_OF_HAND}) = :doubtful",
}
FILTERS = (*_CONDITIONS, "seat", "turn", "score_min", "score_max", "card", "how")
"""What a list of hands can be filtered by, beside situations and counts."""
_OF_SEAT = """EXISTS (SELECT 1 FROM seats AS s {joined} WHERE s.match = h.match AND s.hand = h.hand AND {all})"""
_TURN = "(s.seat - h.dealer - 1 + m.seats) % m.seats + 1 = :turn"
_COUNTED = "CROSS JOIN counts AS c USING (match, hand)"
# A count that is 0 for everybody is not stored.
_VALUED = (
    "coalesce(json_extract(c.counts, '$.' || :name_{0} || '[' || s.seat || ']'), 0) BETWEEN :low_{0} AND :high_{0}"
)
# CROSS JOIN fixes the order: newest matches first (a player's through the table of players), then their hands. So a
# page is full long before the whole ledger is read.
_MATCHES = {
    False: ("matches AS m", "m.position"),
    True: ("players AS p CROSS JOIN matches AS m ON m.match = p.match", "p.position"),
}
_FOUND = f"""SELECT m.position, m.match, m.game, m.date, m.period, h.hand, h.dealer, h.ended_by, h.tricks, h.hidden,
    h.first_seq, h.last_seq, h.facts, (SELECT sentence FROM doubts WHERE {_OF_HAND}) AS doubt,
    (SELECT json_group_array(json_object('seat', seat, 'player', player, 'tricks_taken', tricks_taken, 'score', score,
        'total', total, 'side', side, 'facts', json(facts))) FROM seats WHERE {_OF_HAND}) AS seats,
    (SELECT json_group_array(DISTINCT rule) FROM tricks WHERE {_OF_HAND}) AS rules,
    (SELECT json_group_array(json_object('seq', seq, 'seat', seat, 'rule', rule)) FROM violations
        WHERE {_OF_HAND}) AS violations
    {{found}} AND {{beyond}} ORDER BY {{position}} {{order}}, h.hand {{order}} LIMIT :limit"""
_FROM = "FROM {source} CROSS JOIN hands AS h ON h.match = m.match WHERE {where}"
_JSON_COLUMNS = ("seats", "rules", "violations", "facts")
_LAST = 999_999_999
"""No hand has a higher number."""
_LARGEST = 2**63 - 1
"""The largest integer of SQLite."""


@dataclass(frozen=True, slots=True)
class HandList:
    """One page of hands; `next` is the cursor of the page after it, None on the last."""

    hands: list[dict[str, Any]]
    next: tuple[int, int] | None


def list_hands(
    ledger: ReadableLedger,
    limit: int,
    after: tuple[int, int] | None = None,
    *,
    sort: str = ORDERS[0],
    under_way: bool = True,
    where: Sequence[tuple[str, str]] = (),
    matches: int | None = None,
    **filters: Any,
) -> HandList:
    """Return hands, those of the newest or oldest match first, or those after a cursor.

    `filters` are those of `FILTERS`, None for any. `where` holds situations of a hand, or counts of its game, each with
    a value. `card` is a face and `how` the way it came (`WAYS`), by default that it was dealt. All of these and `turn`
    must be the case for the player, at the seat, or else for one and the same seat. The cursor is the
    match's position and the number of the last hand shown. Without `under_way`, a filter by violations finds no hand
    under way, and no filter finds by its play a hand whose cards another table has yet to play; a card finds neither for
    anybody. A page looks at so many
    `matches`, None for any number: it may have fewer hands than `limit`, or none, and yet be followed by another.
    Raises FormatError `format.key`, StoreError `store.unknown` for a card or a way that cannot be.
    """
    fits, asked = _fits(ledger, under_way, where, filters)
    position, number = after or (None, None)
    asked |= {"position": position, "number": number, "limit": limit + 1, "after": after is not None, "sort": sort}
    end = None if matches is None else _end(ledger, position, sort, matches)
    if end is not None:
        fits, asked["end"] = f"{fits} AND m.position {'<=' if sort == 'oldest' else '>='} :end", end
    hands = _hands(ledger, fits, asked)
    last = hands[limit - 1] if len(hands) > limit else None
    if last is None and end is not None:
        return HandList(hands, (end, _LAST if sort == "oldest" else 0))
    return HandList(hands[:limit], (last["position"], last["hand"]) if last else None)


def _end(ledger: ReadableLedger, position: int | None, sort: str, matches: int) -> int | None:
    """Return the position of the last match that a page looks at; None if it comes to the end of the ledger."""
    beyond, order = (">=", "ASC") if sort == "oldest" else ("<=", "DESC")
    row = ledger.views.reader.execute(
        "SELECT position FROM matches WHERE ?1 IS NULL OR position "
        f"{beyond} ?1 ORDER BY position {order} LIMIT 1 OFFSET ?2",
        (position, matches),
    ).fetchone()
    return row and int(row[0])


def count_hands(
    ledger: ReadableLedger, *, under_way: bool = True, where: Sequence[tuple[str, str]] = (), **filters: Any
) -> int:
    """Return how many hands pass the filters, those of `list_hands`."""
    fits, asked = _fits(ledger, under_way, where, filters)
    source, _ = _MATCHES[asked["player"] is not None]
    found = f"SELECT count(*) {_FROM.format(source=source, where=fits)}"
    return int(ledger.views.reader.execute(found, asked).fetchone()[0])


def hand_row(ledger: ReadableLedger, match: str, hand: int) -> dict[str, Any] | None:
    """Return one hand; None if there is none."""
    asked = {"match": match, "hand": min(hand, _LARGEST), "limit": 1}
    return next(iter(_hands(ledger, "m.match = :match AND h.hand = :hand", asked)), None)


def _fits(
    ledger: ReadableLedger, under_way: bool, wanted: Sequence[tuple[str, str]], filters: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the conditions of a query, and what is to be filled in."""
    query = resolved(ledger, dict.fromkeys(FILTERS) | filters)
    where = [sql for name, sql in _CONDITIONS.items() if query[name] is not None]
    if query["score_min"] is not None or query["score_max"] is not None:
        where.append(_SCORE)
    elif query["seat"] is not None:
        where.append("p.seat = :seat" if query["player"] is not None else "m.seats > :seat")
    if query["doubtful"]:
        where.append("m.match IN (SELECT match FROM doubts)")  # few matches are to be looked at
    of_seat = _of_seat(query, wanted)
    if of_seat:
        one = "s.seat = p.seat" if query["player"] is not None else "(:seat IS NULL OR s.seat = :seat)"
        joined = _COUNTED if wanted else ""
        where.append(_OF_SEAT.format(joined=joined, all=" AND ".join((one, *of_seat))))
    if query["card"] is not None:
        where.append("h.ended_by <> 'score'")  # nor one under way
    if not under_way and query["violation"] is not None:
        where.append("h.ended_by IS NOT NULL")
    told = wanted or query["violation"] is not None or query["rule"] is not None
    # By a card, scorers too find only hands whose deal all may see: the same as statistics count.
    if query["card"] is not None or (not under_way and told):
        query["held"] = held_hands(ledger.views)
        where.append("h.match || ' ' || h.hand NOT IN (SELECT value FROM json_each(:held))")
    return " AND ".join(where) or "true", query


def _of_seat(query: dict[str, Any], wanted: Sequence[tuple[str, str]]) -> list[str]:
    """Return the conditions on what happened at one and the same seat, and fill in what they ask."""
    conditions = []
    if query["turn"] is not None:
        conditions.append(_TURN)
    for at, (name, value) in enumerate(wanted):
        low, high = codes_of(name, value) or (1, 0)
        query |= {f"name_{at}": name, f"low_{at}": low, f"high_{at}": high}
        conditions.append(_VALUED.format(at))
    if query["card"] is not None or query["how"] is not None:
        query["card"], query["how"] = card_and_way(query["card"], query["how"], query["game"])
        conditions.append(HAS_CARD[query["how"]])
    return conditions


def _hands(ledger: ReadableLedger, where: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the hands that meet a condition."""
    source, position = _MATCHES[asked.get("player") is not None]
    beyond, order = (">", "ASC") if asked.get("sort") == "oldest" else ("<", "DESC")
    cursor = f"({position}, h.hand) {beyond} (:position, :number)" if asked.get("after") else "true"
    found = _FROM.format(source=source, where=where)
    rows = ledger.views.reader.query(_FOUND.format(found=found, beyond=cursor, position=position, order=order), asked)
    return [
        row
        | {name: msgspec.json.decode(row[name]) for name in _JSON_COLUMNS}
        | {"doubt": row["doubt"] and from_data(msgspec.json.decode(row["doubt"]))}
        for row in rows
    ]
