"""Careful play of Ruff and Ruff 2.0: take tricks with the cheapest card, ask for the best, give back the worst."""

from __future__ import annotations

from typing import Final

from cardledger.rules import (
    SUITS,
    Ask,
    Bot,
    Choice,
    Collect,
    Event,
    Give,
    Match,
    cards_in,
    highest,
    highest_left,
    legal_cards,
    likely_followed,
    standard_pack,
)
from cardledger.rules.games.ruff.debts import DebtHand

SUIT_MASKS: Final = standard_pack().suit_masks


def other(match: Match[DebtHand], hand: DebtHand, choice: Choice) -> Event:
    """Settle debts: ask for the best card, pay and give back the least useful."""
    seat = choice.seat
    assert seat is not None
    if choice.type == "collect":
        return Collect(seat=seat, source=int(choice.sources[0]))
    if choice.type == "ask":
        return Ask(seat=seat, source=int(choice.sources[0]), suit=SUITS[best_suit(hand, seat)])
    assert choice.to is not None
    return Give(seat=seat, to=choice.to, card=match.pack.faces[least_useful(hand, legal_cards(match, choice))])


def card_to_play(hand: DebtHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(hand, legal) if hand.trick else lead(hand, legal, unseen)


def worth(hand: DebtHand, card: int) -> int:
    """Return how useful a card is in any trick; in a fixed hierarchy of suits, the suit counts too."""
    return card % 13 + (3 * (card // 13) if not hand.circling else 0)


def best_suit(hand: DebtHand, seat: int) -> int:
    """Return the suit whose highest missing card is worth most."""
    missing = hand.deck & ~hand.held[seat]
    tops = [highest(missing & mask) for mask in SUIT_MASKS if missing & mask]
    return max(tops, key=lambda card: worth(hand, card)) // 13


def least_useful(hand: DebtHand, legal: int) -> int:
    """Return a card of little use from a short suit, because a void suit can be ruffed."""
    best, least = -1, 999
    for card in cards_in(legal):
        use = worth(hand, card) + 2 * (legal & SUIT_MASKS[card // 13]).bit_count()
        if use < least:
            best, least = card, use
    return best


def lead(hand: DebtHand, legal: int, unseen: int) -> int:
    """Return the highest card left of a suit that everyone is likely to hold, else a card of little use."""
    masters = highest_left(legal, unseen)
    if masters:
        card = likely_followed(masters, unseen)
        if (unseen & SUIT_MASKS[card // 13]).bit_count() >= hand.n:
            return card
    return least_useful(hand, legal)


def follow(hand: DebtHand, legal: int) -> int:
    """Return the cheapest card that takes the trick as it stands, else a card of little use."""
    trick = hand.trick
    led = trick[0] // 13
    best = 0
    for card in trick:
        best = max(best, height(hand, card, led))
    winners, cheapest, least = 0, -1, 999
    for card in cards_in(legal):
        high = height(hand, card, led)
        if high > best:
            winners |= 1 << card
            if high < least:
                cheapest, least = card, high
    if not winners:
        return least_useful(hand, legal)
    if legal & SUIT_MASKS[led] and len(trick) < hand.n - 1:
        return highest(winners)
    return cheapest


def height(hand: DebtHand, card: int, led: int) -> int:
    """Return the strength of a card when the suit `led` was led.

    Trump suits are above it, in a hierarchy or in a cycle.
    """
    suit, base = card // 13, led if hand.circling else 0
    return card % 13 + (13 + 13 * ((suit - base) % 4) if suit != led else 0)


BOT: Final = Bot(card_to_play, other, replays=32)
