"""Puzzles: decisions of finished hands in which one choice is better than all others, and the player made another.

The best choice is found in some possible worlds, and compared with every other choice in others: there is no winner's
curse, and it holds when it is judged again (`tests/stats/test_puzzles.py` says how often).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from cardledger.record.recording.loaded_match import bare
from cardledger.rules.engine import events as ev
from cardledger.rules.questions import MANY
from cardledger.study.stats.distributions import wilson
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.luck_store import LuckStore, course_of
from cardledger.study.stats.review.quiz import Position, weighed
from cardledger.study.stats.review.review import EDITION, FOR_PUZZLES, Decision, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.luck.deals import Dealt
    from cardledger.study.stats.luck.luck_store import StoredHand

_POSED: Final = """SELECT match, hand, game, found FROM puzzles JOIN hands USING (match, hand)
    WHERE game = ? AND edition = ? ORDER BY match DESC, hand DESC"""
_ANSWERED: Final = "SELECT match, asked, choice FROM answers ORDER BY match, asked, seq"
_SURE: Final = 1.96
"""Standard errors of the interval by whose lower end puzzles are sorted: one who missed out of one says little."""
Events = Sequence[tuple[int, ev.Event]]
MOST_OF_A_HAND: Final = 20
"""The greatest number of puzzles that a hand gives: the costliest."""
LEAD: Final = 3.0
"""Every other choice costs at least so many standard errors."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision of a seat at event `seq` of a match with one best choice among `options`.

    `made` is what the player chose, and `cost` the points that it cost. `lead` is how many points the choice costs that
    comes next to the best, and `error` the standard error of that. `same` are choices that did just as the best in every
    world (two cards next to each other, say): they are right too. `others` are the choices of other tables that came
    to the same position.
    """

    seq: int
    seat: int
    type: str
    made: str
    best: str
    same: tuple[str, ...]
    options: int
    cost: float
    lead: float
    error: float
    others: tuple[str, ...] = ()


def puzzles_in(
    dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]], decisions: Iterable[Decision]
) -> Iterator[Puzzle]:
    """Yield the puzzles among the reviewed decisions of a hand.

    - events: those that count, the deal first.
    - decisions: the review of the hand; one that was no clear mistake there is no puzzle, nor is one among more choices
      than are all tried.
    """
    for one in decisions:
        if not one.bad or one.options > MANY:
            continue
        until = tuple(event for event in events if event[0] <= one.seq)
        answer = weighed(Position(dealt, dealer, until, FOR_PUZZLES))
        others = [cost for cost in answer.costs if cost.choice != answer.best and (cost.cost or cost.error)]
        same = tuple(sorted({cost.choice for cost in answer.costs} - {cost.choice for cost in others} - {answer.best}))
        if answer.made in (answer.best, *same) or not all(cost.cost > LEAD * cost.error for cost in others):
            continue
        next_best = min(others, key=lambda cost: cost.cost)
        yield Puzzle(
            one.seq, one.seat, one.type, answer.made, answer.best, same, one.options,
            answer.cost_of(answer.made).cost, next_best.cost, next_best.error,
        )  # fmt: skip


def others_at(puzzle: Puzzle, events: Events, tables: Iterable[Events]) -> tuple[str, ...]:
    """Return the choices of other tables with the same cards that came to the position of a puzzle, in their order.

    Arguments:
        puzzle: the puzzle.
        events: the events that count of its hand, the deal first.
        tables: those of each other table.
    """
    before = [ev.encode(bare(event)) for seq, event in events[1:] if seq < puzzle.seq]
    place = len(before) + 1
    return tuple(
        words(others[place][1])
        for others in tables
        if len(others) > place
        and ev.type_of(others[place][1]) == puzzle.type
        and [ev.encode(bare(event)) for _, event in others[1:place]] == before
    )


@dataclass(frozen=True, slots=True)
class PosedPuzzle:
    """A puzzle with its hand, and nothing of its answer: a seat decides at event `seq` among so many `options`.

    Of `tries` people who had the decision, at a table or as a question, so many `missed` the best choice.
    """

    match: str
    hand: int
    game: str
    seat: int
    seq: int
    type: str
    options: int
    tries: int
    missed: int


def posed(store: LuckStore, game: str) -> list[PosedPuzzle]:
    """Return all puzzles of a game: first those that people surely missed most often, then those that cost the player most.

    Whoever played the hand had a try, at each table that came to the position, and whoever answered.
    """
    answered: dict[tuple[str, int], list[str]] = {}
    for match, seq, choice in store.ledger.views.reader.execute(_ANSWERED):
        answered.setdefault((match, seq), []).append(choice)
    found: list[tuple[float, float, PosedPuzzle]] = []
    for match, hand, of, rows in store.file.reader.execute(_POSED, (game, FOR_PUZZLES.edition)):
        for row in json.loads(rows):
            one = Puzzle(*row)
            tried = [one.made, *one.others, *answered.get((match, one.seq), ())]
            missed = sum(choice not in (one.best, *one.same) for choice in tried)
            shown = PosedPuzzle(match, hand, of, one.seat, one.seq, one.type, one.options, len(tried), missed)
            found.append((wilson(missed / len(tried), len(tried), _SURE)[0], one.cost, shown))
    # Sorting keeps the order of those that are equal: the latest match first.
    return [one for *_, one in sorted(found, key=lambda each: (-each[0], -each[1]))]


def of_day(puzzles: Iterable[PosedPuzzle], day: date) -> PosedPuzzle | None:
    """Return the puzzle of a day, None without any: which it is looks like chance, and is the same for everybody."""
    return min(puzzles, key=lambda one: sha256(f"{day} {one.match} {one.seq}".encode()).digest(), default=None)


def puzzle_events(ledger: Ledger, match: str, hand: int) -> frozenset[int]:
    """Return the events of a hand that are puzzles, as far as they are known."""
    with LuckStore(ledger) as store:
        return frozenset(row[0] for row in store.puzzles(match, hand, FOR_PUZZLES.edition) or ())


def find_puzzles(hands: Iterable[StoredHand], store: LuckStore) -> Iterator[StoredHand]:
    """Find and store the puzzles of reviewed hands in which none were looked for; yield each such hand when it is done.

    Of a hand that is another one by now nothing is stored: `LuckStore.keep_puzzles` looks.
    """
    for hand in hands:
        reviewed = store.review(hand.match, hand.hand, EDITION)
        if reviewed is None or store.puzzles(hand.match, hand.hand, FOR_PUZZLES.edition) is not None:
            continue
        found: list[Puzzle] = []
        for played in hands_of(store.ledger.stream(hand.match)):
            if played.hand.number == hand.hand and played.dealt is not None and course_of(played) == hand.course:
                decisions = [Decision(*row) for row in reviewed[0]]
                found = sorted(
                    puzzles_in(played.dealt, hand.dealer, played.events, decisions),
                    key=lambda one: (-one.cost, one.seq),
                )[:MOST_OF_A_HAND]
                tables = [*_other_tables(store, hand)] if found else []
                found = [replace(one, others=others_at(one, played.events, tables)) for one in found]
        # A hand that was corrected since it was read has none at this version, and is read again before it is searched.
        store.keep_puzzles(hand, FOR_PUZZLES.edition, [*map(astuple, found)])
        yield hand


def _other_tables(store: LuckStore, hand: StoredHand) -> Iterator[Events]:
    """Yield the events of other tables that played the same cards with the same dealer."""
    same = store.hands(
        "deal = ? AND dealer = ? AND (match, hand) <> (?, ?)", (hand.deal, hand.dealer, hand.match, hand.hand)
    )
    for other in same:
        for played in hands_of(store.ledger.stream(other.match)):
            if played.hand.number == other.hand and played.hand.scores is not None:
                yield played.events
