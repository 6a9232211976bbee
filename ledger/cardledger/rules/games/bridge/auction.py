"""The auction of bridge: sufficient bids, doubles, and the declarer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardledger.rules import DONE, THROWN_IN, Called, Hand, Match, SeatName, Sentence, Word, from_option, growing
from cardledger.rules.games.bridge.scoring import STRAINS, Contract

SEATS: Final = (SeatName("North", "N"), SeatName("East", "E"), SeatName("South", "S"), SeatName("West", "W"))
SOUTH: Final = 2
"""The seat at the bottom of a diagram."""
PASS, DOUBLE, REDOUBLE, LOWEST, HIGHEST = 0, 1, 2, 3, 37
"""Calls as numbers, by their place among the words: 3 is 1C, 37 is 7NT."""
CALLS: Final = ("pass", "double", "redouble", *(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS))
NUMBERS: Final = {call: number for number, call in enumerate(CALLS)}
SIGNS: Final = ("♣", "♦", "♥", "♠", "NT")
"""The strains as pages show them."""
WORDS: Final = (
    Word("pass", "passes", "p", "Pass"), Word("double", "doubles", "x", "X"), Word("redouble", "redoubles", "xx", "XX"),
    *(
        Word(call, f"bids {call}", call.lower().removesuffix("t"), f"{call[0]}{SIGNS[place % len(STRAINS)]}", int(call[0]))
        for place, call in enumerate(CALLS[LOWEST:])
    ),
)  # fmt: skip
RULES: Final = {DOUBLE: "call.double", REDOUBLE: "call.redouble"}
"""The rules that doubles are judged by."""
LONGEST: Final = 352
"""Most calls that are kept: an auction in which each bid is higher than the last has 319."""


@dataclass
class BridgeHand(Hand):
    """Adds the board (0: it has no number), the vulnerable sides as a set, and the auction.

    `calls` are in order from the dealer on, as numbers; `level`, `strain` and `doubles` are those of the last bid
    (level 0: none), `bidder` made it, and `passes` have followed. After the auction `declarer` is the seat of the
    declarer.
    """

    scoring: int = from_option()
    board: int = 0
    vulnerable: int = 0
    level: int = 0
    strain: int = 0
    doubles: int = 0
    bidder: int = -1
    passes: int = 0
    declarer: int = -1
    passed_out: bool = False
    calls: list[int] = growing(LONGEST)

    @property
    def dummy(self) -> int:
        """The declarer's partner."""
        return (self.declarer + 2) % 4


def first_call(match: Match[Any], hand: BridgeHand) -> int:
    """The dealer calls first; nobody if the contract is known without its auction."""
    return hand.dealer if hand.declarer < 0 else DONE


# --- in the rule subset


def bid(level: int, strain: int) -> int:
    """Return the number of a bid; above the highest if there is no such level."""
    return 5 * level + strain - 2


def level_of(call: int) -> int:
    """Return the level of a bid."""
    return (call + 2) // 5


def strain_of(call: int) -> int:
    """Return the strain of a bid."""
    return (call + 2) % 5


def forbidden_by(hand: BridgeHand, seat: int, call: int) -> str:
    """A bid must be higher than the last; a double is for an opponent's bid, a redouble for an opponent's double."""
    if call == PASS:
        return ""
    own = (seat - hand.bidder) % 2 == 0
    if call == DOUBLE:
        return "" if hand.level > 0 and not own and hand.doubles == 0 else "call.double"
    if call == REDOUBLE:
        return "" if hand.level > 0 and own and hand.doubles == 1 else "call.redouble"
    return "" if call <= HIGHEST and call > bid(hand.level, hand.strain) else "call.sufficient"


def next_caller(hand: BridgeHand, seat: int, call: int) -> int:
    """The auction goes on from a call, even an irregular one, until three players pass, or four at the start."""
    if call == PASS:
        hand.passes += 1
    else:
        hand.passes = 0
        if call >= LOWEST:
            hand.level, hand.strain, hand.doubles, hand.bidder = level_of(call), strain_of(call), 0, seat
        else:
            hand.doubles = max(hand.doubles, 1) if call == DOUBLE else 2
    if hand.level > 0 and hand.passes == 3:
        contract_for(hand, first_of_side(hand))
        return DONE
    if hand.level == 0 and hand.passes == 4:
        hand.passed_out = True
        return THROWN_IN
    return (seat + 1) % 4


def first_of_side(hand: BridgeHand) -> int:
    """Of the side that made the last bid, the player who first bid its strain."""
    for place, call in enumerate(hand.calls):
        seat = (hand.dealer + place) % 4
        if seat % 2 == hand.bidder % 2 and call >= LOWEST and strain_of(call) == hand.strain:
            return seat
    return hand.bidder


def contract_for(hand: BridgeHand, declarer: int) -> None:
    """Set the declarer, who plays the cards of dummy too, and the trump suit."""
    hand.declarer, hand.order = declarer, hand.strain
    for seat in range(4):
        hand.acts_for[seat] = declarer if seat == (declarer + 2) % 4 else seat


# --- at the table


def forbids(match: Match[Any], hand: BridgeHand, seat: int, call: str) -> str | None:
    """Return the rule that forbids a call, None if it is allowed."""
    return forbidden_by(hand, seat, NUMBERS[call]) or None


def made(match: Match[Any], hand: BridgeHand, seat: int, call: str) -> int:
    """Apply a call, and cite the rules that it follows and those that end the auction."""
    number = NUMBERS[call]
    if match.trail is not None and number != PASS and not forbidden_by(hand, seat, number):
        match.cite(
            RULES.get(number, "call.sufficient"),
            Sentence("{who} may call {call}", who=match.who(seat), call=Called(call)),
            "allowed",
        )
    hand.calls.append(number)
    turn = next_caller(hand, seat, number)
    if turn == DONE:
        match.cite(
            "auction.ends",
            Sentence("three passes end the auction: the contract is {contract}", contract=contract(match, hand)),
        )
        match.cite(
            "declarer.first",
            Sentence(
                "{declarer} bid {strain} first for the side",
                declarer=match.who(hand.declarer),
                strain=Sentence(STRAINS[hand.strain]),
            ),
        )
    if turn == THROWN_IN:
        match.cite("auction.passed-out", Sentence("all four pass: no cards are played, and nobody scores"))
    return turn


def calls(match: Match[Any], hand: BridgeHand) -> list[str]:
    """The calls as words."""
    return [CALLS[call] for call in hand.calls]


def contract(match: Match[Any], hand: BridgeHand) -> str | None:
    """The contract as text, `pass` if the hand was passed out, None before the auction has ended."""
    if hand.passed_out:
        return CALLS[PASS]
    return str(Contract(hand.level, hand.strain, hand.doubles)) if hand.declarer >= 0 else None


def declarer(match: Match[Any], hand: BridgeHand) -> int | None:
    """The declarer, once there is one."""
    return hand.declarer if hand.declarer >= 0 else None


def dummy(match: Match[Any], hand: BridgeHand) -> int | None:
    """The declarer's partner, whose cards lie open, once there is one."""
    return hand.dummy if hand.declarer >= 0 else None
