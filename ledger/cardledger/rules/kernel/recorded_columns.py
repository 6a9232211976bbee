"""Recorded hands as columns: what goes into a kernel that judges them, and its rulings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.recorded import NOT_JUDGED
from cardledger.rules.kernel.tricks import NO_TRICK


class Plays(NamedTuple):
    """The events of recorded hands as columns, and the place of each hand's first event and of the one after its last.

    Types and words are numbers: `kind_of[type]` is a kind of `cardledger.rules.kernel.recorded`, 0 for any other; the
    cards of a word are those of `cards` from `starts[word]` to before `starts[word + 1]` (-1: no card of the game).
    `begun` is the place after the deal, `suit_cards[suit]` are the cards of a suit asked for.
    """

    first: Any
    stop: Any
    kind_of: Any
    types: Any
    seats: Any
    words: Any
    starts: Any
    cards: Any
    begun: Any = np.zeros(0, np.int64)
    suits: Any = np.zeros(1, np.int32)
    suit_cards: Any = np.zeros(1, np.int64)


class Frames(NamedTuple):
    """How recorded hands begin, and what their deals must be: see `cardledger.rules.kernel.recorded.deal_out`.

    The moves of frame f are those from `move_at[f]` to before `move_at[f + 1]`, each the place of an event after the
    deal and a `Move`.
    """

    starts: Any
    move_at: Any
    moves: Any
    decks: Any
    each: Any
    turned_up: Any
    with_dealer: Any
    named: Any


class Deals(NamedTuple):
    """The cards of recorded deals as columns: see `cardledger.rules.kernel.recorded.deal_out`."""

    hand_of: Any
    hand_at: Any
    words: Any
    word_texts: Sequence[str | None]
    over_first: Any
    over_last: Any
    over: Any
    over_texts: Sequence[str | None]


class Given(NamedTuple):
    """The cards of recorded hands.

    By hand and seat, those left over, and the places of those in the known order of the stock.
    """

    held: Any
    left: Any
    stock_first: Any
    stock_last: Any
    stock: Any


class Rulings(NamedTuple):
    """What the rules say about recorded hands, by row and by event: see `cardledger.rules.kernel.recorded.fold`."""

    status: Any
    wrong: Any
    faults: Any
    points: Any
    taken: Any
    exposed: Any
    cards: Any
    takers: Any
    cited: Any
    broken: Any
    legal: Any
    ends: Any

    @staticmethod
    def blank(rows: int, events: int, state: Any = None) -> Rulings:
        """Return rulings on nothing, with room for rows and events; with a `state`, for the hands at their end too."""
        by_row = [np.full(rows, NOT_JUDGED, np.int8), np.full(rows, -1, np.int64), np.zeros(rows, np.int64)]
        lists = [np.zeros((rows, size), np.int64) for size in (SEATS + 1, SEATS, SEATS)]
        by_event = [np.full(events, one, np.int8) for one in (-1, NO_TRICK)]
        rules = [np.zeros(events, kind) for kind in (np.int16, np.int16, np.int64)]
        ends = np.zeros(0 if state is None else rows, state or np.int8)
        return Rulings._make([*by_row, *lists, *by_event, *rules, ends])


NOT_GIVEN = Given._make((np.zeros((0, 0), np.int64), *[np.zeros(0, np.int64)] * 3, np.zeros(0, np.int8)))
