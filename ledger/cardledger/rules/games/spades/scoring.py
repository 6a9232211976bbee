"""The score of a hand of spades: bids, bags and nils."""

from __future__ import annotations

from typing import Any

from cardledger.rules import Match
from cardledger.rules.games.spades.bidding import SpadesHand


def made_and_bags(hand: SpadesHand, seat: int) -> tuple[bool, int]:
    """Return whether the side of a seat made its bid, and how many bags it took."""
    helping = extra = 0
    for some in (seat, (seat + 2) % 4):
        if hand.bids[some] == 0 and not hand.nil_tricks:
            extra += hand.taken[some]
        else:
            helping += hand.taken[some]
    bid = hand.bids[seat] + hand.bids[(seat + 2) % 4]
    if helping >= bid:
        return True, helping - bid + extra
    return False, extra


def points(hand: SpadesHand, seat: int) -> int:
    """The bid of both partners, bags and their price, and nils."""
    bid = hand.bids[seat] + hand.bids[(seat + 2) % 4]
    made, bags = made_and_bags(hand, seat)
    score = 10 * bid + bags if made else bags - 10 * bid
    for some in (seat, (seat + 2) % 4):
        if hand.bids[some] == 0:
            worth = 2 * hand.nil_points if hand.blind >> some & 1 else hand.nil_points
            score += -worth if hand.taken[some] else worth
    return score - (hand.bags[seat] + bags) // hand.bag_limit * hand.bag_penalty


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """Thirteen tricks bid beside a nil, or two nils; partners may bid 26 between them, and bags cost points."""
    nil = options["nil_points"] * (2 if options["blind_nil"] else 1)
    lost = max(130 if options["joint_limit"] else 260, 130 + nil, 2 * nil)
    return -lost - (12 + options["bag_limit"]) // options["bag_limit"] * options["bag_penalty"], max(130 + nil, 2 * nil)


def carry_on(match: Match[SpadesHand], hand: SpadesHand) -> None:
    """Carry the bags on."""
    hand.bags = [(hand.bags[seat] + made_and_bags(hand, seat)[1]) % hand.bag_limit for seat in range(4)]


def scored_by(match: Match[SpadesHand], hand: SpadesHand) -> tuple[str, ...]:
    """The rules of bids, and those of bags and nils if there were any."""
    seats, before = range(4), match.hands[hand.number - 2].bags if hand.number > 1 else [0] * 4
    nils = [seat for seat in seats if hand.bids[seat] == 0]
    applies = {
        "score.bid": any(hand.bids),
        "score.bag": any(made_and_bags(hand, seat)[1] for seat in seats),
        "score.nil": bool(nils),
        "score.nil-tricks": any(hand.taken[seat] for seat in nils),
        "score.bag-penalty": any(hand.bags[seat] != before[seat] + made_and_bags(hand, seat)[1] for seat in seats),
    }
    return tuple(rule for rule, applied in applies.items() if applied)
