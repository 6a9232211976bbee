"""Matches folded with whole hands judged by kernels, for tests: the live table deals, bids and scores, and a kernel plays.

So kernel and table can be compared in every game, whatever comes before the play. It is not used outside of tests: to make the
table of a hand costs as much as to play it there. What a kernel does not carry is applied to the live table.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.rulebook import Violation
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.kernels import Judge
from cardledger.rules.kernel.recorded import COMPLETE, DREW, PASSED, PLAYED
from cardledger.rules.kernel.recorded_columns import Plays
from cardledger.rules.kernel.source import fields_of
from cardledger.rules.kernel.subset import LISTED, growing_fields, numbers_of
from cardledger.rules.kernel.tricks import NO_TRICK
from cardledger.rules.stream import Stream

KINDS: Final[dict[type[ev.Event], int]] = {ev.Play: PLAYED, ev.Draw: DREW, ev.Pass: PASSED}
"""The events that a kernel takes, and what it calls them."""


@dataclass(slots=True)
class WaitingHand:
    """A hand that waits for a kernel before a lead: its table, and its events from `first` to before `stop`."""

    judge: Judge
    table: Match[Any]
    events: Sequence[ev.Event]
    first: int
    stop: int


@dataclass(slots=True)
class Judged:
    """A hand as a kernel judged it.

    By event: the seat, the card played (-1: none), who takes the trick that it ends (-2: it ends none, -1: a tie) and by which
    rule. `wrong` are the places of events that break a rule, with that rule and the cards that would have been legal. `end` is the
    record of the hand at its end.
    """

    complete: bool
    seats: list[int]
    cards: list[int]
    takers: list[int]
    cited: list[int]
    wrong: list[tuple[int, str, int]]
    end: list[int]


Judges = dict[tuple[Game[Any], Pack], Judge | None]
"""The kernels of games and packs, looked up once."""
Course = Generator[WaitingHand, Judged | None, Stream]


def streams(matches: Iterable[Sequence[ev.Event]]) -> Iterator[Stream | Exception]:
    """Fold matches, and yield them in order, or the error of one that does not fold: the same that `Stream.of` gives."""
    judges: Judges = {}
    results: list[Stream | Exception] = []
    waiting: list[tuple[int, Course, WaitingHand]] = []

    def go_on(number: int, course: Course, judged: Judged | None) -> None:
        """Let a match go on to its next hand that waits, or to its end."""
        try:
            waiting.append((number, course, course.send(judged)))
        except StopIteration as end:
            results[number] = end.value
        except Exception as error:  # noqa: BLE001 - who folds one match after the other meets it at the same place
            results[number] = error

    for number, events in enumerate(matches):
        results.append(LookupError(number))
        go_on(number, _course(events, judges), None)
    while waiting:
        by_judge: dict[Judge, list[tuple[int, Course, WaitingHand]]] = {}
        for one in waiting:
            by_judge.setdefault(one[2].judge, []).append(one)
        waiting.clear()
        for judge, some in by_judge.items():
            for (number, course, _), judged in zip(some, _judged(judge, [hand for *_, hand in some]), strict=True):
                go_on(number, course, judged)
    yield from results


def _course(events: Sequence[ev.Event], judges: Judges) -> Course:
    """Fold a match; wait for a kernel before every first lead from known hands."""
    stream = Stream(events[0])
    key = stream.table.game, stream.table.pack
    if key not in judges:
        judges[key] = kernels.judge(*key)
    judge = judges[key]
    place = 1
    for first, stop in _plays(events) if judge is not None else ():
        stream.extend(events[place:first])
        place, table = first, stream.table
        if table.playing is None or table.hand.trick or table.hand.tricks:
            continue
        assert judge is not None
        judged = yield WaitingHand(judge, table, events, first, stop)
        if judged is not None and judged.complete and not (table.strict and judged.wrong):
            _take_over(table, judge, judged, stop)
            stream.events += events[first:stop]
            place = stop
    stream.extend(events[place:])
    return stream


def _plays(events: Sequence[ev.Event]) -> Iterator[tuple[int, int]]:
    """Yield the place of the first card after each deal, and that of the next event which no kernel takes."""
    kinds = [*map(type, events)]
    deals = [place for place, kind in enumerate(kinds) if kind is ev.Deal]
    for deal, end in pairwise([*deals, len(kinds)]):
        if ev.Play in kinds[deal:end]:
            first = kinds.index(ev.Play, deal)
            odd = {*kinds[first:end]}.difference(KINDS)
            yield first, min((kinds.index(kind, first) for kind in odd), default=end)


def _judged(judge: Judge, hands: Sequence[WaitingHand]) -> Iterator[Judged | None]:
    """Judge hands of a game all at once."""
    kinds: list[int] = []
    seats: list[int] = []
    texts: list[str] = []
    bounds = [0]
    for hand in hands:
        events: Sequence[Any] = hand.events[hand.first : hand.stop]
        said = [KINDS[type(event)] for event in events]
        who = [event.seat for event in events]
        if {*who}.difference(range(hand.table.n)):
            who = [seat if 0 <= seat < hand.table.n else -1 for seat in who]
        if {*said} == {PLAYED}:
            texts += [event.card for event in events]
        else:
            texts += map(_text, events)
            said = [
                0 if kind == DREW and event.source != "stock" else kind
                for kind, event in zip(said, events, strict=True)
            ]
        seqs = [event.seq for event in events]
        if seqs.count(None) < len(seqs):
            said = [
                kind * (seq in (None, due))
                for kind, (due, seq) in zip(said, enumerate(seqs, hand.first + 1), strict=True)
            ]
        kinds += said
        seats += who
        bounds.append(len(kinds))
    codes = {text: number for number, text in enumerate({*texts})}
    places = np.array(bounds, np.int64)
    plays = Plays(
        places[:-1], places[1:], np.arange(max(KINDS.values()) + 1), np.array(kinds, np.int32), np.array(seats, np.int8),
        np.array([codes[text] for text in texts], np.int32), *judge.words([*codes]),
    )  # fmt: skip
    starts = judge.records([judge.pack(hand.table, 0) for hand in hands])
    found = judge.judge_begun(starts, plays)
    complete, faults = (found.status == COMPLETE).tolist(), found.faults.tolist()
    cards, takers, cited = (values.tolist() for values in (found.cards, found.takers, found.cited))
    ends = found.ends.view(np.int64).reshape(len(hands), -1).tolist()
    for number, (first, stop) in enumerate(pairwise(bounds)):
        some = slice(first, stop)
        wrong = [
            (place, judge.rules[found.broken[first + place]], int(found.legal[first + place]))
            for place in (np.flatnonzero(found.broken[some]).tolist() if faults[number] else ())
        ]
        yield Judged(complete[number], seats[some], cards[some], takers[some], cited[some], wrong, ends[number])


def _text(event: Any) -> str:
    """Return the cards of an event as a text."""
    return event.card if isinstance(event, ev.Play) else " ".join(event.cards) if isinstance(event, ev.Draw) else ""


def _take_over(table: Match[Any], judge: Judge, judged: Judged, stop: int) -> None:
    """Bring a table to the end of a hand as judged, and let it score the hand; its last event is number `stop`."""
    hand: Any = table.hand
    first = stop - len(judged.seats) + 1
    cards, rotation = judged.cards, hand.rotation
    ends = [place for place, taker in enumerate(judged.takers) if taker != NO_TRICK]
    for place, rule, legal in judged.wrong:
        trick = 1 + sum(end < place for end in ends)
        table.violations.append(Violation(first + place, judged.seats[place], rule, table.pack.show(legal), trick))
    tricks = []
    begin = 0
    seats: tuple[int, ...] = ()
    for end in ends:
        while cards[begin] < 0:  # a draw
            begin += 1
        seats, taker = rotation[judged.seats[begin]], judged.takers[end]
        played = tuple(cards[begin : end + 1])
        tricks.append((seats, played, None if taker < 0 else taker, judge.rules[judged.cited[end]]))
        begin = end + 1
    bring_back(table.game, judged.end, hand, table.strict)
    hand.trick, hand.tricks, hand.seats = [], tricks, seats
    play = table.playing
    assert play is not None
    if play.changes:
        table.lead, table.follow = play.leading_later.keeps, play.following_later.keeps
    table.seq = stop
    table.next_phase()


def bring_back(game: Game[Any], row: Sequence[int], hand: Any, strict: bool) -> None:
    """Give a hand of the live table the numbers of a record; a strict table counts no exposed plays."""
    kinds = numbers_of(game.hand)
    played_on = {*LISTED, *growing_fields(game.hand)}
    place = 0
    for name, size in fields_of(game):
        if name in kinds and name not in played_on and not (strict and name == "exposed"):
            value: Any = row[place : place + hand.n] if size > 1 else row[place]
            setattr(hand, name, bool(value) if kinds[name] == "bool" else value)
        place += size
