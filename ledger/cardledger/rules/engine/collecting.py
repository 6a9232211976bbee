"""A game of turns in the rule subset: players draw a card and part with one until somebody closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Collecting(NamedTuple):
    """The rules and the careful play of such a game, as functions in the rule subset; a kernel is made from them.

    A hand is a list of cards in the order of the pack, at most nine; a set of its cards is a set of places in the list.
    """

    closing_places: Callable[[list[int]], int]
    """`closing_places(cards)` are the cards with which a hand may be closed."""
    may_lay_off: Callable[[list[int], list[int]], int]
    """`may_lay_off(cards, closed)` are those that may be laid off to the closer's."""
    penalty: Callable[[Any, list[int]], int]
    """`penalty(hand, cards)` are the points of a hand that did not close."""
    closer_scores: Callable[[Any, list[int], int], int]
    """`closer_scores(hand, cards, penalties)` are the points of the closer, given the sum of all penalties."""
    takes: Callable[[Any, list[int], list[int]], bool]
    """A careful player draws from the discards if `takes(hand, cards, more)`, where `more` has the top card too."""
    parts_with: Callable[[Any, list[int]], tuple[int, bool]]
    """`parts_with(hand, cards)` is the card that a careful player discards, and whether that closes the hand."""
    lays_off: Callable[[Any, list[int], int], int]
    """`lays_off(hand, cards, places)` is the card that a careful player lays off, out of those allowed."""
