"""What tables made of boards of bridge, from their matches.

The contract, its result, and rulings as they count in the comparison.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from cardledger.rules.engine.events import Adjust, Weighted
from cardledger.rules.engine.match import Match
from cardledger.rules.evenings.awards import Artificial, Award, BoardRow, certain
from cardledger.rules.evenings.rounding import exact
from cardledger.rules.games.bridge.auction import BridgeHand, contract
from cardledger.rules.games.bridge.rules import tricks_made
from cardledger.rules.games.bridge.rulings import AMOUNTS, GIVES_RESULT, SIDES, value, whole


class SidePenalty(NamedTuple):
    """A procedural penalty to a side (0 is north-south): how much of which unit, such as `percent` of a top."""

    side: int
    unit: str
    amount: Fraction


class PlayedBoard(NamedTuple):
    """What a table made of a board: its row in the comparison, and what is known of the contract.

    `declarer` is a seat, `lead` the card of the opening lead, `tricks` are those of the declarer. `score` are the
    points for north-south before rulings, `hand` is the number of the hand in its match.
    """

    row: BoardRow
    score: int | None = None
    contract: str | None = None
    declarer: int | None = None
    lead: str | None = None
    tricks: int | None = None
    hand: int | None = None
    penalties: tuple[SidePenalty, ...] = ()


def boards_of(match: Match[Any]) -> dict[int, PlayedBoard]:
    """Return the boards that a match of bridge has finished, by number; a hand without one has the number 0."""
    return {hand.board: _played(match, hand) for hand in match.hands if hand.scores is not None}


def _played(match: Match[Any], hand: BridgeHand) -> PlayedBoard:
    assert hand.scores is not None
    ns, ew = _awards(hand)
    cards = hand.tricks[0][1] if hand.tricks else hand.trick
    declared = hand.declarer >= 0
    return PlayedBoard(
        BoardRow(ns, ew),
        (hand.unruled or hand.scores)[0],
        contract(match, hand),
        hand.declarer if declared else None,
        match.pack.faces[cards[0]] if cards and declared else None,
        tricks_made(match, hand),
        hand.number,
        tuple(penalty for ruling in hand.rulings if (penalty := _penalty(ruling)) is not None),
    )


def _awards(hand: BridgeHand) -> tuple[Award, Award]:
    """Return what the sides get, both in points for north-south.

    By the last ruling that gives a result, else as scored.
    """
    assert hand.scores is not None
    ruling = next((one for one in reversed(hand.rulings) if one.kind in GIVES_RESULT), None)
    if ruling is None:
        return certain(hand.scores[0]), certain(-hand.scores[1])
    lost = [0, 0]
    for one in hand.rulings:
        if one.kind == "penalty" and one.points is not None:
            lost[one.side == SIDES[1]] += whole(round(100 * one.points))
    return _award(hand, ruling.ns, -lost[0]), _award(hand, ruling.ew, lost[1])


def _award(hand: BridgeHand, ruled: tuple[Weighted, ...] | float | None, more: int) -> Award:
    if isinstance(ruled, tuple):
        return tuple((Fraction(one.weight, 100), value(hand, one) + more) for one in ruled)
    return Artificial(exact(ruled or 0))


def _penalty(ruling: Adjust) -> SidePenalty | None:
    """Return a penalty in a unit of the comparison; points have been taken from the score already."""
    for unit in AMOUNTS:
        amount = getattr(ruling, unit)
        if ruling.kind == "penalty" and unit != "points" and amount is not None:
            return SidePenalty(SIDES.index(str(ruling.side)), unit, exact(amount))
    return None
