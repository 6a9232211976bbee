"""Rollouts and possible worlds as the kernel has them. Like `tricks`, this is written into kernels and not run."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardledger.rules.engine.deals import LIMIT, NEXT, TAKEN, TOP
from cardledger.rules.kernel.before import act, before_play, others_pass
from cardledger.rules.kernel.tricks import bits, play_on, points_of, random_card, shuffle

DRAWS = EXCHANGE = True
PLACES = 10
"""Most places of cards: seats, the stock or the cards left over, and those laid away."""


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
    starts: Any, work: Any, seat: int, guess: bool, seen: Any, rows: Any, groups: Any, sizes: Any, seeds: Any, options: Any,
    noise: Any, points: Any,
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
            deal_unseen(world, seen, rows, groups, sizes)
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


def deal_unseen(hand: Any, seen: Any, rows: Any, groups: Any, sizes: Any) -> None:
    """Deal the cards that a seat has not seen again: every deal that fits what it knows is as likely as any other.

    `seen` are the cards it knows by hand. The rest is a table of counts (`cardledger.rules.engine.deals.DealCounts`),
    and this is `PossibleDeals.draw` again.
    """
    n = hand.n
    dealt = np.zeros(PLACES, np.int64)
    cards = np.zeros(64, np.int64)
    taken = 0
    row = 0
    for party in range(sizes.shape[0]):
        if rows[row, LIMIT] < TOP:
            pick = np.int64(bits(hand) >> np.uint64(1))
            while rows[row, LIMIT] < pick:
                row += 1
        number = 0
        for group in range(groups.shape[1]):
            chosen = some_cards(hand, groups[party, group] & ~taken, rows[row, TAKEN + group])
            taken |= chosen
            while chosen:
                cards[number] = (chosen & -chosen).bit_length() - 1
                chosen &= chosen - 1
                number += 1
        shuffle(hand, cards, 0, number)
        at = 0
        for place in range(sizes.shape[1]):
            for _ in range(sizes[party, place]):
                dealt[place] |= 1 << cards[at]
                at += 1
        row = rows[row, NEXT]
    for other in range(n):
        hand.held[other] = seen[other] | dealt[other]
    if dealt[n]:
        if DRAWS:
            hand.stock = dealt[n]
        else:
            hand.aside = dealt[n]


def some_cards(hand: Any, cards: int, number: int) -> int:
    """Return so many random cards of a set, as a set."""
    if number == cards.bit_count():
        return cards
    found = 0
    for _ in range(number):
        found |= 1 << random_card(hand, cards & ~found)
    return found
