"""What a hand carries over from the hands before, beside its cards: debts, or its place in a cycle of hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.state import Hand


class Carried(NamedTuple):
    """What a hand begins with, and a new match that begins so."""

    of: Callable[[Match[Any], Any], tuple[int, ...] | None]
    """`of(match, hand)` is what a hand begins with, with seats counted from the dealer on; None for nothing."""
    resume: Callable[[Match[Any], tuple[int, ...]], None]
    """`resume(match, carried)` lets a new match begin with it, with seat 0 as dealer."""
    from_tricks: bool = False
    """It follows from the tricks of the hand before."""


def place_in_cycle(length: Callable[[Match[Any]], int]) -> Carried:
    """A hand carries its place in a cycle of hands; nothing where the cycle has no length."""

    def place(match: Match[Any], hand: Hand) -> tuple[int, ...] | None:
        hands = length(match)
        return ((hand.number - 1) % hands + 1,) if hands else None

    return Carried(place, resume_at)


def resume_at(match: Match[Any], carried: tuple[int, ...]) -> None:
    """Start a new match with the hand of this number, with seat 0 as dealer, as if earlier hands had scored nothing."""
    n, (number,) = match.n, carried
    for one in range(1, number):
        before = match.game.hand(n=n)
        before.number, before.dealer, before.totals, before.scores = one, (one - number) % n, [0] * n, [0] * n
        match.hand = before
        match.hands.append(before)
