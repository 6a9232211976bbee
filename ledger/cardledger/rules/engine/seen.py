"""The knowledge of a seat in a hand of tricks: the cards it may use now, and those it has not seen yet."""

from __future__ import annotations

from typing import Any

from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.state import Hand


def legal_cards(match: Match[Any], choice: Choice) -> int:
    """Return the cards of the seat's own hand that a choice allows."""
    mask, cards = match.pack.mask, 0
    for face in choice.cards:
        cards |= mask[face]
    assert choice.seat is not None
    return cards & match.hand.held[choice.seat]


def cards_in_view(hand: Hand, seat: int) -> int:
    """Return the cards in hands that the player who acts for a seat sees: both hands of that player, and open ones."""
    seen = hand.held[seat] | hand.held[hand.acts_for[seat]]
    if hand.open_hands:
        for other, held in enumerate(hand.held):
            if hand.open_hands >> other & 1:
                seen |= held
    return seen


def unseen_cards(hand: Hand, seat: int) -> int:
    """Return the cards that the player who acts for a seat has not seen.

    Neither held, nor open, nor played in this hand.

    Cards of a tied trick go back to the hands; the few that are removed count as unseen too.
    """
    seen = cards_in_view(hand, seat)
    if hand.trick:
        seen |= hand.laid
    for _, cards, taker, _ in hand.tricks:
        if taker is not None:
            for card in cards:
                seen |= 1 << card
    return hand.deck & ~seen


def above(card: int) -> int:
    """Return all cards of a higher number; within one suit of the standard pack, the higher ranks."""
    return -2 << card


def below(card: int) -> int:
    """Return all cards of a lower number."""
    return (1 << card) - 1


def absence(one: float, cards: int) -> float:
    """Return the probability that all of some cards are absent, if each one is with the probability `one`."""
    all_of_them = 1.0
    for _ in range(cards):
        all_of_them *= one
    return all_of_them


def highest(cards: int) -> int:
    """Return the card of the highest number in a set."""
    return cards.bit_length() - 1


def lowest(cards: int) -> int:
    """Return the card of the lowest number in a set."""
    return (cards & -cards).bit_length() - 1
