"""Sensible play of tricks with the standard pack: bids, the cards that take a trick, and the cooperation of partners.

All of it is in the rule subset, like the cards and bids that bots choose.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules.engine.cards import cards_in, standard_pack
from cardledger.rules.engine.seen import above, highest
from cardledger.rules.engine.state import Hand

SUIT_MASKS: Final = standard_pack().suit_masks


def nearest_bid(allowed: int, wanted: float) -> int:
    """Return the bid out of a set that is nearest to the tricks wanted; the lower of two."""
    best, least = -1, 99.0
    for bid in range(allowed.bit_length()):
        if allowed >> bid & 1 and abs(bid - wanted) < least:
            best, least = bid, abs(bid - wanted)
    return best


def best_of(trick: list[int], trumps: int) -> int:
    """Return the card that is winning a trick so far."""
    best = trick[0]
    for card in trick[1:]:
        if beats(best, trumps) >> card & 1:
            best = card
    return best


def beats(best: int, trumps: int) -> int:
    """Return all cards that beat the best one so far: higher ones of its suit, and trumps."""
    higher = SUIT_MASKS[best // 13] & above(best)
    return higher if trumps >> best & 1 else higher | trumps


def cheapest(cards: int, trumps: int) -> int:
    """Return the card of the lowest rank, trumps last."""
    best, least = -1, 99
    for card in cards_in(cards):
        height = card % 13 + 13 * (trumps >> card & 1)
        if height < least:
            best, least = card, height
    return best


def dearest(cards: int, trumps: int) -> int:
    """Return the card of the highest rank, trumps first."""
    best, most = -1, -1
    for card in cards_in(cards):
        height = card % 13 + 13 * (trumps >> card & 1)
        if height > most:
            best, most = card, height
    return best


def below_best(hand: Hand, legal: int, trumps: int) -> int:
    """Return the legal cards that do not take the trick from the best card so far."""
    return legal & ~beats(best_of(hand.trick, trumps), trumps)


def duck(hand: Hand, legal: int, trumps: int) -> int:
    """Return a card that avoids the trick: the highest that does not take it, else the lowest."""
    if not hand.trick:
        return cheapest(legal, trumps)
    under = below_best(hand, legal, trumps)
    return dearest(under, trumps) if under else cheapest(legal, trumps)


def lead_to_take(hand: Hand, seat: int, legal: int, unseen: int, trumps: int) -> int:
    """Return a lead.

    The highest card left of a suit, a trump from a long trump suit, else a low card of a long suit.
    """
    masters = highest_left(legal, unseen)
    own, theirs = (hand.held[seat] & trumps).bit_count(), (unseen & trumps).bit_count()
    plain = masters & ~trumps
    if plain and (own > theirs or not theirs or not own):
        return likely_followed(plain, unseen)
    if masters & trumps and own >= 4 and theirs:
        return highest(masters & trumps)
    if plain:
        return likely_followed(plain, unseen)
    best, most = -1, -1
    for card in cards_in(legal & ~trumps or legal):
        worth = 13 * (hand.held[seat] & SUIT_MASKS[card // 13]).bit_count() - card % 13
        if worth > most:
            best, most = card, worth
    return best


def highest_left(cards: int, unseen: int) -> int:
    """Return the cards above which nothing in their suit is unseen."""
    found = 0
    for card in cards_in(cards):
        if not unseen & SUIT_MASKS[card // 13] & above(card):
            found |= 1 << card
    return found


def likely_followed(cards: int, unseen: int) -> int:
    """Return the card of the suit of which most is unseen."""
    best, most = -1, -1
    for card in cards_in(cards):
        others = (unseen & SUIT_MASKS[card // 13]).bit_count()
        if others > most:
            best, most = card, others
    return best


def follow_to_take(hand: Hand, legal: int, unseen: int, trumps: int, partner_leads: bool) -> int:
    """Return the cheapest card that is likely to take the trick, or the least useful one if the partner is winning.

    `partner_leads` says that the best card so far is the partner's.
    """
    best = best_of(hand.trick, trumps)
    last = len(hand.trick) + 1 == len(hand.seats)
    winners = legal & beats(best, trumps)
    higher = unseen & beats(best, trumps) & SUIT_MASKS[best // 13]
    if not winners or (partner_leads and (last or not higher)):
        return cheapest(legal, trumps)
    if last:
        return cheapest(winners, trumps)
    sure = 0
    for card in cards_in(winners):
        if not unseen & beats(card, trumps) & SUIT_MASKS[card // 13]:
            sure |= 1 << card
    if sure:
        return cheapest(sure, trumps)
    if partner_leads or len(hand.trick) == 1:
        return cheapest(legal, trumps)
    return dearest(winners, 0) if not winners & trumps else cheapest(winners, trumps)


def partner_takes(hand: Hand, trumps: int) -> bool:
    """Tell whether the partner of the seat to act is winning the trick, at a table of four."""
    trick = hand.trick
    return len(trick) >= 2 and trick[-2] == best_of(trick, trumps)
