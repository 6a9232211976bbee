"""The record of a hand: what a table keeps of it, and what everything that comes after reads."""

from __future__ import annotations

from typing import Any

Trick = tuple[int, tuple[int, ...], int | None, str]
"""A complete trick: leader, cards in the order played, taker (None: tied), and the rule that decided it."""


class Hand:
    """The record of one hand, from its deal to its scores.

    `first` and `last` are the numbers of the deal and of the event that ended the hand. `scores`, and `totals` of the
    match after it, are None until the hand is complete; `hidden` says that the deal was not recorded. `exposed` counts
    by seat, where irregular play is recorded, the decisions at which a breakable rule forbade some card held. `extra`
    holds what only some games have (`bids`, `closer`, …), by the names of the replay result; its values are replaced,
    never changed.
    """

    __slots__ = (
        "agreed", "claimed", "dealer", "exposed", "extra", "first", "hidden", "last", "number", "scores", "taken",
        "totals", "tricks",
    )  # fmt: skip

    def __init__(self, number: int, dealer: int, n: int, first: int) -> None:
        self.number = number
        self.dealer = dealer
        self.first = first
        self.last: int | None = None
        self.hidden = False
        self.totals: list[int] | None = None
        self.tricks: list[Trick] = []
        self.taken = [0] * n
        self.exposed = [0] * n
        self.scores: list[int] | None = None
        self.claimed: list[int] | None = None
        self.agreed = False
        self.extra: dict[str, Any] = {}

    def copy(self) -> Hand:
        """Return a record that can go on without changing this one."""
        other = Hand(self.number, self.dealer, 0, self.first)
        other.last = self.last
        other.hidden = self.hidden
        other.totals = self.totals
        other.tricks = self.tricks.copy()
        other.taken = self.taken.copy()
        other.exposed = self.exposed.copy()
        other.scores = self.scores
        other.claimed = self.claimed
        other.agreed = self.agreed
        other.extra = self.extra.copy()
        return other
