"""Hands of a page judged by kernels, under their own edition or under another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardledger.errors import LedgerError
from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.kernels import Judge
from cardledger.rules.kernel.recorded import COMPLETE, NOT_JUDGED
from cardledger.rules.kernel.recorded_columns import Frames, Plays, Rulings
from cardledger.study.analyse.beginnings import Beginning, DealtBoard, Frame, carried_by, frame_of
from cardledger.study.archive.arrays import joined, numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.analyse.columns import HandColumns
    from cardledger.study.archive.arrays import Codes, Ints


class JudgedHands(NamedTuple):
    """The rulings on hands of a page, by row and by event, and by row the number of the kernel that judged it (-1: none)."""

    rulings: Rulings
    judges: list[Judge]
    judge_of: Ints

    def rules(self, numbers: dict[str, int]) -> Ints:
        """Return the rules of each kernel by kernel and number; `numbers` number them across kernels, and grow."""
        known = [[numbers.setdefault(rule, len(numbers)) for rule in judge.rules] for judge in self.judges]
        table = np.full((len(known) + 1, max(map(len, known), default=1)), -1, np.int64)
        for row, some in zip(table, known, strict=False):
            row[: len(some)] = some
        return table


def judged(columns: HandColumns, rows: Ints, rules: str | None = None, ordered: bool = True) -> JudgedHands:
    """Judge hands of some rows, those that a kernel carries, under their own edition or under that of `rules`.

    `ordered` means that draws are as the stock was recorded. Where a hand follows from the tricks of the hand before,
    the hands are judged one after the other under their own edition, and then under another.
    """
    found = JudgedHands(
        Rulings.blank(len(columns.first), columns.page.events), [], np.full(len(columns.first), -1, np.int64)
    )
    if rules is None:
        later = columns.by_tricks[rows] & (columns.number[rows] > 1)
        _judge(columns, rows[~later], None, ordered, found)
        rows = rows[later]
        for number in range(2, int(columns.number[rows].max(initial=0)) + 1):
            some = rows[columns.number[rows] == number]
            some = some[found.rulings.status[some - 1] == COMPLETE]
            turned = (columns.dealer[some, None] + np.arange(SEATS)) % columns.n[some, None]
            taken = found.rulings.taken[some - 1][np.arange(len(some))[:, None], turned]
            columns.taken_before[some] = np.where(np.arange(SEATS) < columns.n[some, None], taken, -1)
            _judge(columns, some, None, ordered, found)
    else:
        _judge(columns, rows, rules, ordered, found)
    return found


def _judge(columns: HandColumns, rows: Ints, rules: str | None, ordered: bool, found: JudgedHands) -> None:
    """Judge hands of some rows together, kernel by kernel."""
    if not len(rows):
        return
    numbers, beginnings = _beginnings(columns, rows)
    together: dict[tuple[Judge, int], list[tuple[int, Frame]]] = {}
    for number, (beginning, first) in enumerate(beginnings):
        if beginning is None:
            continue
        frame = frame_of(beginning, rules, partial(columns.events, int(rows[first])))
        if frame is not None:
            together.setdefault((frame.judge, beginning.opening.n), []).append((number, frame))
    for (judge, n), some in together.items():
        place = np.full(len(beginnings), -1, np.int64)
        place[[number for number, _ in some]] = np.arange(len(some))
        frame_at = place[numbers]
        chosen = frame_at >= 0
        _by(columns, judge, n, rows[chosen], frame_at[chosen], [frame for _, frame in some], ordered, found)


def _by(
    columns: HandColumns, judge: Judge, n: int, rows: Ints, frame_of: Ints, frames: Sequence[Frame], ordered: bool, found: JudgedHands
) -> None:  # fmt: skip
    """Judge hands of `n` players by one kernel; each has one of the frames."""
    if judge not in found.judges:
        found.judges.append(judge)
    about = Frames(
        judge.records([one.start for one in frames]),
        np.cumsum([0, *(len(one.moves) for one in frames)]),
        np.array([move for one in frames for move in one.moves], np.int64).reshape(-1, 5),
        *(np.array(values, np.int64) for values in zip(*(one[2:7] for one in frames), strict=True)),
    )
    dealer = columns.dealer[rows]
    given, good = judge.deal_out(about, frame_of, dealer, n, columns.deals_of(rows))
    if not ordered:
        given = given._replace(stock_last=given.stock_first)
    words, texts = columns.words
    plays = Plays(
        columns.play[rows], columns.stop[rows], columns.kind_of, columns.types, columns.seats, words, *judge.words(texts),
        columns.first[rows] + 1, *_asked(columns, judge),
    )  # fmt: skip
    judge.judge(about, frame_of, dealer, plays, given, rows, found.rulings)
    found.rulings.status[rows[~good]] = NOT_JUDGED
    found.judge_of[rows] = found.judges.index(judge)
    for number, frame in enumerate(frames):
        if frame.scores is not None:
            over = rows[frame_of == number]
            seats = (columns.dealer[over, None] + np.arange(n)) % n
            found.rulings.points[over[:, None], seats] = frame.scores


def _asked(columns: HandColumns, judge: Judge) -> tuple[Ints, Ints]:
    """Return the suit that every event asks for, and the cards of each suit."""
    if not judge.asks:
        return Plays._field_defaults["suits"], Plays._field_defaults["suit_cards"]
    suits, places = columns.suits
    return suits, np.array([judge.suit_cards[place] if place >= 0 else 0 for place in places], np.int64)


def _beginnings(columns: HandColumns, rows: Ints) -> tuple[Ints, list[tuple[Beginning | None, int]]]:
    """Return the distinct beginnings of some rows, each with the first that has it, and which of them every row has.

    None stands for those that only the live table knows.
    """
    flags = columns.aside[rows] * 4 + columns.stock[rows] * 2 + columns.starters[rows]
    taken = columns.taken_before[rows]
    before = np.where(
        columns.by_number[rows], columns.number[rows],
        np.where(columns.by_tricks[rows] & (taken[:, 0] >= 0), ((taken + 1) * 64 ** np.arange(SEATS)).sum(axis=1) * 2 + 1, 0),
    )  # fmt: skip
    openings, upcards, texts = columns.opening_of[rows], *columns.upcards
    boards, dealt = columns.boards
    known: list[Codes] = [
        (openings, columns.openings),
        (upcards[rows], texts),
        *(_coded(values) for values in (before, columns.each[rows], flags, columns.steps_of[rows])),
        _coded(np.where(columns.of_boards[rows], boards[rows], -1)),
    ]
    numbers, found = joined(known, len(rows))
    first = np.zeros(len(found), np.int64)
    first[numbers[::-1]] = np.arange(len(rows))[::-1]
    beginnings: list[tuple[Beginning | None, int]] = []
    for (opening, upcard, _, each, flag, steps, board), one in zip(found, first.tolist(), strict=True):
        row = rows[one]
        tricks = tuple(columns.taken_before[row, : opening.n].tolist()) if columns.by_tricks[row] else ()
        number = int(columns.number[row]) if columns.by_number[row] else 2 if tricks and tricks[0] >= 0 else 1
        try:
            carried = carried_by(opening, number, each, tricks, None if board < 0 else DealtBoard(*dealt[board]))
        except LedgerError:
            beginnings.append((None, one))
            continue
        beginning = Beginning(
            opening, carried, each, upcard, bool(flag & 4), bool(flag & 2), bool(flag & 1), columns.steps(steps)
        )
        beginnings.append((beginning, one))
    return numbers, beginnings


def _coded(values: Ints) -> Codes:
    """Return numbers as codes of the distinct ones."""
    least = int(values.min(initial=0))
    words, numbers = numbered(values - least, int(values.max(initial=0)) - least + 1)
    return words, (numbers + least).tolist()
