"""Who deals and when the match ends: boards of duplicate, the four hands of chicago, the games of a rubber."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from cardledger.rules import Match
from cardledger.rules.games.bridge.auction import BridgeHand
from cardledger.rules.games.bridge.rulings import moved
from cardledger.rules.games.bridge.scoring import trick_score

CHICAGO: Final = "chicago"
RUBBER: Final = "rubber"
GAME: Final = 100
"""The trick score that makes a game of a rubber."""


@dataclass
class Account:
    """What a rubber keeps, by side: the points below the line in the game under way, and the games won.

    `resumed` are the vulnerable sides in the first hand of a match that begins in the midst of another, -1 elsewhere.
    """

    n: int
    resumed: int = -1
    below: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.below, self.won = [0, 0], [0, 0]

    @property
    def games(self) -> list[int]:
        """The games won, by seat."""
        return [self.won[seat % 2] for seat in range(self.n)]

    def add(self, side: int, points: int) -> None:
        """Add a trick score; at 100 the side wins the game, and both begin again."""
        self.below[side] += points
        if self.below[side] >= GAME:
            self.won[side] += 1
            self.below = [0, 0]


def award(match: Match[Any], side: int, points: int) -> None:
    """Add points to the totals of a side, for its games."""
    match.totals = [total + points * (seat % 2 == side) for seat, total in enumerate(match.totals)]


def bank(match: Match[BridgeHand]) -> None:
    """In a rubber, write the trick score of a contract made below the line; the second game is rewarded."""
    account: Account = match.account
    hand: BridgeHand = match.hands[-1]
    if match.options["scoring"] != RUBBER or hand.declarer < 0 or hand.agreed or not played(hand):
        return
    side = hand.declarer % 2
    if hand.taken[side] + hand.taken[side + 2] + moved(hand, side) >= hand.level + 6:
        account.add(side, trick_score(hand.level, hand.strain, hand.doubles))
    if account.won[side] == 2:
        award(match, side, 500 if account.won[1 - side] else 700)


def carried(match: Match[BridgeHand], hand: BridgeHand) -> tuple[int, ...]:
    """A hand begins with the sides that are vulnerable, the dealer's first."""
    first = hand.dealer % 2
    return ((hand.vulnerable >> first & 1) + 2 * (hand.vulnerable >> (1 - first) & 1),)


def resume(match: Match[BridgeHand], carried: tuple[int, ...]) -> None:
    """The first hand, dealt by North, begins with these sides vulnerable."""
    (match.account.resumed,) = carried


def played(hand: BridgeHand) -> bool:
    """Tell whether the result of a hand is that of its tricks, and not one given by the director."""
    return not any(ruling.kind in ("assigned", "artificial") for ruling in hand.rulings)


def unfinished(match: Match[BridgeHand]) -> None:
    """A rubber that stays unfinished: 300 for the only game, 100 for the only part score of the game under way."""
    if match.options["scoring"] != RUBBER:
        return
    account = match.account
    for side in (0, 1):
        if account.won[side] and not account.won[1 - side]:
            award(match, side, 300)
        if account.below[side] and not account.below[1 - side]:
            award(match, side, 100)


def over(match: Match[BridgeHand]) -> str | None:
    """After the boards of the match, four hands that were not passed out, or two games of a side."""
    scoring = match.options["scoring"]
    if scoring == RUBBER:
        return "match.rubber" if max(match.account.won) == 2 else None
    if scoring == CHICAGO:
        return "match.chicago" if sum(not hand.passed_out for hand in match.hands) >= 4 else None
    return "match.boards" if len(match.hands) >= match.options["boards"] else None


def next_dealer(match: Match[BridgeHand]) -> int:
    """The deal moves to the left; after a hand of chicago that was passed out, the same player deals again."""
    hand: BridgeHand = match.hands[-1]
    again = hand.passed_out and match.options["scoring"] == CHICAGO
    return hand.dealer if again else (hand.dealer + 1) % 4


def deal_order(match: Match[BridgeHand]) -> str:
    """The board names the dealer in duplicate; elsewhere the deal goes round."""
    return {CHICAGO: "match.chicago", RUBBER: "match.rubber"}.get(match.options["scoring"], "")
