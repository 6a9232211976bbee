"""Simple bidding by points: open with 12, raise a fit, overcall a good suit, bid a game with 25 together, else pass.

All of it is in the rule subset; calls are numbers.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import SUIT_MASKS
from cardledger.rules.games.bridge.auction import DOUBLE, LOWEST, PASS, BridgeHand, bid, level_of, strain_of

NO_TRUMP: Final = 4
GAME_LEVEL: Final = (5, 5, 4, 4, 3)
"""The level of a game by strain."""
NEEDED: Final = (0, 18, 21, 23, 25, 28, 32, 36)
"""Points of both partners that a contract needs, by level."""
GAME_POINTS: Final = (28, 28, 25, 25, 25)
SLAM: Final = 33
GRAND_SLAM: Final = 37
"""Points of both partners for seven, and for six."""


OPENED_NO_TRUMP: Final = (0, 15, 20, 23, 26, 28, 30, 32)
ANSWERED_NO_TRUMP: Final = (0, 6, 11, 13, 13, 15, 16, 18)
"""Points that a bid in no trump shows at least, by level: the first bid of a side, and a later one."""
POINTS: Final = 4
"""The place of the points, after the suits, in what a player has shown."""


def points(held: int) -> int:
    """Return the high-card points of a hand: ace 4, king 3, queen 2, jack 1."""
    total = 0
    for suit in range(4):
        for height in range(1, 5):
            total += height * (held >> (13 * suit + 8 + height) & 1)
    return total


def length(held: int, suit: int) -> int:
    """Return the number of cards in a suit."""
    return (held & SUIT_MASKS[suit]).bit_count()


def balanced(held: int) -> bool:
    """Tell whether no suit has fewer than two cards, none more than five, and at most one has two."""
    doubletons = 0
    for suit in range(4):
        cards = length(held, suit)
        if cards < 2 or cards > 5:
            return False
        doubletons += cards == 2
    return doubletons <= 1


def longest(held: int) -> int:
    """Return the longest suit, the higher of equals if it has five cards."""
    best, most = 0, 0
    for suit in range(4):
        cards = length(held, suit)
        if cards > most or cards == most and cards >= 5:
            best, most = suit, cards
    return best


def has_bid(hand: BridgeHand, seat: int) -> bool:
    """Tell whether a player has bid."""
    found = False
    for place, call in enumerate(hand.calls):
        found = found or (hand.dealer + place) % 4 == seat and call >= LOWEST
    return found


def has_doubled(hand: BridgeHand, seat: int) -> bool:
    """Tell whether a player has doubled."""
    found = False
    for place, call in enumerate(hand.calls):
        found = found or (hand.dealer + place) % 4 == seat and call == DOUBLE
    return found


def shown(hand: BridgeHand, seat: int) -> list[int]:
    """Return what the calls of a player mean in this bidding.

    Cards in each suit at least, and points at least (`POINTS`).
    """
    known = [0] * 5
    side_bid = partner_bid = other_bid = False
    for place, call in enumerate(hand.calls):
        caller = (hand.dealer + place) % 4
        if caller == seat and call == DOUBLE:
            known[POINTS] = max(known[POINTS], 12)
        if call < LOWEST:
            continue
        if caller == seat:
            level, strain = level_of(call), strain_of(call)
            opened = not side_bid and not other_bid
            if strain == NO_TRUMP:
                floor = ANSWERED_NO_TRUMP[level] if side_bid else OPENED_NO_TRUMP[level]
                for suit in range(4):
                    known[suit] = max(known[suit], 2)
            else:
                floor = 12 if opened else 6 + 3 * (level > 1) + 3 * (level > 2)
                known[strain] = max(known[strain], 3 if partner_bid else 5 if strain >= 2 or not opened else 4)
            known[POINTS] = max(known[POINTS], floor)
        side_bid = side_bid or caller % 2 == seat % 2
        partner_bid = partner_bid or caller == (seat + 2) % 4
        other_bid = other_bid or caller % 2 != seat % 2
    return known


def wish(hand: BridgeHand, seat: int) -> int:
    """Return the call that a careful player would make; it may turn out not to be sufficient, which means a pass."""
    held, partner = hand.held[seat], (seat + 2) % 4
    known = shown(hand, partner)
    theirs = hand.level > 0 and hand.bidder % 2 != seat % 2
    if theirs and hand.level >= 3:
        if hand.doubles > 0:
            return PASS
        if 40 - points(held) - known[POINTS] < NEEDED[hand.level] - 4:
            return DOUBLE
    if has_bid(hand, partner):
        return together(hand, seat, known)
    if has_doubled(hand, partner) and theirs and not has_bid(hand, seat):
        return for_the_double(hand, held)
    if has_bid(hand, seat) or has_doubled(hand, seat):
        return PASS
    return overcall(hand, held) if theirs else opening(held)


def opening(held: int) -> int:
    """One no trump with 15 to 17 and a balanced hand, two with 20 to 22, else one of the longest suit with 12."""
    own = points(held)
    if balanced(held) and 15 <= own <= 17:
        return bid(1, NO_TRUMP)
    if balanced(held) and own >= 20:
        return bid(2 if own <= 22 else 3, NO_TRUMP)
    return bid(1, longest(held)) if own >= 12 else PASS


def overcall(hand: BridgeHand, held: int) -> int:
    """A suit of five, more points for a higher level; or a double for the other suits."""
    own, suit = points(held), longest(held)
    level = hand.level + (suit <= hand.strain)
    if length(held, suit) >= 5 and suit != hand.strain and level <= 3 and own >= 5 + 3 * level:
        return bid(level, suit)
    if balanced(held) and hand.level == 1 and 15 <= own <= 18 and hand.strain != NO_TRUMP:
        return bid(1, NO_TRUMP)
    short = hand.strain < NO_TRUMP and length(held, hand.strain) <= 2
    return DOUBLE if short and own >= 12 and hand.level <= 2 and hand.doubles == 0 else PASS


def together(hand: BridgeHand, seat: int, known: list[int]) -> int:
    """With a partner after a bid.

    The game or slam that both hands are good for, else a raise, a new suit, or a pass.
    """
    held, before = hand.held[seat], has_bid(hand, seat)
    own, fit, cards = points(held), 0, -1
    for suit in range(4):
        fits = length(held, suit) + known[suit]
        # A fit of eight first, then a major suit, then the longer fit.
        if fits + 100 * (fits >= 8) + 50 * (suit >= 2) > cards + 100 * (cards >= 8) + 50 * (fit >= 2):
            fit, cards = suit, fits
    strain = fit if cards >= 8 and (fit >= 2 or not balanced(held)) else NO_TRUMP
    short = 0
    if strain < NO_TRUMP:
        for suit in range(4):
            short += max(0, 3 - length(held, suit))
    total = own + short + known[POINTS]
    level = 7 if total >= GRAND_SLAM else 6 if total >= SLAM else GAME_LEVEL[strain]
    if level >= 6 or total >= GAME_POINTS[strain]:
        reached = hand.level >= level or (hand.bidder >= 0 and hand.level >= GAME_LEVEL[hand.strain] and level < 6)
        return PASS if reached else bid(level, strain)
    if strain < NO_TRUMP and own + short >= 6 and not before:
        return bid(2 + (total >= GAME_POINTS[strain] - 3), strain)
    if before or own < 6 or hand.level > 2:
        return PASS
    for many in range(13, 3, -1):  # the longest suit first
        for suit in range(4):
            level = hand.level + (suit <= hand.strain)
            enough = many >= 4 + (level > 1) and (level == 1 or own >= 10 and level == 2)
            if length(held, suit) == many and enough:
                return bid(level, suit)
    return bid(1 if own <= 10 else 2, NO_TRUMP)


def for_the_double(hand: BridgeHand, held: int) -> int:
    """Return the lowest bid in the longest of the other suits, the higher of equals."""
    best, most = -1, -1
    for suit in range(4):
        if suit != hand.strain and length(held, suit) >= most:
            best, most = suit, length(held, suit)
    return bid(hand.level + (best <= hand.strain), best)
