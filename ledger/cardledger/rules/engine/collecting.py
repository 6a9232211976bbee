"""A game of turns in the rule subset: players draw a card and part with one until somebody closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Collecting(NamedTuple):
    """The rules and the careful play of such a game, as functions in the rule subset; a kernel is made from them.

    A hand is a list of cards in the order of the pack, at most nine; a set of its cards is a set of places in the list.
    `closing_places(cards)` are the cards with which a hand may be closed, `may_lay_off(cards, closed)` those that may be laid off to the
    closer's; `penalty(hand, cards)` are the points of a hand that did not close, `closer_scores(hand, cards, penalties)` those of
    the closer. Careful players draw from the discards if `takes(hand, cards, more)`, where `more` has the top card too; they part with the
    card `parts_with(hand, cards)`, which also says whether that closes, and lay off `lays_off(hand, cards, places)`.
    """

    closing_places: Callable[[list[int]], int]
    may_lay_off: Callable[[list[int], list[int]], int]
    penalty: Callable[[Any, list[int]], int]
    closer_scores: Callable[[Any, list[int], int], int]
    takes: Callable[[Any, list[int], list[int]], bool]
    parts_with: Callable[[Any, list[int]], tuple[int, bool]]
    lays_off: Callable[[Any, list[int], int], int]
