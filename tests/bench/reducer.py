"""A hand-written reducer for `diversity` only, with ints as input: the checked fold is compared with it."""

from __future__ import annotations

from cardledger.rules.engine.cards import standard_pack

RANKS, SUITS = standard_pack().ranks, standard_pack().suits
BITS = [1 << card for card in range(52)]


class Reducer:
    """One hand: turn and holding are checked, tricks are counted; no faces, options, policy, audit or corrections."""

    __slots__ = ("held", "leader", "taken", "trick", "turn")

    def __init__(self, held: list[int], leader: int) -> None:
        self.held = held
        self.trick: list[int] = []
        self.turn = self.leader = leader
        self.taken = [0] * 4

    def play(self, seat: int, card: int) -> None:
        """Take in a play."""
        if seat != self.turn:
            raise ValueError
        held, bit = self.held[seat], BITS[card]
        if not held & bit:
            raise ValueError
        self.held[seat] = held ^ bit
        trick = self.trick
        trick.append(card)
        if len(trick) < 4:
            self.turn = (seat + 1) & 3
            return
        seen = repeated = 0
        for played in trick:
            repeated |= seen & SUITS[played]
            seen |= SUITS[played]
        if repeated:
            ranks = [RANKS[played] if SUITS[played] & repeated else -1 for played in trick]
            place = ranks.index(max(ranks))
        else:
            ranks = [RANKS[played] for played in trick]
            place = ranks.index(min(ranks))
        taker = (self.leader + place) & 3
        self.taken[taker] += 1
        self.leader = self.turn = (taker + 1) & 3
        trick.clear()
