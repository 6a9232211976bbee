"""Hands of a page under their own edition and under another, in columns.

Which are judged otherwise, and from which event on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.recorded import COMPLETE, IMPOSSIBLE, NOT_JUDGED, UNDER_WAY
from cardledger.rules.kernel.tricks import NO_TRICK
from cardledger.study.analyse.columns import HandColumns
from cardledger.study.analyse.folding import folding
from cardledger.study.analyse.judged import judged

if TYPE_CHECKING:
    from cardledger.study.archive.arrays import Flags, Ints

ONE_JUDGE = 2
"""Rows of a table of rules (`JudgedHands.rules`) where one kernel judged all hands."""
Otherwise = tuple[int, int, int, bool, tuple[int, ...], tuple[int, ...] | None]
"""A hand that another edition judges otherwise: its row, the first event that differs and its trick, whether it stops,
points under both."""


class Compared:
    """The hands of a game judged under another edition too.

    `matches` are those of which nothing is left to the live table, `hands` how many hands of the game they have,
    `under_way` how many that were not played out.
    """

    def __init__(self, columns: HandColumns, game: str, rules: str) -> None:
        self._columns = columns
        rows = columns.rows
        self._own = judged(columns, rows)
        own = self._own.rulings
        state = np.where(columns.strict[columns.match_of] & (own.faults > 0), NOT_JUDGED, own.status)
        of_game: Flags = np.array([opening.game == game for opening in columns.openings])[columns.opening_of]
        asked = rows[of_game[rows] & (state[rows] == COMPLETE)]
        self._other = judged(columns, asked, rules, ordered=False)
        other = self._other.rulings.status[asked]
        whole = folding(columns, rows, state, own)
        whole[columns.match_of[asked[(other == NOT_JUDGED) | (other == UNDER_WAY)]]] = False
        self.matches: list[int] = np.flatnonzero(whole).tolist()
        self._counted: Ints = asked[whole[columns.match_of[asked]]]
        self.hands = len(self._counted)
        plain = rows[of_game[rows] & whole[columns.match_of[rows]]]
        self.under_way = int((state[plain] == UNDER_WAY).sum())

    # --- differences

    def otherwise(self) -> Iterator[Otherwise]:
        """Yield the hands that are judged otherwise."""
        columns, rows = self._columns, self._counted
        mine, theirs = self._own.rulings, self._other.rulings
        stops = theirs.status[rows] == IMPOSSIBLE
        last = np.where(stops, theirs.wrong[rows], columns.stop[rows] - 1)
        ends, other_ends = (np.flatnonzero(rulings.takers > NO_TRICK) for rulings in (mine, theirs))
        differs = self._first_differing(rows, last, stops, ends)
        some = np.flatnonzero(
            (differs >= 0) | stops | (mine.points[rows, :SEATS] != theirs.points[rows, :SEATS]).any(axis=1)
        )
        rows, last, stops, differs = rows[some], last[some], stops[some], differs[some]
        known, end = 1 + self._tricks(ends, rows, differs), self._tricks(other_ends, rows, last)
        end = np.where(stops & (end > 0), end + 1, 0)
        later = (differs < 0) | stops & ((last < differs) | (last == differs) & (end < known))
        found = rows, np.where(later, last, differs), np.where(later, end, known), stops
        points = (_by_seat(rulings.points[rows], columns.n[rows]) for rulings in (mine, theirs))
        for row, seq, trick, stop, own, other in zip(*(one.tolist() for one in found), *points, strict=True):
            yield row, seq, trick, stop, own, None if stop else other

    def _tricks(self, ends: Ints, rows: Ints, events: Ints) -> Ints:
        """Return how many tricks of each hand ended before an event; `ends` are the events that end one."""
        tricks: Ints = np.searchsorted(ends, events) - np.searchsorted(ends, self._columns.play[rows])
        return tricks

    def _first_differing(self, rows: Ints, last: Ints, stops: Any, ends: Ints) -> Ints:
        """Return the first event of each hand that both take and that they judge otherwise, -1 for none."""
        mine, theirs = self._own.rulings, self._other.rulings
        numbers: dict[str, int] = {}
        a, b = self._own.rules(numbers), self._other.rules(numbers)
        tricks = ends[theirs.takers[ends] > NO_TRICK]
        faults = np.flatnonzero(mine.broken | theirs.broken)
        rule = self._rules(a, b, tricks, "cited")
        tricks = tricks[(mine.takers[tricks] != theirs.takers[tricks]) | (rule[0] != rule[1])]
        rule = self._rules(a, b, faults, "broken")
        faults = faults[(rule[0] != rule[1]) | (mine.legal[faults] != theirs.legal[faults])]
        found: Ints = np.full(len(rows), -1, np.int64)
        for events, whole in ((tricks, False), (faults, True)):
            hands = np.searchsorted(self._columns.first[rows], events, "right") - 1
            events, hands = events[hands >= 0], hands[hands >= 0]
            end = last[hands]
            within = (events < end) | (events == end) & (whole | ~stops[hands])
            hands, places = np.unique(hands[within], return_index=True)
            first = events[within][places]
            found[hands] = np.where((found[hands] < 0) | (first < found[hands]), first, found[hands])
        return found

    def _rules(self, a: Ints, b: Ints, events: Ints, kind: str) -> tuple[Ints, Ints]:
        """Return the rules cited or broken at some events under both editions, by common numbers."""
        row = np.searchsorted(self._columns.first, events, "right") - 1 if max(len(a), len(b)) > ONE_JUDGE else None
        own, other = (
            table[0 if row is None else one.judge_of[row], getattr(one.rulings, kind)[events]]
            for table, one in ((a, self._own), (b, self._other))
        )
        return own, other


def _by_seat(points: Ints, n: Ints) -> list[tuple[int, ...]]:
    """Return the points of hands as tuples, each of `n` seats."""
    most = int(n.max(initial=0))
    found = [*zip(*points[:, :most].T.tolist(), strict=True)]
    return found if (n == most).all() else [one[:seats] for one, seats in zip(found, n.tolist(), strict=True)]
