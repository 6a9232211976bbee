"""Which matches of a page fold.

Who deals, how many cards, and when the match is over, by the points of hands that kernels judged.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.fields import duplicate
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases.deal import next_to_deal
from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.recorded import COMPLETE, UNDER_WAY
from cardledger.study.analyse.beginnings import MatchTerms, opened
from cardledger.study.archive.arrays import numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.rules.kernel.recorded_columns import Rulings
    from cardledger.study.analyse.columns import HandColumns
    from cardledger.study.archive.arrays import Flags, Ints

HandNumber = tuple[MatchTerms, int]
GOES_ON, OVER, BY_TOTALS, BY_MORE = 0, 1, 2, -1
"""Whether a match is over after a hand, or what decides it: the totals by seat, or more than them."""


def folding(columns: HandColumns, rows: Ints, state: Ints, found: Rulings) -> Flags:
    """Tell which matches fold as they come, by match.

    `rows` are the hands of plain matches, `state` what became of every row.
    """
    good: Flags = np.zeros(len(columns.strict), bool)
    of_match, number, dealer = columns.match_of[rows], columns.number[rows], columns.dealer[rows]
    if not len(rows):
        return good
    good[of_match] = True
    begun = np.flatnonzero(number == 1)
    last = np.zeros(len(rows), bool)
    last[begun - 1] = True
    whole = state[rows] == COMPLETE
    wrong = ~whole & ~((state[rows] == UNDER_WAY) & last)
    kinds, kind_of = _kinds(columns, rows)
    wrong |= columns.each[rows] != np.array([_each(*kind) for kind in kinds], np.int64)[kind_of]
    good[of_match[wrong]] = False
    after = (dealer - np.roll(dealer, 1) - 1) % columns.n[rows] != 0
    out_of_turn = np.zeros(len(good), bool)
    out_of_turn[of_match[after & (number > 1)]] = True
    stops = np.append(begun[1:], len(rows))
    played = stops - begun - ~whole[stops - 1]
    over = _over_after(kinds, kind_of, begun, played, found.points[rows, :SEATS] * whole[:, None])
    matches, openings = of_match[begun], columns.opening_of[rows[begun]]
    goes_round = np.array(
        [bool(many and _order(columns.openings[one])) for one, many in enumerate(np.bincount(openings))]
    )
    in_turn = ~(out_of_turn[matches] & goes_round[openings])
    ends = (over >= stops - begun) & ((over != played) | ~columns.ended[rows[stops - 1]])
    unsure = good[matches] & (over < 0)
    good[matches] &= in_turn & ends
    early = _early(columns, rows)
    for match, first, stop, many in zip(
        *(one[unsure].tolist() for one in (matches, begun, stops, played)), strict=True
    ):
        opening = columns.openings[columns.opening_of[rows[first]]]
        good[match] = _ends(opening, columns, rows[first:stop], many, found, early(first, stop))
    return good


def _early(columns: HandColumns, rows: Ints) -> Callable[[int, int], Sequence[Sequence[ev.Event]]]:
    """Return a function for the events before the play of some of the rows.

    All of them are made when it is first called.
    """
    many = columns.play[rows] - columns.first[rows]
    begun = np.cumsum(many) - many

    @cache
    def made() -> list[ev.Event]:
        place = np.arange(int(many.sum())) - np.repeat(begun, many)
        return columns.page.made(np.repeat(columns.first[rows], many) + place)

    def of(first: int, stop: int) -> Sequence[Sequence[ev.Event]]:
        events = made()
        return [
            events[start : start + size]
            for start, size in zip(begun[first:stop].tolist(), many[first:stop].tolist(), strict=True)
        ]

    return of


@lru_cache(maxsize=2**14)
def _each(opening: MatchTerms, number: int) -> int:
    """Return how many cards a seat is dealt in a hand of a number."""
    table = opened(opening)
    each: int = table.game.deal.cards(table, number)[1]
    return each


@lru_cache(maxsize=1024)
def _order(opening: MatchTerms) -> str | None:
    """Return the rule of the deal if it says that the deal goes round, "" if anybody may deal.

    None if more has to be known.
    """
    game = opened(opening).game
    if game.deal.carries:
        return None
    try:
        order = game.deal.order_of_deals(_table(opening)[0])
    except (AttributeError, TypeError):
        return None
    return order if order == "" or game.deal.next_dealer is next_to_deal else None


def _over_after(kinds: Sequence[HandNumber], kind_of: Ints, begun: Ints, played: Ints, points: Ints) -> Ints:
    """Return by match after how many hands it is over, one more than it has if it is not.

    -1 if more than totals decides.
    """
    totals = np.cumsum(points, axis=0)
    known = np.array([_known_over(*kind) for kind in kinds], np.int8)
    verdicts = known[kind_of]
    for kind in np.flatnonzero(known == BY_TOTALS).tolist():
        opening, number = kinds[kind]
        places = np.flatnonzero(kind_of == kind)
        before = totals[places - number] * (places >= number)[:, None]
        verdicts[places] = _over_at(opening, number, (totals[places] - before)[:, : opening.n].tolist())
    decided = np.append(np.flatnonzero(verdicts), len(verdicts))
    first = decided[np.searchsorted(decided, begun)]
    over: Ints = np.where(first < begun + played, first - begun, played) + 1
    unsure = (first < begun + played) & (verdicts[np.minimum(first, len(verdicts) - 1)] == BY_MORE)
    over[unsure] = -1
    return over


def _kinds(columns: HandColumns, rows: Ints) -> tuple[list[HandNumber], Ints]:
    """Return the distinct openings with numbers of hands, and which of them every row has."""
    most = int(columns.number[rows].max(initial=0)) + 1
    numbers, distinct = numbered(columns.opening_of[rows] * most + columns.number[rows], len(columns.openings) * most)
    return [(columns.openings[one // most], one % most) for one in distinct.tolist()], numbers


@lru_cache(maxsize=2**14)
def _known_over(opening: MatchTerms, number: int) -> int:
    """Tell whether a match is over after so many hands, as far as that is known without their points."""
    return BY_MORE if _order(opening) is None else _over_at(opening, number, [None])[0]


def _over_at(opening: MatchTerms, number: int, totals: Sequence[list[int] | None]) -> list[int]:
    """Tell whether matches are over after so many hands with these totals.

    Without totals, who looks at them gets an error.
    """
    table, hand = _table(opening)
    over, bank = table.game.scoring.over, table.game.scoring.bank
    table.hands = [*(None,) * (number - 1), hand]
    found = []
    for known in totals:
        try:
            table.totals = known or []
            if known is None:
                del table.totals
            if bank is not None:
                bank(table)
            ends = over(table) is not None
            found.append(BY_MORE if getattr(table, "totals", None) is not known else OVER if ends else GOES_ON)
        except (AttributeError, TypeError):
            found.append(BY_TOTALS if known is None else BY_MORE)
    return found


@lru_cache(maxsize=1024)
def _table(opening: MatchTerms) -> tuple[Match[Any], Any]:
    """Return a match whose end is asked for, and a hand of it that shows nothing.

    Who looks at it, or at the account, gets an error.
    """
    table = opened(opening).copy()
    table.account = None
    table.hand = hand = duplicate(table.blank)
    table.hands = [None, hand]
    for name in ("number", "dealer", "taken", "scores", "totals"):
        delattr(hand, name)
    return table, hand


def _ends(
    opening: MatchTerms, columns: HandColumns, rows: Ints, played: int, found: Rulings, early: Sequence[Sequence[ev.Event]]
) -> bool:  # fmt: skip
    """Tell whether a match of these hands is over when it should be, and dealt by those who should.

    Every hand is begun as it was.
    """
    table = opened(opening).copy()
    game, n = table.game, table.n
    seq = 1
    try:
        for number, (row, events) in enumerate(zip(rows.tolist(), early, strict=True), 1):
            for event in events:
                seq += 1
                table.apply(event, seq)
            hand: Any = table.hand
            if number > played or hand.over:
                continue
            hand.taken = found.taken[row, :n].tolist()
            if game.deal.carries:
                table.settle()
            else:
                table.finish(found.points[row, :n].tolist())
    except LedgerError:
        return False
    return not columns.ended[rows[-1]] or table.status == "open"
