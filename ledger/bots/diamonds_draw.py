"""Careful play of Diamonds (drawing): duck under tricks, throw diamonds into those of others."""

from __future__ import annotations

from typing import Final

from ledger.bots.seen import above, below, highest, lowest, unseen_cards
from ledger.cards import cards_in, standard_pack
from ledger.events import Draw, Event, Play
from ledger.games.diamonds_draw import DrawingTable

SUIT_MASKS: Final = standard_pack().suit_masks
DIAMONDS: Final = SUIT_MASKS[1]
DIAMOND_BONUS: Final = 0.5
"""How much risk of a trick it is worth to lead a diamond: it counts two, and whoever takes it draws more."""


def choose(table: DrawingTable) -> Event:
    """Lead low, follow just below the best card, and be rid of diamonds first."""
    choice = table.choices()[0]
    seat = choice.seat
    assert seat is not None
    if choice.type == "draw":
        return Draw(seat=seat, source="stock", cards=())
    legal = table.legal_cards(table.held[seat])
    return Play(seat=seat, card=table.pack.faces[card_of(table, seat, legal, unseen_cards(table, seat))])


def card_of(table: DrawingTable, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(table, legal, unseen) if table.trick else lead(legal, unseen)


def lead(legal: int, unseen: int) -> int:
    """Return the card with the fewest unseen cards below it, where others can follow at all."""
    best, least = -1, 9.0
    for card in cards_in(legal):
        suit = SUIT_MASKS[card // 13]
        others = (unseen & suit).bit_count()
        # Nobody can go over the only cards of a suit: the lead is as good as taken.
        risk = ((unseen & suit & below(card)).bit_count() + 0.5) / (others + 0.5) if others else 1.0
        if suit == DIAMONDS:
            risk -= DIAMOND_BONUS
        if risk < least:
            best, least = card, risk
    return best


def follow(table: DrawingTable, legal: int, unseen: int) -> int:
    """Return the highest card that does not take the trick, or the one least likely to."""
    trick = table.trick
    suit = SUIT_MASKS[trick[0] // 13]
    if not legal & suit:
        return throw(legal)
    best = max(card for card in trick if suit >> card & 1)
    under = legal & below(best)
    if under:
        return highest(under)
    over = lowest(legal)
    if len(trick) == table.n - 1 or not unseen & suit & above(over):
        return highest(legal)
    return over


def throw(legal: int) -> int:
    """Return the highest diamond, or else the highest rank, out of a short suit among equals."""
    if legal & DIAMONDS:
        return highest(legal & DIAMONDS)
    return max(
        cards_in(legal),
        key=lambda card: 4 * (card % 13) - (legal & SUIT_MASKS[card // 13]).bit_count(),
    )
