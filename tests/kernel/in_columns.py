"""Hands judged in columns and at the live table, side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import LedgerError
from cardledger.rules.kernel.recorded import COMPLETE, UNDER_WAY
from cardledger.rules.kernel.tricks import NO_TRICK
from cardledger.rules.stream import Stream
from cardledger.study.analyse.beginnings import opened
from cardledger.study.analyse.columns import COLUMNS, HandColumns
from cardledger.study.analyse.judged import JudgedHands, judged
from cardledger.study.archive import files
from cardledger.study.archive.files import Archive
from cardledger.study.stats.luck.deals import PlayedHand, hands_of
from cardledger.study.stats.review.review import rotated
from tests.archive.streams import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from cardledger.rules.engine import events as ev


def archive_of(played: Iterable[list[ev.Event]], path: Path) -> Path:
    """Return an archive of matches."""
    recordings = (stored(events, f"{at:08x}-d013-50d2-ae22-347db56a53ca", at + 1) for at, events in enumerate(played))
    files.pack(recordings, path, 1)
    return path


class Ruled(NamedTuple):
    """What the rules say about a hand; seats are counted from the dealer on."""

    complete: bool
    tricks: dict[int, tuple[int | None, str]]
    violations: dict[int, tuple[int, str, tuple[str, ...]]]
    taken: list[int]
    exposed: list[int]
    scores: list[int] | None


def by_table(played: PlayedHand, rules: str) -> Ruled:
    """Judge a hand at the live table, alone."""
    assert played.dealt is not None
    dealt = replace(played.dealt, situation=replace(played.dealt.situation, game=rules.partition("/")[0]))
    table = dealt.table(strict=False, rules=rules)
    tricks: dict[int, tuple[int | None, str]] = {}
    for seq, event in played.events[1:]:
        act = rotated(event, played.hand.dealer, table.n)
        if act is not None:
            table.apply(act, seq)
        if len(table.hand.tricks) > len(tricks):
            tricks[seq] = table.hand.tricks[-1][2:]
    hand = table.hand
    violations = {one.seq: (one.seat, one.rule, one.legal) for one in table.violations}
    return Ruled(hand.over, tricks, violations, hand.taken, hand.exposed, hand.scores)


def by_columns(columns: HandColumns, found: JudgedHands, row: int) -> Ruled:
    """Return how a kernel judged the hand of a row."""
    rulings, judge = found.rulings, found.judges[found.judge_of[row]]
    n, dealer = int(columns.n[row]), int(columns.dealer[row])
    first, stop = int(columns.first[row]), int(columns.stop[row])
    before = first - columns.page.bounds[columns.match_of[row]]
    pack = opened(columns.openings[columns.opening_of[row]]).pack
    tricks: dict[int, tuple[int | None, str]] = {}
    violations = {}
    for seq, event in enumerate(range(first, stop), before + 1):
        taker = int(rulings.takers[event])
        if taker != NO_TRICK:
            tricks[seq] = None if taker < 0 else (taker - dealer) % n, judge.rules[rulings.cited[event]]
        if rulings.broken[event]:
            rule, legal = judge.rules[rulings.broken[event]], pack.show(int(rulings.legal[event]))
            violations[seq] = (int(columns.seats[event]) - dealer) % n, rule, legal
    complete = bool(rulings.status[row] == COMPLETE)
    taken, exposed, scores = (
        [int(values[row, (dealer + seat) % n]) for seat in range(n)]
        for values in (rulings.taken, rulings.exposed, rulings.points)
    )
    assert rulings.faults[row] == len(violations)
    return Ruled(complete, tricks, violations, taken, exposed, scores if complete else None)


def both_ways(path: Path, id: str, rules: str | None = None) -> Iterator[tuple[Ruled, Ruled]]:
    """Yield how the live table and the columns judge each hand that both judge, under its own edition or under `rules`."""
    with Archive(path) as archive:
        for number in range(len(archive)):
            streams = {course.match: course.events for course in archive.courses(number)}
            columns = HandColumns(archive.page(number, COLUMNS))
            found = judged(columns, columns.rows)
            if rules is not None:
                complete = columns.rows[found.rulings.status[columns.rows] == COMPLETE]
                found = judged(columns, complete, rules, ordered=False)
            for match in {*columns.match_of[columns.rows].tolist()}:
                try:
                    stream = Stream.of(streams[columns.page.matches[match]])
                except LedgerError:
                    continue
                played = list(hands_of(stream))
                for row in columns.rows[columns.match_of[columns.rows] == match].tolist():
                    hand = played[columns.number[row] - 1]
                    if found.rulings.status[row] in (COMPLETE, UNDER_WAY) and hand.dealt is not None:
                        edition = rules or stream.table.game.book.edition
                        yield by_table(hand, edition), by_columns(columns, found, row)
