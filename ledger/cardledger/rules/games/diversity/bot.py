"""Careful play of Diversity: the card least likely to take the trick, high ones first."""

from __future__ import annotations

from typing import Final

from cardledger.rules import Bot, Hand, cards_in, standard_pack
from cardledger.rules.games.diversity.rules import taker

SUIT_MASKS: Final = standard_pack().suit_masks
AT_LEAST: Final = [sum(1 << suit * 13 + rank for suit in range(4) for rank in range(r, 13)) for r in range(14)]
"""All cards of at least a given rank."""
RELIEF: Final = 0.012
"""The extra risk of taking this trick that it is worth to get rid of a card one rank higher."""


def card_to_play(hand: Hand, seat: int, legal: int, unseen: int) -> int:
    """Return the legal card with the least risk."""
    trick = hand.trick
    played = len(trick)
    weight = 1 / max(1, unseen.bit_count())
    best, least = -1, 9.0
    for card in cards_in(legal):
        if played == 0:
            risk = risk_of_lead(card, unseen, weight)
        elif played == 1:
            risk = risk_second(trick[0], card, unseen, weight)
        elif played == 2:
            risk = risk_third(trick[0], trick[1], card, unseen, weight)
        else:
            risk = risk_last(hand, card)
        risk -= RELIEF * (card % 13)
        if risk < least:
            best, least = card, risk
    return best


def risk_of_lead(card: int, unseen: int, weight: float) -> float:
    """Return the probability that a card led takes the trick: three random unseen cards follow."""
    suit, rank = divmod(card, 13)
    not_above, not_below = ~AT_LEAST[rank + 1], AT_LEAST[rank]
    under = (unseen & SUIT_MASKS[suit] & not_above).bit_count() * weight
    others, squares, low_pairs, four_suits = 0.0, 0.0, 0.0, 6.0
    for other in range(4):
        if other != suit:
            cards = unseen & SUIT_MASKS[other]
            part = cards.bit_count() * weight
            low = (cards & not_above).bit_count() * weight
            others += part
            squares += part * part
            low_pairs += low * low
            four_suits *= (cards & not_below).bit_count() * weight
    apart = others * others - squares
    return four_suits + under * (under * under + 3 * under * others + 3 * (apart + low_pairs))


def risk_second(first: int, card: int, unseen: int, weight: float) -> float:
    """Return the probability that the second card takes the trick: two more follow."""
    suit, rank = divmod(card, 13)
    led, led_rank = divmod(first, 13)
    not_above, not_below = ~AT_LEAST[rank + 1], AT_LEAST[rank]
    if suit == led:
        if rank < led_rank:
            return 0.0
        free = 1 - (unseen & SUIT_MASKS[suit] & ~not_above).bit_count() * weight
        risk = free * free
        for other in range(4):
            if other != suit:
                cards = unseen & SUIT_MASKS[other]
                part = cards.bit_count() * weight
                low = (cards & not_above).bit_count() * weight
                risk -= part * part - low * low
        return risk
    under = (unseen & SUIT_MASKS[suit] & not_above).bit_count() * weight
    others, four_suits = 0.0, 2.0 if rank < led_rank else 0.0
    for other in range(4):
        if other not in (suit, led):
            cards = unseen & SUIT_MASKS[other]
            others += cards.bit_count() * weight
            four_suits *= (cards & not_below).bit_count() * weight
    if rank > led_rank:
        others += (unseen & SUIT_MASKS[led] & not_above).bit_count() * weight
    return four_suits + under * (under + 2 * others)


def risk_third(first: int, second: int, card: int, unseen: int, weight: float) -> float:
    """Return the probability that the third card takes the trick: one more follows."""
    suit, rank = divmod(card, 13)
    suit_a, rank_a = divmod(first, 13)
    suit_b, rank_b = divmod(second, 13)
    not_above = ~AT_LEAST[rank + 1]
    risk = 0
    for last in range(4):
        cards = unseen & SUIT_MASKS[last]
        if suit in (suit_a, suit_b, last):
            over_a = rank > rank_a or suit_a not in (suit_b, suit, last)
            over_b = rank > rank_b or suit_b not in (suit_a, suit, last)
            if over_a and over_b:
                risk += (cards & not_above if last in (suit_a, suit_b, suit) else cards).bit_count()
        elif suit_a != suit_b and last not in (suit_a, suit_b) and rank < rank_a and rank < rank_b:
            risk += (cards & AT_LEAST[rank]).bit_count()
    return risk * weight


def risk_last(hand: Hand, card: int) -> float:
    """Return 1 if the last card takes the trick, else 0."""
    trick = hand.trick
    place, _ = taker(hand, [trick[0], trick[1], trick[2], card])
    return 1.0 if place == 3 else 0.0


BOT: Final = Bot(card_to_play, replays=96)
