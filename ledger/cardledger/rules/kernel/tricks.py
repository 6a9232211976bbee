"""The play of tricks as the kernel has it.

What `TrickPlay`, `Draws`, `Ties` and the cautious bots do, over numbers alone.

This source is not run: `cardledger.rules.kernel.source` writes it into the module of each game, behind the game's own
rules. There `hand` is a record of numbers with the fields of the game's hand, and these names stand for parts of the
game: `LEAD`, `TIES` and the like (whether it has them; what it does not have is left out), `KIN` and `ALIKE` (its
cards), and the functions declared at the end. Tests compare all of it with the live table, card by card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LEAD = LATER_LEAD = FOLLOW = LATER_FOLLOW = AFTER_TRICK = NEXT_LEAD = OPENED = DRAWS = TIES = SCORES = True
TIE_RULE = REMOVED_RULE = 0
KIN: Any = None
ALIKE: Any = None
LONGEST = 1_000
NOBODY, NO_TRICK = -1, -2
"""In place of a taker: a trick that tied, and an event that ended none."""


# --- chance: splitmix64, as `cardledger.rules.engine.chance` has it


def bits(hand: Any) -> Any:
    """Return a number of 64 bits."""
    hand.chance = hand.chance + np.uint64(0x9E3779B97F4A7C15)
    z = hand.chance
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random(hand: Any) -> float:
    """Return a number from 0 to below 1."""
    return np.float64(bits(hand) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def below_number(hand: Any, n: int) -> int:
    """Return a whole number from 0 to below `n`."""
    return int(random(hand) * n)


def random_card(hand: Any, cards: int) -> int:
    """Return a random card of a set."""
    for _ in range(below_number(hand, cards.bit_count())):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def shuffle(hand: Any, cards: Any, first: int, last: int) -> None:
    """Put the cards from one place to before another in a random order."""
    for place in range(last - first - 1, 0, -1):
        other = below_number(hand, place + 1)
        card = cards[first + place]
        cards[first + place] = cards[first + other]
        cards[first + other] = card


# --- tricks


def legal_cards(hand: Any, held: int) -> int:
    """Return the cards out of `held` that keep every duty of the moment."""
    if hand.count:
        if LATER_FOLLOW and hand.tricks_done:
            return later_follow(hand, held)
        if FOLLOW:
            return follow(hand, held)
        return held
    if LATER_LEAD and hand.tricks_done:
        return later_lead(hand, held)
    if LEAD:
        return lead(hand, held)
    return held


def put(hand: Any, card: int) -> None:
    """Play a card to the trick; the last one completes it."""
    bit = 1 << card
    seat = hand.turn
    hand.held[seat] &= ~bit
    if hand.count == 0:
        hand.leader = seat
        hand.laid = bit
        hand.led = KIN[hand.order, card]
        hand.size = 0
        other = seat  # counted on without `%`: a division takes longer than all the rest
        for _ in range(hand.n):
            if hand.playing >> other & 1:
                hand.seats[hand.size] = other
                hand.size += 1
            other = other + 1 if other + 1 < hand.n else 0
        if OPENED and hand.tricks_done == 0:
            opened(hand)
    else:
        hand.laid |= bit
    hand.trick[hand.count] = card
    hand.count += 1
    if hand.count < hand.size:
        hand.turn = hand.seats[hand.count]
    else:
        complete(hand)


def complete(hand: Any) -> None:
    """Decide a full trick."""
    place, rule = taker(hand, hand.trick)
    hand.cited = rule
    if TIES and place < 0:
        tie(hand)
        return
    winner = hand.seats[place]
    hand.took = winner
    hand.taken[winner] += 1
    hand.tricks_done += 1
    hand.tricks_left -= 1
    if AFTER_TRICK:
        after_trick(hand, winner)
    hand.gone |= hand.laid
    hand.turn = winner
    if NEXT_LEAD:
        hand.turn = next_lead(winner, hand.n)
    if DRAWS:
        hand.due = min(due(hand, winner), hand.stock_left)
        hand.drawing = 1
        hand.turn = winner
    elif hand.tricks_left == 0:
        hand.over = 1
    if TIES:
        hand.tried = 0
    hand.count = 0


def tie(hand: Any) -> None:
    """Give the tied cards back, or remove them when the leader has no other face to try."""
    hand.took = NOBODY
    hand.cited = TIE_RULE
    hand.turn = hand.leader
    hand.tried |= ALIKE[hand.trick[0]]
    if (hand.held[hand.leader] | 1 << hand.trick[0]) & ~hand.tried:
        for place in range(hand.count):
            hand.held[hand.seats[place]] |= 1 << hand.trick[place]
    else:
        hand.cited = REMOVED_RULE
        hand.tried = 0
        hand.tricks_left -= 1
    hand.count = 0
    hand.tricks_done += 1
    after_tie(hand)
    if hand.tricks_left == 0:
        hand.over = 1


def draw(hand: Any) -> None:
    """Let the taker of a trick draw the next cards of the stock, or any if their order is not known."""
    cards = 0
    for number in range(hand.due):
        if hand.ordered:
            card = hand.stock_order[hand.ordered - hand.stock_left + number]
        else:
            card = random_card(hand, hand.stock & ~cards)
        cards |= 1 << card
    take_in(hand, cards)


def take_in(hand: Any, cards: int) -> None:
    """Give drawn cards to the taker of a trick; end the hand if the stock or a hand is then empty."""
    hand.stock &= ~cards
    hand.stock_left -= hand.due
    hand.held[hand.turn] |= cards
    hand.drawing = 0
    if hand.stock_left == 0:
        hand.over = 1
    for seat in range(hand.n):
        if hand.held[seat] == 0:
            hand.over = 1


# --- the bots


def unseen_cards(hand: Any, seat: int) -> int:
    """Return the cards that the player who acts for a seat has not seen."""
    seen = hand.gone | hand.held[seat] | hand.held[hand.acts_for[seat]]
    if hand.count:
        seen |= hand.laid
    if hand.open_hands:
        for other in range(hand.n):
            if hand.open_hands >> other & 1:
                seen |= hand.held[other]
    unseen: int = hand.deck & ~seen
    return unseen


def step(hand: Any, noise: Any) -> None:
    """Do what the cautious bot does, or with the chance `noise` play any legal card."""
    if DRAWS and hand.drawing:
        draw(hand)
        return
    seat = hand.turn
    legal = legal_cards(hand, hand.held[seat])
    if legal == 0:
        hand.turn = (seat + 1) % hand.n
        return
    if legal & (legal - 1) == 0:
        card = legal.bit_length() - 1
    elif random(hand) < noise[seat]:
        card = random_card(hand, legal)
    else:
        card = card_of(hand, seat, legal, unseen_cards(hand, seat))
    put(hand, card)


def play_on(hand: Any, noise: Any) -> None:
    """Play a hand to its end, or give it up."""
    for _ in range(LONGEST):
        if hand.over:
            return
        step(hand, noise)


def points_of(hand: Any, points: Any, row: int) -> None:
    """Write down the points by seat, and whether the hand came to its end."""
    points[row, hand.n] = hand.over
    if hand.over:
        if SCORES:
            found = scores(hand)
            for seat in range(hand.n):
                points[row, seat] = found[seat]
        else:
            for seat in range(hand.n):
                points[row, seat] = score(hand, seat)


# --- functions of the game


def lead(hand: Any, held: int) -> int:
    """Return the cards that keep all duties of a lead; `later_lead` once a trick is complete."""
    raise NotImplementedError


def follow(hand: Any, held: int) -> int:
    """Return the cards that keep all duties of a seat that follows; `later_follow` once a trick is complete."""
    raise NotImplementedError


later_lead, later_follow = lead, follow


def taker(hand: Any, trick: Any) -> Any:
    """Return the place that takes a trick, and the rule that says so."""
    raise NotImplementedError


def next_lead(taker: int, n: int) -> int:
    """Return who leads to the next trick."""
    raise NotImplementedError


def after_trick(hand: Any, taker: int) -> None:
    """Bring the game's fields up to date."""


def after_tie(hand: Any) -> None:
    """Bring them up to date after a tie."""


def opened(hand: Any) -> None:
    """Bring them up to date after the first card of a hand."""


def due(hand: Any, taker: int) -> int:
    """Return how many cards are drawn."""
    raise NotImplementedError


def scores(hand: Any) -> Any:
    """Return the points by seat."""
    raise NotImplementedError


def score(hand: Any, seat: int) -> int:
    """Return the points of a seat."""
    raise NotImplementedError


def card_of(hand: Any, seat: int, legal: int, unseen: int) -> int:
    """Return the card that the bot chooses."""
    raise NotImplementedError
