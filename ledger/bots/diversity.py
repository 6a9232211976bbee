"""Careful play of Diversity: the card least likely to take the trick, high ones first."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import unseen_cards
from ledger.cards import cards_in, standard_pack
from ledger.events import Play
from ledger.games.diversity import taker
from ledger.tricks import TrickTable

SUIT_MASKS: Final = standard_pack().suit_masks
AT_LEAST: Final = [sum(1 << suit * 13 + rank for suit in range(4) for rank in range(r, 13)) for r in range(14)]
"""All cards of a rank or higher ones."""
RELIEF: Final = 0.012
"""How much risk of a trick now it is worth to be rid of a card one rank higher."""


def choose(table: TrickTable) -> Play:
    """Play the card with the least risk, as if the others played any card not seen yet."""
    seat = table.turn
    assert seat is not None
    legal = table.legal_cards(table.held[seat])
    return Play(seat=seat, card=table.pack.faces[card_of(table, seat, legal, unseen_cards(table, seat))])


def card_of(table: TrickTable, seat: int, legal: int, unseen: int) -> int:
    """Return the card with the least risk out of those that are legal."""
    trick = table.trick
    by_suit = [unseen & mask for mask in SUIT_MASKS]
    weight = 1 / (unseen.bit_count() or 1)
    best, least = -1, 9.0
    for card in cards_in(legal):
        match trick:
            case []:
                risk = risk_of_lead(card, by_suit, weight)
            case [led]:
                risk = risk_second(led, card, by_suit, weight)
            case [led, second]:
                risk = risk_third(led, second, card, by_suit, weight)
            case _:
                risk = risk_last(table, card)
        risk -= RELIEF * (card % 13)
        if risk < least:
            best, least = card, risk
    return best


def risk_of_lead(card: int, by_suit: list[int], weight: float) -> float:
    """Chance to take a trick led with a card: three more come, each any of the unseen cards."""
    suit, rank = divmod(card, 13)
    not_above, not_below = ~AT_LEAST[rank + 1], AT_LEAST[rank]
    under = (by_suit[suit] & not_above).bit_count() * weight
    others, squares, low_pairs, four_suits = 0.0, 0.0, 0.0, 6.0
    for other, cards in enumerate(by_suit):
        if other != suit:
            part = cards.bit_count() * weight
            low = (cards & not_above).bit_count() * weight
            others += part
            squares += part * part
            low_pairs += low * low
            four_suits *= (cards & not_below).bit_count() * weight
    apart = others * others - squares
    return four_suits + under * (under * under + 3 * under * others + 3 * (apart + low_pairs))


def risk_second(first: int, card: int, by_suit: list[int], weight: float) -> float:
    """Chance to take a trick with its second card: two more come."""
    suit, rank = divmod(card, 13)
    led, led_rank = divmod(first, 13)
    not_above, not_below = ~AT_LEAST[rank + 1], AT_LEAST[rank]
    if suit == led:
        if rank < led_rank:
            return 0.0
        free = 1 - (by_suit[suit] & ~not_above).bit_count() * weight
        risk = free * free
        for other, cards in enumerate(by_suit):
            if other != suit:
                part = cards.bit_count() * weight
                low = (cards & not_above).bit_count() * weight
                risk -= part * part - low * low
        return risk
    under = (by_suit[suit] & not_above).bit_count() * weight
    others, four_suits = 0.0, 2.0 if rank < led_rank else 0.0
    for other, cards in enumerate(by_suit):
        if other not in (suit, led):
            others += cards.bit_count() * weight
            four_suits *= (cards & not_below).bit_count() * weight
    if rank > led_rank:
        others += (by_suit[led] & not_above).bit_count() * weight
    return four_suits + under * (under + 2 * others)


def risk_third(first: int, second: int, card: int, by_suit: list[int], weight: float) -> float:
    """Chance to take a trick with its third card: one more comes."""
    suit, rank = divmod(card, 13)
    (suit_a, rank_a), (suit_b, rank_b) = divmod(first, 13), divmod(second, 13)
    not_above = ~AT_LEAST[rank + 1]
    risk = 0
    for last, cards in enumerate(by_suit):
        if suit in (suit_a, suit_b, last):
            over_a = rank > rank_a or suit_a not in (suit_b, suit, last)
            over_b = rank > rank_b or suit_b not in (suit_a, suit, last)
            if over_a and over_b:
                risk += (cards & not_above if last in (suit_a, suit_b, suit) else cards).bit_count()
        elif suit_a != suit_b and last not in (suit_a, suit_b) and rank < rank_a and rank < rank_b:
            risk += (cards & AT_LEAST[rank]).bit_count()
    return risk * weight


def risk_last(table: TrickTable, card: int) -> float:
    """Tell whether the last card takes the trick: 1 or 0."""
    place, _ = taker(table, [*table.trick, card])
    return float(place == 3)
