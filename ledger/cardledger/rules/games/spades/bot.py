"""Careful play of spades: bid the tricks a hand is likely to take, then take exactly those; bid nil without high cards.

Against random play a side gains 180 to 200 points a hand, most of it by bidding.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import (
    SUIT_MASKS,
    Bot,
    cards_in,
    duck,
    follow_to_take,
    highest,
    lead_to_take,
    nearest_bid,
    partner_takes,
)
from cardledger.rules.games.spades.bidding import SpadesHand
from cardledger.rules.games.spades.rules import SPADES

NIL: Final = 1
"""The bids with nil alone, as a set."""
NINE: Final = 7
"""The highest spade with which a hand still bids nil."""


def bid(hand: SpadesHand, seat: int, allowed: int) -> int:
    """Bid nil without high cards, else the likely tricks; with the joint limit, nil may be the only bid left."""
    held = hand.held[seat]
    if allowed == NIL or (fit_for_nil(held) and hand.bids[(seat + 2) % 4] != 0):
        return 0
    return nearest_bid(allowed & ~NIL, max(1, round(likely_tricks(held) - 0.2)))


def fit_for_nil(held: int) -> bool:
    """Tell whether a hand has few, low spades, and low cards to cover its high ones."""
    spades = held & SPADES
    if spades.bit_count() > 3 or spades and highest(spades) % 13 > NINE:
        return False
    for suit in SUIT_MASKS[:3]:
        allowed = 4
        for card in cards_in(held & suit):
            if card % 13 > allowed:
                return False
            allowed += 3
    return True


def likely_tricks(held: int) -> float:
    """Estimate the tricks a hand takes: high cards, long spades, and ruffs."""
    spades = held & SPADES
    length = spades.bit_count()
    high = (
        0.95 * (spades >> 51 & 1) + 0.85 * (spades >> 50 & 1) * (length > 1) + 0.7 * (spades >> 49 & 1) * (length > 2)
    )
    tricks = high + 0.9 * max(0, length - 3 - (high > 2))
    short = 0
    for suit in SUIT_MASKS[:3]:
        cards = held & suit
        number, top = cards.bit_count(), suit.bit_length() - 1
        tricks += 0.9 * (cards >> top & 1) + 0.65 * (cards >> top - 1 & 1) * (1 < number < 6)
        tricks += 0.25 * (cards >> top - 2 & 1) * (2 < number < 5)
        short += max(0, 2 - number)
    return tricks + 0.6 * min(short, length, 3) * (length <= 4)


def card_to_play(hand: SpadesHand, seat: int, legal: int, unseen: int) -> int:
    """Return a card that keeps a nil, makes the bid of the side, or takes no bag."""
    partner = (seat + 2) % 4
    nil = hand.bids[seat] == 0 and not hand.taken[seat]
    made = hand.taken[seat] + hand.taken[partner] >= hand.bids[seat] + hand.bids[partner]
    if nil or (made and hand.bids[partner] != 0):
        return duck(hand, legal, SPADES)
    if not hand.trick:
        return lead_to_take(hand, seat, legal, unseen, SPADES)
    cover = hand.bids[partner] == 0 and not hand.taken[partner]
    return follow_to_take(hand, legal, unseen, SPADES, partner_takes(hand, SPADES) and not cover)


BOT: Final[Bot[SpadesHand]] = Bot(card_to_play, bid=bid, replays=80)
