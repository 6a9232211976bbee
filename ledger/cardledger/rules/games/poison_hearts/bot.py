"""Careful play of Poison Hearts: leave cards to others, but collect a suit in which you already have the most."""

from __future__ import annotations

from typing import Final

from cardledger.rules import Bot, Choice, Match, Pass, cards_in
from cardledger.rules.games.poison_hearts.cards import five_suit_pack
from cardledger.rules.games.poison_hearts.passing import PoisonHand
from cardledger.rules.games.poison_hearts.rules import ORDERS, RANKS, SUIT_MASKS, SUITS

LOWER: Final = [
    sum(1 << card for card, other in enumerate(five_suit_pack(False).ranks) if other < rank) for rank in range(10)
]
"""All cards below a rank; a card has the same rank with and without double suits."""


def other(match: Match[PoisonHand], hand: PoisonHand, choice: Choice) -> Pass:
    """Pass without a 1."""
    assert choice.seat is not None
    return Pass(seat=choice.seat)


def card_to_play(hand: PoisonHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    prices = suit_prices(hand, seat)
    return follow(hand, legal, prices) if hand.trick else lead(hand, legal, unseen, prices)


def suit_prices(hand: PoisonHand, seat: int) -> list[float]:
    """Return by suit the expected points for one more card taken; negative if it makes the suit free."""
    prices = [0.0, 0.0, 0.0, 0.0, 0.0]
    for suit in range(5):
        mask = SUIT_MASKS[hand.order][suit]
        own, most, left = 0, 0, mask
        for other in range(hand.n):
            count = (hand.won[other] & mask).bit_count()
            left &= ~hand.won[other]
            if other == seat:
                own = count
            else:
                most = max(most, count)
        if left:
            cards = left.bit_count()
            prices[suit] = points(own + 1, most, cards - 1) - points(own, most, cards)
    return prices


def points(own: int, most: int, left: int) -> float:
    """Return the expected points for `own` cards of a suit if another player has `most` and `left` are not taken yet."""
    free = 0.5 + (own - most - 0.5) / (left + 1)
    return 0.0 if free >= 1 else own * (1 - free) if free > 0 else 1.0 * own


def lead(hand: PoisonHand, legal: int, unseen: int, prices: list[float]) -> int:
    """Return the card with the lowest expected price: a low one, or the highest of a suit worth having."""
    best, least = -1, 99.0
    for card in cards_in(legal):
        rivals = unseen & ORDERS.kin[hand.order][card]
        lower = rivals & LOWER[RANKS[card]]
        chance = (lower.bit_count() + 0.5) / (rivals.bit_count() + 0.5)
        price = chance * hand.n * price_of(SUITS[hand.order][card], prices)
        if price < least:
            best, least = card, price
    return best


def price_of(suits: int, prices: list[float]) -> float:
    """Return the price of a card of these suits."""
    if not suits & (suits - 1):
        return prices[suits.bit_length() - 1]
    most = -99.0
    for suit in range(5):
        if suits >> suit & 1:
            most = max(most, prices[suit])
    return most


def follow(hand: PoisonHand, legal: int, prices: list[float]) -> int:
    """Return the highest card that leaves the trick to others, or a card that takes it if that saves points."""
    trick, suits = hand.trick, SUITS[hand.order]
    kin = ORDERS.kin[hand.order][trick[0]]
    best, price = -1, 0.0
    for card in trick:
        price += price_of(suits[card], prices)
        if kin >> card & 1:
            best = max(best, RANKS[card])
    later = hand.n - 1 - len(trick)
    price += (later + 1) * price_of(suits[trick[0]], prices)
    if not legal & kin:
        thrown, most = -1, -99.0
        for card in cards_in(legal):
            burden = RANKS[card] + price_of(suits[card], prices)
            if burden > most:
                thrown, most = card, burden
        return thrown
    under = legal & LOWER[best + 1]
    over = legal & ~under
    if over and price < 0:
        return of_highest_rank(over) if later else of_lowest_rank(over)
    if under:
        return of_highest_rank(under)
    return of_lowest_rank(over) if later else of_highest_rank(over)


def of_highest_rank(cards: int) -> int:
    """Return the first card of the highest rank."""
    best, most = -1, -1
    for card in cards_in(cards):
        if RANKS[card] > most:
            best, most = card, RANKS[card]
    return best


def of_lowest_rank(cards: int) -> int:
    """Return the first card of the lowest rank."""
    best, least = -1, 99
    for card in cards_in(cards):
        if RANKS[card] < least:
            best, least = card, RANKS[card]
    return best


BOT: Final = Bot(card_to_play, other, replays=80)
