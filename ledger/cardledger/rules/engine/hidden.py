"""Hidden hands: the possible places of unrecorded cards, as one possible world, narrowed by every card shown."""

from __future__ import annotations

from typing import Self

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class World:
    """The knowledge of hidden hands.

    `pool`: cards not seen yet; `known[seat]`: cards surely held (received, taken back or turned up in sight of all);
    `left[seat]`: the number of cards the seat holds; `only[seat]`: the cards it can hold at all; `dealt[seat]`: cards
    now known to have been in the hand at the moment that will be judged.
    """

    __slots__ = ("dealt", "known", "left", "only", "pool")

    def __init__(self, n: int, size: int, pool: int) -> None:
        """Begin with `n` hands of `size` unknown cards out of `pool`."""
        self.pool = pool
        self.known = [0] * n
        self.left = [size] * n
        self.only = [-1] * n
        self.dealt = [0] * n

    def copy(self) -> Self:
        """Return a copy of the world."""
        other = type(self)(0, 0, self.pool)
        other.known = self.known.copy()
        other.left = self.left.copy()
        other.only = self.only.copy()
        other.dealt = self.dealt.copy()
        return other

    def could_hold(self, seat: int) -> int:
        """Return all cards that the seat may hold now."""
        known = self.known[seat]
        if self.left[seat] > known.bit_count():
            known |= self.pool
        return known & self.only[seat]

    def possible(self) -> bool:
        """Tell whether every seat can still hold as many cards as it must."""
        return all(
            self.known[seat].bit_count() <= left <= self.could_hold(seat).bit_count()
            for seat, left in enumerate(self.left)
        )

    def show(self, seat: int, face: int) -> int:
        """Let a card of the face (a mask of twins) leave the hand; return its bit, 0 if the seat cannot hold one."""
        could = self.could_hold(seat) & face
        bit = could & self.known[seat] or could
        bit &= -bit
        if bit & self.pool:
            self.pool ^= bit
            self.dealt[seat] |= bit
        else:
            self.known[seat] ^= bit
        if bit:
            self.left[seat] -= 1
        return bit

    def receive(self, seat: int, bit: int) -> None:
        """Let a card that all have seen enter the hand."""
        self.known[seat] |= bit
        self.only[seat] |= bit
        self.left[seat] += 1

    def draw(self, seat: int, bit: int) -> None:
        """Let an unseen card enter the hand, in sight of all."""
        self.pool &= ~bit
        self.receive(seat, bit)

    def draw_unseen(self, seat: int, count: int, stock: int) -> None:
        """Let cards that nobody saw enter the hand, out of the unseen cards that may be in the stock."""
        self.only[seat] |= stock
        self.left[seat] += count

    def renew_stock(self, cards: int) -> None:
        """Let cards that all have seen be a stock again: nobody sees them come out of it, and no hand has them now."""
        self.pool |= cards
        for seat in range(len(self.only)):
            self.only[seat] &= ~cards

    def turn_up(self, seat: int, bit: int) -> None:
        """Show a card that the seat already holds."""
        self.pool &= ~bit
        self.known[seat] |= bit

    def lose(self, seat: int, count: int) -> None:
        """Let unseen cards leave the hand, for another hand or face down: its known cards become uncertain."""
        self.pool |= self.known[seat]
        self.known[seat] = 0
        self.left[seat] -= count

    def bury(self, seat: int, count: int) -> None:
        """Discard unseen cards for good: each known card is still in the hand, or out of play."""
        for other in range(len(self.only)):
            if other != seat:
                self.only[other] &= ~self.known[seat]
        self.lose(seat, count)

    def stand(self) -> None:
        """Start judging the hands from here: cards shown later were held now."""
        self.dealt = self.known.copy()
