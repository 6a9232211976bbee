"""Hands worth seeing: the biggest swings, the closest hands, the costliest cards, the rarest rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from cardledger.rules.questions import BAD
from cardledger.study.stats.review.review import EDITION

if TYPE_CHECKING:
    from cardledger.study.stats.luck.luck_store import LuckStore


@dataclass(frozen=True, slots=True)
class Sight:
    """A hand and why it is worth seeing.

    `amount` is in points; for the rarest rules it is the number of hands in which the rule decided something. `seq` is
    the event to look at, `detail` the card or the rule.
    """

    kind: str
    match: str
    hand: int
    game: str
    amount: float
    seq: int
    detail: str | None


_SPREAD = """SELECT match, hand, game, (SELECT max(value) - min(value) FROM json_each(scores)) AS amount, first_seq, NULL
    FROM hands WHERE scores IS NOT NULL AND game = ? AND why IS NOT 'score'
    ORDER BY amount {}, match DESC, hand DESC LIMIT ?"""
_COST = f"""SELECT match, hand, game, json_extract(value, '$[6]') AS amount, json_extract(value, '$[0]'),
    json_extract(value, '$[3]')
    FROM hands JOIN reviews USING (match, hand), json_each(decisions)
    WHERE game = ? AND edition = '{EDITION}' AND amount > {BAD} * json_extract(value, '$[7]')
    ORDER BY amount DESC, match DESC, hand DESC LIMIT ?"""
_RARE = 0.2
"""A rule is rare if it decides something in at most this share of the hands."""
_FIRST = "SELECT first_seq FROM hands WHERE match = ? AND hand = ? AND scores IS NOT NULL"
_RULE = f"""SELECT match, hand, game, r.hands, rule FROM rules AS r JOIN rulings USING (game, rule, verdict)
    WHERE game = ?1 AND verdict = 'resolved' AND rule NOT GLOB 'match.*'
    AND r.hands <= {_RARE} * (SELECT sum(hands_complete) FROM matches WHERE game = ?1 AND status <> 'void')
    ORDER BY r.hands, match DESC, hand DESC LIMIT ?2"""


def swings(store: LuckStore, game: str, limit: int) -> Iterator[Sight]:
    """Hands with the largest difference between the best and the worst score."""
    return _found(store, "swing", _SPREAD.format("DESC"), game, limit)


def closest(store: LuckStore, game: str, limit: int) -> Iterator[Sight]:
    """Hands with the smallest difference between the best and the worst score."""
    return _found(store, "closest", _SPREAD.format("ASC"), game, limit)


def costliest(store: LuckStore, game: str, limit: int) -> Iterator[Sight]:
    """The costliest decisions that are reviewed and beyond doubt."""
    return _found(store, "costliest", _COST, game, limit)


def rarest(store: LuckStore, game: str, limit: int) -> Iterator[Sight]:
    """Hands in which a rare rule of play or scoring decided something; rules that end a match do not count."""
    views = store.ledger.views.reader
    for match, hand, id, amount, rule in views.execute(_RULE, (game, limit)).fetchall():
        first = store.file.reader.execute(_FIRST, (match, hand)).fetchone()
        if first is not None:
            yield Sight("rarest", match, hand, id, amount, first[0], rule)


def _found(store: LuckStore, kind: str, sql: str, game: str, limit: int) -> Iterator[Sight]:
    return (Sight(kind, *row) for row in store.file.reader.execute(sql, (game, limit)))


KINDS: Mapping[str, Callable[[LuckStore, str, int], Iterator[Sight]]] = MappingProxyType(
    {"swing": swings, "closest": closest, "costliest": costliest, "rarest": rarest}
)
"""The kinds of hands worth seeing, by id."""
