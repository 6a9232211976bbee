"""Recorded hands as the kernel judges them: columns of events in, rulings out.

Like `tricks`, this is written into kernels and not run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardledger.rules.engine.phases.moves import ARRIVES, ASKS, DISCARDS, PASSES_ON, PAYS, TAKES_UP
from cardledger.rules.kernel.before import first_card, holder
from cardledger.rules.kernel.tricks import NO_TRICK, NOBODY, legal_cards, points_of, put, take_in

DRAWS = PASSES = FIRST_CARD = PAID = TURN = True
ALIKE: Any = None
PASS_RULE = PAY_RULE = TURN_RULE = LEAD_RULE = 0
COMPLETE, UNDER_WAY, IMPOSSIBLE, NOT_JUDGED = 0, 1, 2, 3
"""What became of a hand: played to its end, to some card before it, or to an event that only the live table can judge;
or nothing."""
PLAYED, DREW, PASSED = 1, 2, 3
"""The kinds of events of a play."""
NO_CARD, REFUSED = -1, -2
"""In place of the card played: an event without a card, and one that is not possible."""


def fold(
    starts: Any, move_at: Any, moves: Any, frame: Any, rotated: Any,
    given: int, held: Any, left: Any, stock_first: Any, stock_last: Any, stock: Any, rows: Any, begun: Any, first: Any, stop: Any,
    kind_of: Any, types: Any, seats: Any, words: Any, word_at: Any, word_cards: Any, suits: Any, suit_cards: Any, work: Any,
    status: Any, wrong: Any, faults: Any, points: Any, taken: Any, exposed: Any, cards: Any, takers: Any, cited: Any, broken: Any, legal: Any,
    ends: Any,
) -> None:  # fmt: skip
    """Judge recorded hands: who takes each trick by which rule, which rules are broken, tricks and points by seat.

    Hand h begins as `starts[frame[h]]` with its seats moved on by `rotated[h]`; if cards are `given`, seats have those
    of `held[h]`, and those of `left[h]` lie aside or in the stock (in a known order from `stock_first[h]` to before
    `stock_last[h]`). Before the play, from event `begun[h]` on, cards move by `moves` (see `move`). The play has the
    events from `first[h]` to before `stop[h]`: their type, their seat, and a word, which names cards. What the live
    table has to judge is IMPOSSIBLE at the event `wrong`. What is found about hand h stands in the row `rows[h]`:
    `faults` counts the broken rules; `cards` are those played, -1 for other events; `broken` and `legal` are set where
    a rule is broken; `ends` has the hands at the end, if there is room for them.
    """
    way = np.zeros(8, np.int64)
    for number in range(frame.shape[0]):
        work[0] = starts[frame[number]]
        hand = work[0]
        n = hand.n
        turned = rotated[number]
        row = rows[number]
        wrong[row] = -1
        faults[row] = 0
        if given:
            for seat in range(n):
                hand.held[seat] = held[number, (seat + turned) % n]
            put_aside(hand, left[number], stock, stock_first[number], stock_last[number])
            wrong[row] = moved(
                hand, moves, move_at[frame[number]], move_at[frame[number] + 1], begun[number], way, suits, suit_cards,
                words, word_at, word_cards, row, faults, broken, legal,
            )  # fmt: skip
            if FIRST_CARD:
                hand.turn = holder(hand, first_card(hand))
        hand.took = NO_TRICK
        for event in range(first[number], stop[number] if wrong[row] < 0 else 0):
            seat = seats[event]
            if hand.over or seat < 0 or seat >= n:
                wrong[row] = event
                break
            place = seat - turned if seat >= turned else seat - turned + n
            out_of_turn = 0
            due = hand.held[hand.turn]
            if place != hand.turn:
                if TURN and hand.count == 0 and named_cards(hand.held[place], words[event], word_at, word_cards):
                    out_of_turn = TURN_RULE if hand.tricks_done else LEAD_RULE
                    hand.exposed[place] += 1
                    hand.turn = place
                else:
                    wrong[row] = event
                    break
            card, rule, allowed = step_recorded(hand, kind_of[types[event]], words[event], word_at, word_cards)
            if card == REFUSED:
                wrong[row] = event
                break
            cards[event] = card
            if TURN and out_of_turn:
                rule, allowed = out_of_turn, due
            if rule:
                broken[event] = rule
                faults[row] += 1
                legal[event] = allowed
            if hand.took > NO_TRICK:
                takers[event] = (hand.took + turned) % n if hand.took >= 0 else NOBODY
                cited[event] = hand.cited
                hand.took = NO_TRICK
        status[row] = IMPOSSIBLE if wrong[row] >= 0 else COMPLETE if hand.over else UNDER_WAY
        points_of(hand, points, row)
        for place in range(n):
            seat = (place + turned) % n
            taken[row, seat] = hand.taken[place]
            exposed[row, seat] = hand.exposed[place]
        if turned:
            turn_back(points, row, n, turned)
        if ends.shape[0]:
            ends[row] = work[0]


def moved(
    hand: Any, moves: Any, first: int, last: int, begun: int, way: Any, suits: Any, suit_cards: Any,
    words: Any, word_at: Any, word_cards: Any, row: int, faults: Any, broken: Any, legal: Any,
) -> Any:  # fmt: skip
    """Move the cards before the play, by `moves` from `first` to before `last`; return the event that cannot be judged.

    It is -1 if all can. What breaks a rule is noted as `fold` says.
    """
    asked = 0
    for at in range(first, last):
        event = begun + moves[at, 0]
        if moves[at, 1] == ASKS:
            asked = suit_cards[suits[event]]
        rule, allowed = move(hand, moves[at], way, asked, words[event], word_at, word_cards)
        if rule < 0:
            way[:] = 0
            return event
        if rule:
            broken[event] = rule
            faults[row] += 1
            legal[event] = allowed
    return -1


def move(hand: Any, made: Any, way: Any, asked: int, word: int, word_at: Any, word_cards: Any) -> Any:
    """Move cards before the play.

    The rule that is broken (-1: it is not possible), and the cards that would have been legal.

    `made` is the place of an event and its `Move`; `way` are the cards on their way by seat, `asked` those of the suit
    asked for.
    """
    kind, seat, to, cards = made[1], made[2], made[3], made[4]
    if kind == TAKES_UP:
        hand.held[seat] |= cards
        return 0, 0
    if kind == ARRIVES:
        for other in range(hand.n):
            hand.held[other] |= way[other]
            way[other] = 0
        return 0, 0
    if kind == ASKS:
        return 0 if asked else -1, 0
    held = hand.held[seat]
    named = named_cards(held, word, word_at, word_cards)
    if named == 0 or named.bit_count() != word_at[word + 1] - word_at[word]:
        return -1, 0
    hand.held[seat] &= ~named
    if kind == DISCARDS:
        return -1 if named & cards else 0, 0
    if kind == PASSES_ON:
        way[to] |= named
        return 0, 0
    hand.held[to] |= named
    rule = 0
    legal = held
    if PAID and kind == PAYS:
        legal = may_pay(held, asked)
        if legal != held:
            hand.exposed[seat] += 1
        if not legal & named:
            rule = PAY_RULE
    return rule, legal


def named_cards(free: int, word: int, word_at: Any, word_cards: Any) -> int:
    """Return the cards that a word names, out of those that are free: those of them that are there."""
    cards = 0
    for place in range(word_at[word], word_at[word + 1]):
        card = word_cards[place]
        if card >= 0:
            same = ALIKE[card] & free & ~cards
            cards |= same & -same
    return cards


def turn_back(points: Any, row: int, n: int, turned: int) -> None:
    """Give the points of places to their seats."""
    places = points[row].copy()
    for place in range(n):
        points[row, (place + turned) % n] = places[place]


def put_aside(hand: Any, left: int, stock: Any, first: int, last: int) -> None:
    """Lay the cards that were not dealt aside, or on the stock."""
    hand.aside = left
    if DRAWS:
        hand.stock = left
        hand.ordered = last - first
        for place in range(hand.ordered):
            hand.stock_order[place] = stock[first + place]


def step_recorded(hand: Any, kind: int, word: int, word_at: Any, word_cards: Any) -> Any:
    """Take one event of the seat in turn.

    The card played, the rule it breaks, and the cards that would have been legal.
    """
    if DRAWS and hand.drawing:
        cards = drawn(hand, word, word_at, word_cards) if kind == DREW else 0
        if cards == 0:
            return REFUSED, 0, 0
        take_in(hand, cards)
        return NO_CARD, 0, 0
    seat = hand.turn
    held = hand.held[seat]
    if PASSES and kind == PASSED:
        if not may_pass(hand):
            return REFUSED, 0, 0
        bars = bars_pass(hand, held)
        if bars:
            hand.exposed[seat] += 1
        hand.turn = (seat + 1) % hand.n
        return NO_CARD, PASS_RULE if bars else 0, bars
    if kind != PLAYED or word_at[word + 1] - word_at[word] != 1 or word_cards[word_at[word]] < 0:
        return REFUSED, 0, 0
    card: Any = np.int64(word_cards[word_at[word]])
    if not held >> card & 1:
        same = held & ALIKE[card]
        if not same:
            return REFUSED, 0, 0
        card = same.bit_length() - 1
    legal = legal_cards(hand, held)
    rule = 0
    if legal != held:
        hand.exposed[seat] += 1
        if not legal >> card & 1:
            if not legal:
                return REFUSED, 0, 0
            rule = broken_follow(hand, held, card) if hand.count else broken_lead(hand, held, card)
    put(hand, card)
    return card, rule, legal


def drawn(hand: Any, word: int, word_at: Any, word_cards: Any) -> int:
    """Return the cards of a draw as a set; 0 if they are not those that are due."""
    first = word_at[word]
    if word_at[word + 1] - first != hand.due:
        return 0
    cards = 0
    for place in range(hand.due):
        card: Any = np.int64(word_cards[first + place])
        if card < 0:
            return 0
        if hand.ordered and ALIKE[card] != ALIKE[hand.stock_order[hand.ordered - hand.stock_left + place]]:
            return 0
        found = ALIKE[card] & hand.stock & ~cards
        if not found:
            return 0
        cards |= found & -found
    return cards


def deal_out(
    decks: Any, each: Any, turned_up: Any, with_dealer: Any, named: Any, frame: Any, dealer: Any, size: int,
    hand_of: Any, hand_at: Any, words: Any, word_at: Any, word_cards: Any,
    over_first: Any, over_last: Any, over: Any, over_at: Any, over_cards: Any, held: Any, left: Any, stock: Any, fits: Any,
) -> None:  # fmt: skip
    """Deal recorded hands: the cards of each seat as a set, and those left over; `fits` says which deals are possible.

    By frame: `decks` are the cards in play, `each` how many a seat gets, `turned_up` the card turned up as a set,
    `with_dealer` whether it is the dealer's, `named` whether cards left over must be named. The words of seat s in deal
    d are those from `hand_at[hand_of[d] + s]` to the next place there, those left over from `over_first[d]` to before
    `over_last[d]`. Of twins, the first to be dealt is the lowest.
    """
    for number in range(frame.shape[0]):
        kind = frame[number]
        free = decks[kind]
        if not with_dealer[kind]:
            free &= ~turned_up[kind]
        good = True
        for seat in range(size):
            place = hand_of[number] + seat
            cards = found_in(free, words, hand_at[place], hand_at[place + 1], word_at, word_cards)
            many = hand_at[place + 1] - hand_at[place]
            if many != each[kind] or cards.bit_count() != many:
                good = False
            held[number, seat] = cards
            free &= ~cards
        if with_dealer[kind] and turned_up[kind] and not held[number, dealer[number]] & turned_up[kind]:
            good = False
        left[number] = free
        first = over_first[number]
        last = over_last[number]
        if last > first or named[kind]:
            cards = found_in(free, over, first, last, over_at, over_cards)
            if cards != free or free.bit_count() != last - first:
                good = False
            else:
                for place in range(first, last):
                    stock[place] = over_cards[over_at[over[place]]]
        fits[number] = good


def found_in(free: int, words: Any, first: int, last: int, word_at: Any, word_cards: Any) -> int:
    """Return the cards that some words name, out of those that are free: those of them that are there."""
    cards = 0
    for place in range(first, last):
        word = words[place]
        if word_at[word + 1] - word_at[word] == 1 and word_cards[word_at[word]] >= 0:
            same = ALIKE[word_cards[word_at[word]]] & free & ~cards
            cards |= same & -same
    return cards


# --- functions of the game


def broken_lead(hand: Any, held: int, card: int) -> int:
    """Return the first rule that a lead breaks."""
    raise NotImplementedError


def broken_follow(hand: Any, held: int, card: int) -> int:
    """Return the first rule that a card to another's lead breaks."""
    raise NotImplementedError


def may_pass(hand: Any) -> bool:
    """Tell whether the seat to lead may pass."""
    raise NotImplementedError


def bars_pass(hand: Any, held: int) -> int:
    """Return the cards that forbid a pass."""
    raise NotImplementedError


def may_pay(held: int, asked: int) -> int:
    """Return the cards that pay a debt."""
    raise NotImplementedError
