"""Turns as the kernel has them: players draw a card and part with one until somebody closes.

Like `tricks`, this is written into kernels and not run.

`hand` is a record of numbers (FIELDS): `cards` are the hands one behind the other, each with ROOM for its cards in the
order of the pack, `counts` their sizes, `hidden` by seat the places of the cards that the seat to act has not seen. The
functions declared at the end are those of the game (`cardledger.rules.engine.collecting.Collecting`). Tests compare all
of it with the live table, event by event.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardledger.rules.kernel.tricks import LONGEST, below_number, bits, random, shuffle
from cardledger.rules.kernel.twister import python_random

SEATS, ROOM, PACK = 8, 9, 80
"""Most seats, most cards of a hand, most cards of a pack."""
FIELDS = (
    ("n", 1), ("turn", 1), ("moment", 1), ("closer", 1), ("over", 1), ("counts", SEATS), ("cards", (SEATS + 1) * ROOM), ("hidden", SEATS),
    ("stock", PACK), ("stock_left", 1), ("ordered", 1), ("known", 1), ("renewed", 1), ("discards", PACK), ("discarded", 1),
)  # fmt: skip
"""The fields of a record, and how many numbers each has; the options of a hand come on top.

`cards` has the room of one hand more, to think. With `ordered`, `stock` is the order of so many cards, of which the
last `stock_left` are there; otherwise it is a set of them. `known` is how many of them are not shuffled again (-1: none
are shuffled).
"""
MOMENTS = ("draw", "discard", "layoff")
DRAW, DISCARD, LAY_OFF = 0, 1, 2
FROM_DISCARDS, CLOSE, PASS = 1, 100, 200
"""Numbers of choices: a draw from the discards (from the stock: 0), a close (the card comes on top), a pass.

