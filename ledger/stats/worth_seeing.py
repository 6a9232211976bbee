"""Hands worth seeing: the biggest swings, the closest hands, the costliest cards, the rarest rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.stats.review import BAD, EDITION

if TYPE_CHECKING:
    from ledger.stats.kept import Kept


@dataclass(frozen=True, slots=True)
class Sight:
    """A hand and why it is worth seeing.

    `amount` is in points (rarest rules: hands of the game in which the rule did anything), `seq` the event to look at,
    `detail` the card or the rule.
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
"""Share of the hands up to which what a rule decides is rare."""
_RULE = f"""SELECT match, hand, game, r.hands, 1, rule FROM rules AS r JOIN rulings USING (game, rule, verdict)
    WHERE game = ?1 AND verdict = 'resolved' AND rule NOT GLOB 'match.*'
    AND r.hands <= {_RARE} * (SELECT sum(hands_complete) FROM matches WHERE game = ?1)
    ORDER BY r.hands, match DESC, hand DESC LIMIT ?2"""


def swings(kept: Kept, game: str, limit: int) -> Iterator[Sight]:
    """Hands with the most points between the best and the worst."""
    return _found(kept, "swing", _SPREAD.format("DESC"), game, limit)


def closest(kept: Kept, game: str, limit: int) -> Iterator[Sight]:
    """Hands with the fewest points between the best and the worst."""
    return _found(kept, "closest", _SPREAD.format("ASC"), game, limit)


def costliest(kept: Kept, game: str, limit: int) -> Iterator[Sight]:
    """Choices that gave up most, of those reviewed and beyond doubt."""
    return _found(kept, "costliest", _COST, game, limit)


def rarest(kept: Kept, game: str, limit: int) -> Iterator[Sight]:
    """Hands in which a rule of play or scoring decided something that hardly ever does; that a match ended is none."""
    views = kept.ledger.views.database.conn
    first = dict(_first_seqs(kept, game))
    for match, hand, id, amount, _, rule in views.execute(_RULE, (game, limit)):
        if (match, hand) in first:
            yield Sight("rarest", match, hand, id, amount, first[match, hand], rule)


def _first_seqs(kept: Kept, game: str) -> Iterator[tuple[tuple[str, int], int]]:
    rows = kept.file.reader.execute(
        "SELECT match, hand, first_seq FROM hands WHERE game = ? AND scores IS NOT NULL", (game,)
    )
    return (((match, hand), seq) for match, hand, seq in rows)


def _found(kept: Kept, kind: str, sql: str, game: str, limit: int) -> Iterator[Sight]:
    return (Sight(kind, *row) for row in kept.file.reader.execute(sql, (game, limit)))


KINDS: Mapping[str, Callable[[Kept, str, int], Iterator[Sight]]] = MappingProxyType(
    {"swing": swings, "closest": closest, "costliest": costliest, "rarest": rarest}
)
"""The ways to be worth seeing, by their ids."""
