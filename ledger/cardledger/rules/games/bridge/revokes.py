"""What Law 64 says of a revoke: whether it is established, and the tricks to be moved. Only a ruling moves them."""

from __future__ import annotations

from typing import Any

from cardledger.rules import Match, Violation
from cardledger.rules.games.bridge.auction import BridgeHand

REVOKE = "follow.suit"


def consequences(match: Match[Any], violation: Violation) -> dict[str, Any]:
    """Return whether a revoke is established, and the tricks that Law 64A would move; nothing for other violations."""
    if violation.rule != REVOKE:
        return {}
    hand = hand_of(match, violation)
    side = violation.seat % 2
    under_way = hand.seats[: len(hand.trick)] if hand.tricks_done >= violation.trick else ()
    complete = len(hand.tricks) > violation.trick  # both sides have played to it
    played_on = complete or any(seat % 2 == side for seat in under_way)
    established = played_on or hand.claimed is not None
    return {"established": established, "indicated": indicated(match, hand, violation) if established else 0}


def indicated(match: Match[Any], hand: BridgeHand, violation: Violation) -> int:
    """Return the tricks to be moved for an established revoke (Laws 64A and 64B)."""
    seat, side = violation.seat, violation.seat % 2
    revokes = [one for one in match.violations if one.rule == REVOKE and hand_of(match, one) is hand]
    suit = led(hand, violation)
    again = any(one.seat == seat and one.seq < violation.seq and led(hand, one) == suit for one in revokes)
    if seat == hand.dummy or again or any(one.seat % 2 != side for one in revokes):
        return 0
    takers = [taker for _, _, taker, _ in hand.tricks[violation.trick - 1 :] if taker is not None]
    claimed = sum((hand.claimed or (0,) * 4)[side::2])
    if violation.trick > len(hand.tricks):  # the revoke trick was claimed before it was complete
        return min(1, claimed)
    own, later = takers[0], claimed + sum(taker % 2 == side for taker in takers[1:])
    if own == seat:
        return 2 if later else 1
    return 1 if own % 2 == side or later else 0


def hand_of(match: Match[Any], violation: Violation) -> BridgeHand:
    """Return the hand in which a rule was broken."""
    begun: list[BridgeHand] = [hand for hand in match.hands if hand.first <= violation.seq]
    return begun[-1]


def led(hand: BridgeHand, violation: Violation) -> int:
    """Return the suit led to the trick of a revoke."""
    tricks = [cards for _, cards, _, _ in hand.tricks] + [tuple(hand.trick)]
    return tricks[violation.trick - 1][0] // 13