Others are cards.
"""
BY_TEXT: Any = None


def play_turns(starts: Any, work: Any, seeds: Any, noise: Any, points: Any) -> None:
    """Play hands out, one for each seed: each of the starts, or the only one again and again."""
    only = starts.shape[0] == 1
    for number in range(seeds.shape[0]):
        work[0] = starts[0 if only else number]
        hand = work[0]
        hand.chance = seeds[number]
        if hand.known >= 0:
            shuffle(hand, hand.stock, hand.known, hand.ordered)
        turns(hand, noise)
        points[number, hand.n] = hand.over
        if hand.over:
            count(hand, points, number)


def try_turns(
    starts: Any, work: Any, seat: int, guess: bool, seeds: Any, options: Any, noise: Any, points: Any
) -> None:
    """Try each of some options of a seat in each of some worlds, as `cardledger.rules.kernel.worlds.trials` does."""
    found = np.zeros((1, ROOM), np.int64)
    for number in range(seeds.shape[0]):
        work[0] = starts[0]
        world = work[0]
        world.chance = seeds[number]
        if guess:
            deal_unseen(world)
        after = bits(world)
        for option in range(options.shape[0]):
            work[1] = work[0]
            hand = work[1]
            hand.chance = after
            act(hand, options[option])
            turns(hand, noise)
            if hand.over:
                count(hand, found, 0)
            points[option, number] = found[0, seat] if hand.over else 0


def deal_unseen(hand: Any) -> None:
    """Deal the cards that the seat to act has not seen again: those in hands, and those of a stock not yet renewed."""
    unseen = np.zeros(PACK, np.bool_)
    for seat in range(hand.n):
        for place in range(hand.counts[seat]):
            if hand.hidden[seat] >> place & 1:
                unseen[hand.cards[ROOM * seat + place]] = True
    if not hand.renewed:
        for number in range(hand.stock_left):
            unseen[hand.stock[(hand.ordered - hand.stock_left if hand.ordered else 0) + number]] = True
    cards = np.zeros(PACK, np.int64)
    left = 0
    for card in range(PACK):
        if unseen[card]:
            cards[left] = card
            left += 1
    shuffle(hand, cards, 0, left)
    dealt = 0
    for seat in range(hand.n):
        size = hand.counts[seat]
        hand.counts[seat] = 0
        mine = hand.cards[ROOM * seat : ROOM * seat + size].copy()
        for place in range(size):
            if not hand.hidden[seat] >> place & 1:
                take(hand, seat, mine[place])
        for _ in range(hand.hidden[seat].bit_count()):
            take(hand, seat, cards[dealt])
            dealt += 1
    if not hand.renewed:
        for number in range(dealt, left):
            hand.stock[number - dealt] = cards[number]
        put_in_order(hand.stock, left - dealt)
    hand.ordered = 0


def turns(hand: Any, noise: Any) -> None:
    """Play a hand to its end, or give it up."""
    for _ in range(LONGEST):
        if hand.over:
            return
        step(hand, noise)


def step(hand: Any, noise: Any) -> None:
    """Do what the cautious bot does, or with the chance `noise` part with any card, closing if possible."""
    seat = hand.turn
    cards = held(hand, seat)
    if hand.moment == DRAW:
        copy_to_think(hand, seat)
        take(hand, SEATS, hand.discards[hand.discarded - 1])
        act(hand, FROM_DISCARDS if takes(hand, cards, held(hand, SEATS)) else 0)
    elif hand.moment == LAY_OFF:
        places = may_lay_off(cards, held(hand, hand.closer))
        act(hand, cards[lays_off(hand, cards, places)])
    elif random(hand) < noise[seat]:
        places = closing_places(cards)
        closes = places != 0
        if not closes:
            places = (1 << len(cards)) - 1
        place = by_text(cards, places, python_random(bits(hand), places.bit_count()))
        act(hand, cards[place] + (CLOSE if closes else 0))
    else:
        place, closes = parts_with(hand, cards)
        act(hand, cards[place] + (CLOSE if closes else 0))


def act(hand: Any, choice: int) -> None:
    """Carry out a choice of the seat whose turn it is, by its number."""
    seat = hand.turn
    if hand.moment == DRAW:
        if choice == FROM_DISCARDS:
            hand.discarded -= 1
            take(hand, seat, hand.discards[hand.discarded])
        else:
            take(hand, seat, draw(hand))
        hand.moment = DISCARD
    elif hand.moment == LAY_OFF:
        if choice == PASS:
            turn_to(hand, seat)
        else:
            part(hand, seat, choice)
            hand.over = 1
    elif choice >= CLOSE:
        part(hand, seat, choice - CLOSE)
        hand.closer = seat
        hand.moment = LAY_OFF
        turn_to(hand, seat)
    else:
        part(hand, seat, choice)
        hand.discards[hand.discarded] = choice
        hand.discarded += 1
        hand.moment = DRAW
        hand.turn = (seat + 1) % hand.n


def turn_to(hand: Any, seat: int) -> None:
    """Turn to the next seat after one that can lay off a card; the hand ends if there is none."""
    for after in range(1, (hand.closer - seat - 1) % hand.n + 1):
        other = (seat + after) % hand.n
        if may_lay_off(held(hand, other), held(hand, hand.closer)):
            hand.turn = other
            return
    hand.over = 1


def draw(hand: Any) -> int:
    """Take a card from the stock: the top one if its order is known, else any.

    An empty stock is renewed from the discards.
    """
    if hand.stock_left == 0:
        hand.stock_left = hand.discarded - 1
        for number in range(hand.stock_left):
            hand.stock[number] = hand.discards[number]
        put_in_order(hand.stock, hand.stock_left)
        hand.discards[0] = hand.discards[hand.stock_left]
        hand.discarded = 1
        hand.ordered = 0
        hand.renewed = 1
    hand.stock_left -= 1
    if hand.ordered:
        card: int = hand.stock[hand.ordered - hand.stock_left - 1]
        return card
    place = below_number(hand, hand.stock_left + 1) if hand.stock_left else 0
    card = hand.stock[place]
    for later in range(place, hand.stock_left):
        hand.stock[later] = hand.stock[later + 1]
    return card


def put_in_order(cards: Any, size: int) -> None:
    """Put the first so many cards in the order of the pack."""
    for number in range(1, size):
        card = cards[number]
        place = number
        while place and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


def held(hand: Any, seat: int) -> Any:
    """Return the cards of a seat."""
    return hand.cards[ROOM * seat : ROOM * seat + (hand.counts[seat] if seat < SEATS else hand.counts[hand.turn] + 1)]


def copy_to_think(hand: Any, seat: int) -> None:
    """Copy the cards of a seat to the room to think."""
    for place in range(hand.counts[seat]):
        hand.cards[ROOM * SEATS + place] = hand.cards[ROOM * seat + place]


def take(hand: Any, seat: int, card: int) -> None:
    """Put a card into a hand, in the order of the pack."""
    first = ROOM * seat
    if seat < SEATS:
        place = first + hand.counts[seat]
        hand.counts[seat] += 1
    else:
        place = first + hand.counts[hand.turn]
    while place > first and hand.cards[place - 1] > card:
        hand.cards[place] = hand.cards[place - 1]
        place -= 1
    hand.cards[place] = card


def part(hand: Any, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    last = ROOM * seat + hand.counts[seat] - 1
    found = False
    for place in range(ROOM * seat, last):
        found = found or hand.cards[place] == card
        if found:
            hand.cards[place] = hand.cards[place + 1]
    hand.counts[seat] -= 1


def by_text(cards: Any, places: int, number: int) -> int:
    """Return the place of the card with so many others before it, by their texts, at some places."""
    for place in range(len(cards)):
        before = 0
        for other in range(len(cards)):
            if places >> other & 1 and BY_TEXT[cards[other]] < BY_TEXT[cards[place]]:
                before += 1
        if places >> place & 1 and before == number:
            return place
    return -1


def count(hand: Any, points: Any, row: int) -> None:
    """Write down the points by seat."""
    total = 0
    for seat in range(hand.n):
        if seat != hand.closer:
            points[row, seat] = penalty(hand, held(hand, seat))
            total += points[row, seat]
    points[row, hand.closer] = closer_scores(hand, held(hand, hand.closer), total)


# --- functions of the game


def closing_places(cards: Any) -> int:
    """Return the places of the cards with which the hand may be closed."""
    raise NotImplementedError


def may_lay_off(cards: Any, closed: Any) -> int:
    """Return the places of the cards that may be laid off to those of the closer."""
    raise NotImplementedError


def penalty(hand: Any, cards: Any) -> int:
    """Return the points of a hand that did not close."""
    raise NotImplementedError


def closer_scores(hand: Any, cards: Any, penalties: int) -> int:
    """Return the points of the closer."""
    raise NotImplementedError


def takes(hand: Any, cards: Any, more: Any) -> bool:
    """Tell whether the bot draws from the discards."""
    raise NotImplementedError


def parts_with(hand: Any, cards: Any) -> tuple[int, bool]:
    """Return the place of the card that the bot parts with, and whether it closes with it."""
    raise NotImplementedError


def lays_off(hand: Any, cards: Any, places: int) -> int:
    """Return the place of the card that the bot lays off."""
    raise NotImplementedError
