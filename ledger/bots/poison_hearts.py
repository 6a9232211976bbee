"""Careful play of Poison Hearts: leave cards to others, but gather a suit that one leads in already."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import unseen_cards
from ledger.cards import cards_in, five_suit_pack
from ledger.events import Event, Pass, Play
from ledger.games.poison_hearts import TiesTable

LOWER: Final = [
    sum(1 << card for card, other in enumerate(five_suit_pack(False).ranks) if other < rank) for rank in range(9)
]
"""All cards below a rank; a card has the same rank whether or not there are cards of two suits."""


def choose(table: TiesTable) -> Event:
    """Pass without a 1, else lead or follow."""
    choice = table.choices()[0]
    seat = choice.seat
    assert seat is not None
    if choice.type == "pass":
        return Pass(seat=seat)
    legal = table.legal_cards(table.held[seat])
    return Play(seat=seat, card=table.pack.faces[card_of(table, seat, legal, unseen_cards(table, seat))])


def card_of(table: TiesTable, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    prices = suit_prices(table, seat)
    return follow(table, legal, prices) if table.trick else lead(table, legal, unseen, prices)


def suit_prices(table: TiesTable, seat: int) -> list[float]:
    """Return, suit by suit, the points to expect from one more card taken (below 0: it makes others free)."""
    taken = table.won.copy()
    mine = taken.pop(seat)
    gone = sum(taken) | mine
    prices = []
    for mask in table.pack.suit_masks:
        own = (mine & mask).bit_count()
        most = max((cards & mask).bit_count() for cards in taken)
        left = (mask & ~gone).bit_count()
        prices.append(points(own + 1, most, left - 1) - points(own, most, left) if left else 0.0)
    return prices


def points(own: int, most: int, left: int) -> float:
    """Return the points to expect for `own` cards of a suit, when another has `most` and `left` are not taken yet."""
    free = 0.5 + (own - most - 0.5) / (left + 1)
    return 0.0 if free >= 1 else own * (1 - free) if free > 0 else own


def lead(table: TiesTable, legal: int, unseen: int, prices: list[float]) -> int:
    """Return the card with the least expected price: low ones, or the highest of a suit worth having."""
    pack = table.pack
    best, least = -1, 99.0
    for card in cards_in(legal):
        rivals = unseen & pack.kin[card]
        rank = pack.ranks[card]
        lower = rivals & LOWER[rank]
        chance = (lower.bit_count() + 0.5) / (rivals.bit_count() + 0.5)
        price = chance * table.n * price_of(pack.suits[card], prices)
        if price < least:
            best, least = card, price
    return best


def price_of(suits: int, prices: list[float]) -> float:
    """Return the price of a card of these suits."""
    if not suits & (suits - 1):
        return prices[suits.bit_length() - 1]
    return max(price for suit, price in enumerate(prices) if suits >> suit & 1)


def follow(table: TiesTable, legal: int, prices: list[float]) -> int:
    """Return the highest card that leaves the trick to others; or one that takes it, if that makes points go."""
    pack, trick = table.pack, table.trick
    ranks, suits = pack.ranks, pack.suits
    kin = pack.kin[trick[0]]
    best = max(ranks[card] for card in trick if kin >> card & 1)
    later = table.n - 1 - len(trick)
    price = sum(price_of(suits[card], prices) for card in trick)
    price += (later + 1) * price_of(suits[trick[0]], prices)
    if not legal & kin:
        return max(cards_in(legal), key=lambda card: ranks[card] + price_of(suits[card], prices))
    under = [card for card in cards_in(legal) if ranks[card] <= best]
    over = [card for card in cards_in(legal) if ranks[card] > best]
    if price < 0 and over:
        return max(over, key=ranks.__getitem__) if later else min(over, key=ranks.__getitem__)
    if under:
        return max(under, key=ranks.__getitem__)
    return min(over, key=ranks.__getitem__) if later else max(over, key=ranks.__getitem__)
