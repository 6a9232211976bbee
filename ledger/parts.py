"""Parts that many games are made of: duties, leads, and how a match ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from ledger.game import Duties, Duty

if TYPE_CHECKING:
    from ledger.table import Table
    from ledger.tricks import TrickTable


@cache
def joint(duties: Duties) -> Duty | None:
    """Return one duty for several: the cards that keep them all. None when there is no duty at all."""
    if len(duties) <= 1:
        return duties[0][1] if duties else None

    def keeps_all(table: TrickTable, held: int) -> int:
        legal = held
        for _, duty in duties:
            legal &= duty(table, held)
        return legal

    return keeps_all


def left_of_dealer(table: TrickTable) -> int:
    """Left of the dealer leads to the first trick."""
    assert table.hand is not None
    return (table.hand.dealer + 1) % table.n


def taker_leads(taker: int, n: int) -> int:
    """The taker of a trick leads to the next."""
    return taker


def follow_suit(table: TrickTable, held: int) -> int:
    """Cards that share a suit with the card led, or any card without one."""
    return held & table.led or held


def highest_of(cards: int, trick: list[int]) -> int:
    """Return the place in the trick of the highest of `cards`, a set of cards of one suit in it."""
    return trick.index(cards.bit_length() - 1)


def after_hands(rule: str, option: str) -> Callable[[Table], str | None]:
    """The match ends after as many hands as an option says."""
    return lambda table: rule if len(table.hands) >= table.options[option] else None


def at_target(rule: str, option: str = "target") -> Callable[[Table], str | None]:
    """The match ends after the first hand at whose end somebody has as many points as an option says."""
    return lambda table: rule if max(table.totals) >= table.options[option] else None
