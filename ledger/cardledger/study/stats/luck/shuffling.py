"""Tests of whether the recorded deals look random; only then are luck-adjusted points unbiased."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from cardledger.study.stats.distributions import beyond

if TYPE_CHECKING:
    from cardledger.rules.engine.cards import Pack
    from cardledger.study.stats.luck.deals import Dealt

FEWEST = 20
"""Least number of deals for a test."""
DOUBT = 0.001
"""A p-value below this means that the deals do not look random."""


@dataclass(frozen=True, slots=True)
class Shuffling:
    """A test of randomness: what it looks at, the number of deals, and the p-value (`chance`)."""

    game: str
    seats: int
    test: str
    deals: int
    chance: float

    @property
    def doubtful(self) -> bool:
        """Whether the deals do not look random."""
        return self.chance < DOUBT


def check_deals(deals: Iterable[Dealt]) -> list[Shuffling]:
    """Test the deals by game and number of players, each deal once.

    Where each card goes, and how long the suits are.
    """
    kinds: dict[tuple[str, int, tuple[object, ...]], dict[str, Dealt]] = defaultdict(dict)
    for dealt in deals:
        where = dealt.situation
        kinds[where.game, where.n, where.options][dealt.fingerprint] = dealt
    tests = []
    for (game, n, _), some in sorted(kinds.items(), key=str):
        if len(some) >= FEWEST:
            chosen = [*some.values()]
            tests.append(Shuffling(game, n, "cards", len(some), cards_chance(chosen)))
            tests.append(Shuffling(game, n, "suits", len(some), suits_chance(chosen)))
    return tests


def cards_chance(deals: Sequence[Dealt]) -> float:
    """Return the p-value of how unevenly the cards went to the places (chi-squared)."""
    pack, deck = _pack(deals[0])
    copies = {face: (pack.mask[face] & deck).bit_count() for face in pack.mask if pack.mask[face] & deck}
    total, each, n = deck.bit_count(), len(deals[0].hands[0]), len(deals[0].hands)
    counts = Counter((place, face) for dealt in deals for place, hand in enumerate(dealt.hands) for face in hand)
    sizes = [each] * n
    if total > each * n:  # the cards not dealt count as one more place
        sizes.append(total - each * n)
        for face, number in copies.items():
            counts[n, face] = len(deals) * number - sum(counts[place, face] for place in range(n))
    statistic = 0.0
    for place, size in enumerate(sizes):
        for face, number in copies.items():
            mean = len(deals) * size * number / total
            statistic += (counts[place, face] - mean) ** 2 / mean
    # In every deal row and column sums are fixed, so the mean of the statistic is the degrees of freedom times total /
    # (total − 1).
    return _chi_squared(statistic * (total - 1) / total, (len(sizes) - 1) * (len(copies) - 1))


def suits_chance(deals: Sequence[Dealt]) -> float:
    """Return the p-value of suits being too long, or too even, on average (Student's t)."""
    pack, deck = _pack(deals[0])
    total, each, n = deck.bit_count(), len(deals[0].hands[0]), len(deals[0].hands)
    expected = 0.0
    for suit in pack.suit_masks:
        share = (suit & deck).bit_count() / total
        expected += n * (each * share * (1 - share) * (total - each) / (total - 1) + (each * share) ** 2)
    seen = []
    for dealt in deals:
        counts = 0
        for hand in dealt.hands:
            for suit in pack.suit_masks:
                counts += sum(bool(pack.mask[face] & suit) for face in hand) ** 2
        seen.append(float(counts))
    mean = sum(seen) / len(seen)
    spread = sqrt(sum((one - mean) ** 2 for one in seen) / (len(seen) - 1) / len(seen))
    if not spread:
        return 1.0 if abs(mean - expected) < 1e-9 else 0.0
    return beyond((mean - expected) / spread, len(seen) - 1)


def _pack(dealt: Dealt) -> tuple[Pack, int]:
    """Return the pack of a deal and the cards in play."""
    table = dealt.situation.table()
    return table.pack, getattr(table, "deck", table.pack.full)


def _chi_squared(statistic: float, df: int) -> float:
    """Return the chance beyond a chi-squared statistic, by Wilson and Hilferty's cube root."""
    z = ((statistic / df) ** (1 / 3) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df))
    return NormalDist().cdf(-z)
