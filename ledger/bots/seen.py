"""What a seat may know in a game of tricks: the cards it may use now, and those it has not seen yet."""

from __future__ import annotations

from typing import Literal

from ledger.choice import Choice
from ledger.tricks import TrickTable

SUITS: tuple[Literal["C", "D", "H", "S"], ...] = ("C", "D", "H", "S")
"""The suits one may ask for, in the hierarchy of the rulebook."""


def legal_cards(table: TrickTable, choice: Choice) -> int:
    """Return the cards out of the seat's own hand that a choice allows."""
    mask, cards = table.pack.mask, 0
    for face in choice.cards:
        cards |= mask[face]
    assert choice.seat is not None
    return cards & table.held[choice.seat]


def unseen_cards(table: TrickTable, seat: int) -> int:
    """Return the cards that may be in other hands or out of play: neither held nor played in this hand.

    Cards of a tied trick went back to the hands; the few that are removed then count as unseen too.
    """
    assert table.hand is not None
    seen = table.held[seat]
    for card in table.trick:
        seen |= 1 << card
    for _, cards, taker, _ in table.hand.tricks:
        if taker is not None:
            for card in cards:
                seen |= 1 << card
    return table.deck & ~seen


def above(card: int) -> int:
    """Return all cards of a higher number; within one suit of the standard pack, the higher ranks."""
    return -2 << card


def below(card: int) -> int:
    """Return all cards of a lower number."""
    return (1 << card) - 1


def highest(cards: int) -> int:
    """Return the card of the highest number in a set."""
    return cards.bit_length() - 1


def lowest(cards: int) -> int:
    """Return the card of the lowest number in a set."""
    return (cards & -cards).bit_length() - 1
