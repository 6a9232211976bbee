"""Chance: small random numbers that come out the same at the table and in the kernel (splitmix64)."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

STEP: Final = 0x9E3779B97F4A7C15
"""What the state grows by."""
MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""The factors that mix it."""
BITS: Final = 0xFFFFFFFFFFFFFFFF
UNIT: Final = 1.0 / 9007199254740992.0


class Chance:
    """A source of chance; all that follows depends on `state`, a number of 64 bits.

    It is no good for secrets, and quick to start: every rollout has its own. `cardledger.rules.kernel.tricks` has the
    same again.
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def of(cls, text: str) -> Chance:
        """Return the source that belongs to a text."""
        return cls(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little"))

    def bits(self) -> int:
        """Return a number of 64 bits."""
        z = self.state = (self.state + STEP) & BITS
        z = ((z ^ (z >> 30)) * MIX[0]) & BITS
        z = ((z ^ (z >> 27)) * MIX[1]) & BITS
        return z ^ (z >> 31)

    def random(self) -> float:
        """Return a number from 0 to below 1."""
        return (self.bits() >> 11) * UNIT

    def below(self, n: int) -> int:
        """Return a whole number from 0 to below `n`."""
        return int(self.random() * n)

    def shuffle(self, cards: list[int]) -> None:
        """Put some cards in a random order."""
        for place in range(len(cards) - 1, 0, -1):
            other = self.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]

    def card(self, cards: int) -> int:
        """Return a random card of a set."""
        for _ in range(self.below(cards.bit_count())):
            cards &= cards - 1
        return (cards & -cards).bit_length() - 1

    def cards(self, cards: int, number: int) -> int:
        """Return so many random cards of a set, as a set."""
        if number == cards.bit_count():
            return cards
        found = 0
        for _ in range(number):
            found |= 1 << self.card(cards & ~found)
        return found
