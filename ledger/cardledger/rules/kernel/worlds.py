"""Rollouts and possible worlds as the kernel has them. Like `tricks`, this is written into kernels and not run."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardledger.rules.kernel.before import act, before_play, others_pass
from cardledger.rules.kernel.tricks import below_number, bits, play_on, points_of, shuffle

DRAWS = EXCHANGE = True
TRIES = 20


def play_out(starts: Any, work: Any, seeds: Any, noise: Any, points: Any) -> None:
    """Play hands out, one for each seed: each of the starts, or the only one again and again."""
    only = starts.shape[0] == 1
    for number in range(seeds.shape[0]):
        work[0] = starts[0 if only else number]
        hand = work[0]
        hand.chance = seeds[number]
        if DRAWS and hand.known >= 0:
            shuffle(hand, hand.stock_order, hand.known, hand.ordered)
        before_play(hand)
        play_on(hand, noise)
        points_of(hand, points, number)


def trials(
    starts: Any, work: Any, seat: int, guess: bool, seen: Any, void: Any, beside: int, seeds: Any, options: Any, noise: Any,
    points: Any,
) -> None:  # fmt: skip
    """Try each of some options of a seat in each of some worlds, and play all hands out.

    Points of the seat by option and world.

    The same worlds and the same chance serve all options. A hand that does not end counts as 0.
    """
    found = np.zeros((1, 9), np.int64)
    for number in range(seeds.shape[0]):
        work[0] = starts[0]
        world = work[0]
        world.chance = seeds[number]
        if guess:
            deal_unseen(world, seat, seen, void, beside)
        if EXCHANGE and world.before:
            others_pass(world, seat)
        after = bits(world)
        for option in range(options.shape[0]):
            work[1] = work[0]
            hand = work[1]
            hand.chance = after
            act(hand, seat, options[option])
            before_play(hand)
            play_on(hand, noise)
            points_of(hand, found, 0)
            points[option, number] = found[0, seat] if hand.over else 0


def deal_unseen(hand: Any, seat: int, seen: Any, void: Any, beside: int) -> bool:
    """Deal the cards that a seat has not seen again; return False if the attempts came to dead ends.

    `seen` are the cards it knows by hand, `void` those that a hand cannot hold, `beside` the unseen cards in nobody's
    hand. This is `possible_world` again.
    """
    n = hand.n
    needs = np.zeros(9, np.int64)
    left = np.zeros(9, np.int64)
    hands = np.zeros(9, np.int64)
    cards = np.zeros(64, np.int64)
    unseen = beside
    bound = False
    for other in range(n):
        hidden = hand.held[other] & ~seen[other]
        needs[other] = hidden.bit_count()
        unseen |= hidden
        if needs[other] and void[other]:
            bound = True
    needs[n] = beside.bit_count()
    number = 0
    while unseen:
        cards[number] = (unseen & -unseen).bit_length() - 1
        unseen &= unseen - 1
        number += 1
    plain = cards.copy()
    for _ in range(TRIES):
        for place in range(number):
            cards[place] = plain[place]
        shuffle(hand, cards, 0, number)
        for place in range(n + 1):
            hands[place] = 0
            left[place] = needs[place]
        if dealt(hand, cards, number, needs, left, void, bound, hands):
            for other in range(n):
                hand.held[other] = seen[other] | hands[other]
            if beside:
                if DRAWS:
                    hand.stock = hands[n]
                else:
                    hand.aside = hands[n]
            return True
    return False


def dealt(hand: Any, cards: Any, number: int, needs: Any, left: Any, void: Any, bound: bool, hands: Any) -> bool:
    """Deal shuffled cards to the hands that need some, those with the fewest places first; False at a dead end."""
    n = hand.n
    if not bound:
        at = 0
        for place in range(n + 1):
            for _ in range(needs[place]):
                hands[place] |= 1 << cards[at]
                at += 1
        return True
    for places in range(n + 2):
        for at in range(number):
            card = cards[at]
            found = 0
            total = 0
            for place in range(n + 1):
                if needs[place] and not void[place] >> card & 1:
                    found += 1
                    total += left[place]
            if found != places:
                continue
            if total == 0:
                return False
            chosen = below_number(hand, total)
            for place in range(n + 1):
                if left[place] and not void[place] >> card & 1:
                    chosen -= left[place]
                    if chosen < 0:
                        hands[place] |= 1 << card
                        left[place] -= 1
                        break
    return True
