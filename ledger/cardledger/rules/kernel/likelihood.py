"""How likely the choices made so far are in a possible world.

Like `tricks`, this is written into kernels and not run, but for `mixed`, which the live table uses too
(`cardledger.rules.bots.likely_worlds`).
"""

from __future__ import annotations

from typing import Any

from cardledger.rules.kernel.before import COUNT, allowed_bids, bid_of, call_of, give_of
from cardledger.rules.kernel.tricks import ALIKE, card_of, legal_cards, unseen_cards
from cardledger.rules.kernel.worlds import deal_unseen

BIDS = EXCHANGE = CALLS = DRAWS = True
FEW = 8
"""How many calls come into question in an auction, where most of the legal ones never do."""


def weigh(
    starts: Any, work: Any, seen: Any, rows: Any, groups: Any, sizes: Any, seeds: Any, past: Any, actors: Any, chosen: Any,
    left: Any, seat: int, passed: Any, played: Any, random: Any, held: Any, weights: Any,
) -> None:  # fmt: skip
    """Deal a world for each seed; write down where its cards are, and the chance of the choices made so far.

    `past` are the hands before each choice, `actors` and `chosen` who chose what, and `left[k, seat]` the cards that
    were played from a hand since choice k, `played` since the first card. `passed` are the cards passed by giver, -1
    where `seat` has not seen them; it is empty if there was no exchange. `random` are the shares of random choices:
    before the play, and in it. `held` gets the hands, and then the stock or the cards left over.
    """
    for number in range(seeds.shape[0]):
        work[0] = starts[0]
        world = work[0]
        world.chance = seeds[number]
        deal_unseen(world, seen, rows, groups, sizes)
        weight = 1.0
        if EXCHANGE and passed.shape[0]:
            work[1] = work[0]
            weight *= chance_of_passes(work[1], seat, passed, played, random[0])
        for k in range(actors.shape[0]):
            work[1] = past[k]
            hand = work[1]
            actor = actors[k]
            for other in (actor, hand.acts_for[actor]):
                hand.held[other] = world.held[other] | left[k, other]
            weight *= chance_of_choice(hand, actor, chosen[k], random)
        for other in range(world.n):
            held[number, other] = world.held[other]
        if DRAWS:
            held[number, world.n] = world.stock
        else:
            held[number, world.n] = world.aside
        weights[number] = weight


def chance_of_choice(hand: Any, seat: int, option: int, random: Any) -> float:
    """Return the chance that the bot of the game makes a choice, if it takes any legal one now and then."""
    if BIDS and hand.before:
        allowed = allowed_bids(hand, seat)
        return mixed(bid_of(hand, seat, allowed) == option, allowed.bit_count(), random[0])
    if CALLS and hand.before:
        return mixed(call_of(hand, seat) == option, FEW, random[0])
    legal = legal_cards(hand, hand.held[seat])
    if legal & (legal - 1) == 0 or not legal >> option & 1:
        return 1.0
    card = card_of(hand, seat, legal, unseen_cards(hand, seat))
    return mixed(ALIKE[card] >> option & 1 == 1, legal.bit_count(), random[1])


def mixed(same: Any, options: int, random: float) -> float:
    """Return the chance of a choice among so many options."""
    return (1.0 - random if same else 0.0) + random / options


def chance_of_passes(hand: Any, seat: int, passed: Any, played: Any, random: float) -> float:
    """Return the chance of the cards that others than a seat passed.

    Of those that it has not seen, the likeliest are taken: what the receiver would pass on.
    """
    n = hand.n
    given = passed.copy()
    for other in range(n):
        hand.held[other] |= played[other]
    for giver in range(n):
        if passed[giver] < 0:
            given[giver] = give_of(hand, (giver + hand.step) % n, COUNT)
    for giver in range(n):
        hand.held[(giver + hand.step) % n] &= ~given[giver]
    weight = 1.0
    for giver in range(n):
        if giver != seat:
            hand.held[giver] |= given[giver]
            options = ways(hand.held[giver].bit_count(), COUNT) if passed[giver] >= 0 else 1
            weight *= mixed(give_of(hand, giver, COUNT) == given[giver], options, random)
    return weight


def ways(cards: int, count: int) -> int:
    """Return in how many ways so many cards can be chosen."""
    found = 1
    for k in range(count):
        found = found * (cards - k) // (k + 1)
    return found
