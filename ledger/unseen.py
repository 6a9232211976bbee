"""What is known of hands that nobody wrote down: one possible world, narrowed by every card shown."""

from __future__ import annotations

from typing import Self


class Unseen:
    """Where the cards may be while a hand with hidden deal runs.

    `pool`: cards not seen yet; `known[seat]`: cards surely held (received or taken back in sight of all);
    `left[seat]`: how many cards the seat holds; `only[seat]`: the cards it can hold at all;
    `dealt[seat]`: cards that turned out to have been dealt to the seat.
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
        """Return a world of its own with the same facts."""
        other = type(self)(0, 0, self.pool)
        other.known = self.known.copy()
        other.left = self.left.copy()
        other.only = self.only.copy()
        other.dealt = self.dealt.copy()
        return other

    def could_hold(self, seat: int) -> int:
        """Return the cards any of which the seat may hold now."""
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
        self.left[seat] += 1

    def draw(self, seat: int, bit: int) -> None:
        """Let a card nobody had seen enter the hand, in sight of all."""
        self.pool &= ~bit
        self.receive(seat, bit)
