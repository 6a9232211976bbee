"""Careful play of Diamonds (bidding): bid the tricks a hand is likely to take, then take them cheaply."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import above, highest, lowest, unseen_cards
from ledger.cards import cards_in, standard_pack
from ledger.events import Bid, Event, Play
from ledger.games.diamonds_bid import BiddingTable

SUIT_MASKS: Final = standard_pack().suit_masks
DIAMONDS: Final = SUIT_MASKS[1]
PLAIN_SUITS: Final = (SUIT_MASKS[0], SUIT_MASKS[2], SUIT_MASKS[3])
PLAIN: Final = [sum(1 << suit * 13 + rank for suit in (0, 2, 3)) for rank in range(13)]
"""The cards of a rank in the suits that are not trump."""
TRICKS: Final = {
    2: (-0.97, 0.78, 1.33, 0.98, 1.05, 1.02, 3.29),
    3: (-1.10, 0.55, 0.93, 1.00, 0.89, 0.57, 0.47),
    4: (-0.96, 0.44, 0.81, 0.95, 0.58, 0.22, 0.47),
    5: (-0.66, 0.28, 0.81, 0.81, 0.29, 0.10, 0.33),
    6: (-0.41, 0.13, 0.82, 0.60, 0.11, 0.04, 0.27),
    7: (-0.29, 0.02, 0.81, 0.41, 0.05, 0.01, 0.26),
    8: (-0.18, 0.07, 0.83, 0.25, 0.03, -0.01, 0.07),
}
"""What a hand takes, by the number of players: at the least, for each trump, for its height (ace 1, two 0), for each
ace, king and queen beside trumps, for each card short of two in a plain suit while there are trumps to ruff with.
Least squares over 2,000 to 10,000 hands for each number of players, all played by this policy.
"""


LIKELY: Final = 0.5
"""The chance of the trick from which on a high card is risked."""


def choose(table: BiddingTable) -> Event:
    """Bid, lead or follow."""
    choice = table.choices()[0]
    seat = choice.seat
    assert seat is not None
    if choice.type == "bid":
        return Bid(seat=seat, amount=bid(table.held[seat], table.n))
    legal = table.legal_cards(table.held[seat])
    return Play(seat=seat, card=table.pack.faces[card_of(table, seat, legal, unseen_cards(table, seat))])


def card_of(table: BiddingTable, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(table, seat, legal, unseen) if table.trick else lead(legal, unseen)


def bid(held: int, n: int) -> int:
    """Return the likely tricks in whole numbers: a trick more or less than bid costs about the same, 9 and 10."""
    return min(held.bit_count(), max(0, round(likely_tricks(held, n))))


def likely_tricks(held: int, n: int) -> float:
    """Return how many tricks a hand takes on average at a table of `n`."""
    trumps = held & DIAMONDS
    length = trumps.bit_count()
    shortage = sum(max(0, 2 - (held & suit).bit_count()) for suit in PLAIN_SUITS)
    base, a_trump, height, ace, king, queen, ruff = TRICKS[n]
    return (
        base
        + a_trump * length
        + height * sum(card % 13 for card in cards_in(trumps)) / 12
        + ace * (held & PLAIN[12]).bit_count()
        + king * (held & PLAIN[11]).bit_count()
        + queen * (held & PLAIN[10]).bit_count()
        + ruff * min(shortage, length)
    )


def lead(legal: int, unseen: int) -> int:
    """Return a highest card of its suit, where others are likely to follow; else a low one."""
    masters = [card for card in cards_in(legal) if not unseen & SUIT_MASKS[card // 13] & above(card)]
    if masters:
        return max(masters, key=lambda card: (unseen & SUIT_MASKS[card // 13]).bit_count())
    plain = legal & ~DIAMONDS or legal
    return min(cards_in(plain), key=lambda card: card % 13)


def follow(table: BiddingTable, seat: int, legal: int, unseen: int) -> int:
    """Return the cheapest card that is likely to take the trick, or the least useful one."""
    trick = table.trick
    suit = SUIT_MASKS[trick[0] // 13]
    trumps = [card for card in trick if DIAMONDS >> card & 1]
    best = max(trumps or [card for card in trick if suit >> card & 1])
    winners = legal & above(best) & (DIAMONDS if trumps else suit)
    if not trumps and not legal & suit:
        winners = legal & DIAMONDS
    if not winners:
        return min(cards_in(legal), key=lambda card: card % 13 + 13 * (DIAMONDS >> card & 1))
    later = table.n - 1 - len(trick)
    if not later or not legal & suit:
        return lowest(winners)
    top = highest(winners)
    higher = (unseen & SUIT_MASKS[top // 13] & above(top)).bit_count()
    # Chance that none of the unseen higher cards lies with those who play after.
    absent = 1 - later * table.held[seat].bit_count() / unseen.bit_count()
    return top if absent**higher > LIKELY else lowest(legal)
