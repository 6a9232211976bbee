"""What comes before the play as the kernel has it: bids, calls, and cards passed.

Like `tricks`, this is written into kernels and not run.
"""

from __future__ import annotations

from typing import Any

from cardledger.rules.engine.phases.calls import DONE, THROWN_IN
from cardledger.rules.kernel.tricks import put

BIDS = EXCHANGE = CALLS = BARRED = FIRST_LEAD = FIRST_CARD = True
LOWEST = WORDS = COUNT = 0


def act(hand: Any, seat: int, option: int) -> None:
    """Do what a seat chose: a card to play, the number of a bid or a call, or the cards to pass as a set."""
    if BIDS and hand.before:
        bid(hand, option)
        return
    if EXCHANGE and hand.before:
        give(hand, seat, option)
        return
    if CALLS and hand.before:
        call(hand, option)
        return
    put(hand, option)


def before_play(hand: Any) -> None:
    """Let the bots do what is left to do before the play."""
    if BIDS:
        while hand.before:
            bid(hand, bid_of(hand, hand.turn, allowed_bids(hand, hand.turn)))
    if EXCHANGE and hand.before:
        others_pass(hand, -1)
    if CALLS:
        while hand.before:
            call(hand, call_of(hand, hand.turn))


def bid(hand: Any, amount: int) -> None:
    """Bid for the seat in turn; the play begins after the last bid."""
    hand.bids[hand.turn] = amount
    hand.turn = (hand.turn + 1) % hand.n
    if hand.bids[hand.turn] >= 0:
        begin_play(hand)


def allowed_bids(hand: Any, seat: int) -> int:
    """Return the bids that a seat may make, as a set."""
    amounts = WORDS
    for amount in range(LOWEST, highest_bid(hand) + 1):
        if BARRED and barred(hand, seat, amount):
            continue
        amounts |= 1 << amount
    return amounts


def others_pass(hand: Any, seat: int) -> None:
    """Let all seats but one pass cards that have not passed yet."""
    for other in range(hand.n):
        if other != seat and hand.passed[other] == 0:
            give(hand, other, give_of(hand, other, COUNT))


def give(hand: Any, seat: int, cards: int) -> None:
    """Pass cards; they arrive when all have passed, and the play begins."""
    hand.held[seat] &= ~cards
    hand.passed[seat] = cards
    for other in range(hand.n):
        if hand.passed[other] == 0:
            return
    for giver in range(hand.n):
        hand.held[(giver + hand.step) % hand.n] |= hand.passed[giver]
    begin_play(hand)


def call(hand: Any, number: int) -> None:
    """Call for the seat in turn; the play begins when the calls are over, unless the hand is thrown in."""
    hand.calls[hand.calls_count] = number
    hand.calls_count += 1
    turn = next_caller(hand, hand.turn, number)
    if turn == DONE:
        begin_play(hand)
    elif turn == THROWN_IN:
        hand.before = 0
        hand.over = 1
    else:
        hand.turn = turn


def begin_play(hand: Any) -> None:
    """Turn to the seat that leads to the first trick."""
    hand.before = 0
    if FIRST_LEAD:
        hand.turn = first_lead(hand, hand)
    elif FIRST_CARD:
        hand.turn = holder(hand, first_card(hand))


def holder(hand: Any, cards: int) -> int:
    """Return the first seat that holds one of some cards; the seat in turn if there is none."""
    for seat in range(hand.n):
        if hand.held[seat] & cards:
            return seat
    return hand.turn  # type: ignore[no-any-return]


# --- functions of the game


def highest_bid(hand: Any) -> int:
    """Return the highest bid."""
    raise NotImplementedError


def barred(hand: Any, seat: int, amount: int) -> bool:
    """Tell whether a seat may not make a bid."""
    raise NotImplementedError


def bid_of(hand: Any, seat: int, allowed: int) -> int:
    """Return the bid that the bot chooses."""
    raise NotImplementedError


def give_of(hand: Any, seat: int, count: int) -> int:
    """Return the cards that the bot passes, as a set."""
    raise NotImplementedError


def next_caller(hand: Any, seat: int, number: int) -> int:
    """Apply a call, and return who calls next."""
    raise NotImplementedError


def call_of(hand: Any, seat: int) -> int:
    """Return the number of the call that the bot makes."""
    raise NotImplementedError


def first_lead(match: Any, hand: Any) -> int:
    """Return the seat that leads to the first trick."""
    raise NotImplementedError


def first_card(hand: Any) -> int:
    """Return the card whose holder leads first, as a set."""
    raise NotImplementedError
