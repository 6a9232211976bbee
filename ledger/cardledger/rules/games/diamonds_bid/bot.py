"""Careful play of Diamonds (bidding): bid the tricks a hand is likely to take, then take them cheaply."""

from __future__ import annotations

from typing import Final

from cardledger.rules import (
    Bot,
    above,
    absence,
    cards_in,
    cheapest,
    highest,
    highest_left,
    likely_followed,
    lowest,
    standard_pack,
)
from cardledger.rules.games.diamonds_bid.rules import DiamondsHand

SUIT_MASKS: Final = standard_pack().suit_masks
DIAMONDS: Final = SUIT_MASKS[1]
PLAIN_SUITS: Final = (SUIT_MASKS[0], SUIT_MASKS[2], SUIT_MASKS[3])
PLAIN: Final = [sum(1 << suit * 13 + rank for suit in (0, 2, 3)) for rank in range(13)]
"""The cards of a rank in the suits that are not trump."""
TRICKS: Final = (
    (-0.97, 0.78, 1.33, 0.98, 1.05, 1.02, 3.29),
    (-1.10, 0.55, 0.93, 1.00, 0.89, 0.57, 0.47),
    (-0.96, 0.44, 0.81, 0.95, 0.58, 0.22, 0.47),
    (-0.66, 0.28, 0.81, 0.81, 0.29, 0.10, 0.33),
    (-0.41, 0.13, 0.82, 0.60, 0.11, 0.04, 0.27),
    (-0.29, 0.02, 0.81, 0.41, 0.05, 0.01, 0.26),
    (-0.18, 0.07, 0.83, 0.25, 0.03, -0.01, 0.07),
)
"""The tricks a hand takes, a row for each number of players from two on: a constant, then the value of each trump, of
its height (ace 1, two 0), of each ace, king and queen in the plain suits, and of each card short of two in a plain
suit, as long as there are trumps to ruff with. Least squares over 2,000 to 10,000 hands for each number of players,
all played by this bot.
"""
LIKELY: Final = 0.5
"""A high card is risked if it takes the trick with at least this probability."""


def card_to_play(hand: DiamondsHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(hand, seat, legal, unseen) if hand.trick else lead(legal, unseen)


def bid(hand: DiamondsHand, seat: int, allowed: int) -> int:
    """Return the likely tricks, rounded: a trick too many and a trick too few cost about the same, 9 and 10."""
    return min(allowed.bit_length() - 1, max(0, round(likely_tricks(hand.held[seat], hand.n))))


def likely_tricks(held: int, n: int) -> float:
    """Return how many tricks a hand takes on average at a table of `n`."""
    trumps = held & DIAMONDS
    length = trumps.bit_count()
    height, shortage = 0, 0
    for card in cards_in(trumps):
        height += card % 13
    for suit in PLAIN_SUITS:
        shortage += max(0, 2 - (held & suit).bit_count())
    row = TRICKS[n - 2]
    return (
        row[0]
        + row[1] * length
        + row[2] * height / 12
        + row[3] * (held & PLAIN[12]).bit_count()
        + row[4] * (held & PLAIN[11]).bit_count()
        + row[5] * (held & PLAIN[10]).bit_count()
        + row[6] * min(shortage, length)
    )


def lead(legal: int, unseen: int) -> int:
    """Return the highest card left in a suit that others are likely to follow; else a low card."""
    masters = highest_left(legal, unseen)
    return likely_followed(masters, unseen) if masters else cheapest(legal, DIAMONDS)


def follow(hand: DiamondsHand, seat: int, legal: int, unseen: int) -> int:
    """Return the cheapest card that is likely to take the trick, or the least useful one."""
    trick = hand.trick
    suit = SUIT_MASKS[trick[0] // 13]
    trumps = hand.laid & DIAMONDS
    best = highest(trumps or hand.laid & suit)
    winners = legal & above(best) & (DIAMONDS if trumps else suit)
    if not trumps and not legal & suit:
        winners = legal & DIAMONDS
    if not winners:
        return cheapest(legal, DIAMONDS)
    later = hand.n - 1 - len(trick)
    if not later or not legal & suit:
        return lowest(winners)
    top = highest(winners)
    higher = (unseen & SUIT_MASKS[top // 13] & above(top)).bit_count()
    # The probability that no later player holds one of the unseen higher cards.
    absent = 1 - later * hand.held[seat].bit_count() / unseen.bit_count()
    return top if absence(absent, higher) > LIKELY else lowest(legal)


BOT: Final = Bot(card_to_play, bid=bid, replays=48)
