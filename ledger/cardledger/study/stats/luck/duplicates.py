"""The same deal at several tables: everybody holds the same cards, as in duplicate bridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardledger.rules.games import game

if TYPE_CHECKING:
    from cardledger.study.stats.luck.luck_store import StoredHand


@dataclass(frozen=True, slots=True)
class DealComparison:
    """A seat at one table, compared with the players who held the same cards at the others.

    `place` counts from the dealer, whose place is 0. `matchpoints` are 2 for each table with a worse score at that
    place and 1 for an equal one. `difference` is the distance from the mean at that place, in points; more is better.
    """

    match: str
    hand: int
    seat: int
    place: int
    score: int
    matchpoints: int
    difference: float


def compare(hands: Sequence[StoredHand]) -> list[DealComparison]:
    """Return every seat of every table at which a deal was played, in the order of the tables and seats."""
    played = [hand for hand in hands if hand.scores is not None]
    comparisons = []
    for hand in played:
        sign = -1 if game(hand.game).scoring.fewest else 1
        for seat in range(hand.seats):
            place = (seat - hand.dealer) % hand.seats
            field = [sign * _score(other, place) for other in played]
            own = sign * _score(hand, place)
            points = 2 * sum(own > other for other in field) + field.count(own) - 1
            mean = sum(field) / len(field)
            comparisons.append(DealComparison(hand.match, hand.hand, seat, place, sign * own, points, own - mean))
    return comparisons


def _score(hand: StoredHand, place: int) -> int:
    """Return the points of the player at a place from the dealer on."""
    assert hand.scores is not None
    return hand.scores[(place + hand.dealer) % hand.seats]
