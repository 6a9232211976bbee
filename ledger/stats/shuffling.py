"""Whether recorded deals look random: luck-adjusted points are without bias only if they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from ledger.stats.student import beyond

if TYPE_CHECKING:
    from ledger.cards import Pack
    from ledger.stats.deals import Dealt

FEWEST = 20
"""Deals from which on the test says anything."""
DOUBT = 0.001
"""Chance of what was seen, if deals were random, below which it is said that they do not look so."""


@dataclass(frozen=True, slots=True)
class Shuffling:
    """A test of deals against random ones: what it looks at, over how many deals, and the chance of as much or more."""

    game: str
    seats: int
    test: str
    deals: int
    chance: float

    @property
    def doubtful(self) -> bool:
        """Whether the deals do not look random."""
        return self.chance < DOUBT


def examined(deals: Iterable[Dealt]) -> list[Shuffling]:
    """Test deals by game and number of players, each deal once: which place gets which card, and how long suits are."""
    kinds: dict[tuple[str, int, tuple[object, ...]], dict[str, Dealt]] = defaultdict(dict)
    for dealt in deals:
        where = dealt.situation
        kinds[where.game, where.n, where.options][dealt.fingerprint] = dealt
    found = []
    for (game, n, _), some in sorted(kinds.items(), key=str):
        if len(some) >= FEWEST:
            chosen = [*some.values()]
            found.append(Shuffling(game, n, "cards", len(some), cards_chance(chosen)))
            found.append(Shuffling(game, n, "suits", len(some), suits_chance(chosen)))
    return found


def cards_chance(deals: Sequence[Dealt]) -> float:
    """Return the chance that places would get the cards they got at least as unevenly (chi-squared)."""
    pack, deck = _pack(deals[0])
    copies = {face: (pack.mask[face] & deck).bit_count() for face in pack.mask if pack.mask[face] & deck}
    total, each, n = deck.bit_count(), len(deals[0].hands[0]), len(deals[0].hands)
    got = Counter((place, face) for dealt in deals for place, hand in enumerate(dealt.hands) for face in hand)
    sizes = [each] * n
    if total > each * n:  # what was not dealt is a place like the others
        sizes.append(total - each * n)
        for face, number in copies.items():
            got[n, face] = len(deals) * number - sum(got[place, face] for place in range(n))
    statistic = 0.0
    for place, size in enumerate(sizes):
        for face, number in copies.items():
            mean = len(deals) * size * number / total
            statistic += (got[place, face] - mean) ** 2 / mean
    # With sums fixed both ways in every deal, its mean is the degrees of freedom times this.
    return _chi_squared(statistic * (total - 1) / total, (len(sizes) - 1) * (len(copies) - 1))


def suits_chance(deals: Sequence[Dealt]) -> float:
    """Return the chance that suits would be at least as much too long, or too even, on average (Student's t)."""
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
