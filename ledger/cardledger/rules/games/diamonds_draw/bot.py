"""Careful play of Diamonds (drawing): duck tricks, and throw diamonds on the tricks of others."""

from __future__ import annotations

from typing import Final

from cardledger.rules import Bot, Choice, Draw, Match, above, below, cards_in, highest, lowest, standard_pack
from cardledger.rules.games.diamonds_draw.rules import DrawHand

SUIT_MASKS: Final = standard_pack().suit_masks
DIAMONDS: Final = SUIT_MASKS[1]
DIAMOND_BONUS: Final = 0.5
"""The extra risk of taking a trick that leading a diamond is worth: a diamond counts two, and its taker draws more."""


def other(match: Match[DrawHand], hand: DrawHand, choice: Choice) -> Draw:
    """Draw the cards due from the stock."""
    assert choice.seat is not None
    return Draw(seat=choice.seat, source="stock", cards=())


def card_to_play(hand: DrawHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    return follow(hand, legal, unseen) if hand.trick else lead(legal, unseen)


def lead(legal: int, unseen: int) -> int:
    """Return the card with the fewest unseen cards below it, in a suit that others can follow."""
    best, least = -1, 9.0
    for card in cards_in(legal):
        suit = SUIT_MASKS[card // 13]
        others = (unseen & suit).bit_count()
        # Nobody else has a card of the suit: the lead takes the trick.
        risk = ((unseen & suit & below(card)).bit_count() + 0.5) / (others + 0.5) if others else 1.0
        if suit == DIAMONDS:
            risk -= DIAMOND_BONUS
        if risk < least:
            best, least = card, risk
    return best


def follow(hand: DrawHand, legal: int, unseen: int) -> int:
    """Return the highest card that does not take the trick, or the one least likely to."""
    trick = hand.trick
    suit = SUIT_MASKS[trick[0] // 13]
    if not legal & suit:
        return throw(legal)
    best = highest(hand.laid & suit)
    under = legal & below(best)
    if under:
        return highest(under)
    over = lowest(legal)
    if len(trick) == hand.n - 1 or not unseen & suit & above(over):
        return highest(legal)
    return over


def throw(legal: int) -> int:
    """Return the highest diamond, or else the highest rank; among equal ranks the one of the shortest suit."""
    if legal & DIAMONDS:
        return highest(legal & DIAMONDS)
    best, most = -1, -99
    for card in cards_in(legal):
        burden = 4 * (card % 13) - (legal & SUIT_MASKS[card // 13]).bit_count()
        if burden > most:
            best, most = card, burden
    return best


A_RANK, A_DIAMOND, ITS_RANK = 0.05, 0.1, 0.12
"""What a drawn card adds to the points: for each rank above two, for being a diamond, and for each rank of a diamond.

Least squares over 600 hands each of three, four and five cautious players; it explains 2 to 5% of the variance.
"""


def drawn_value(match: Match[DrawHand], hand: DrawHand, card: int) -> float:
    """Return the points that a drawn card adds."""
    rank = card % 13
    return A_RANK * rank + (A_DIAMOND + ITS_RANK * rank if DIAMONDS >> card & 1 else 0.0)


BOT: Final = Bot(card_to_play, other, replays=192, drawn_value=drawn_value)
