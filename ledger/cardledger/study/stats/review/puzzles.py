"""Puzzles: decisions of finished hands in which one choice is better than all others, and the player made another.

The best choice is found in some possible worlds, and compared with every other choice in others: there is no winner's
curse, and it holds when it is judged again (`tests/stats/test_puzzles.py` says how often).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from cardledger.rules.bots.trials import MANY
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.quiz import Position, weighed
from cardledger.study.stats.review.review import EDITION, FOR_PUZZLES, Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine import events as ev
    from cardledger.study.stats.luck.deals import Dealt
    from cardledger.study.stats.luck.luck_store import StoredHand

_POSED: Final = """SELECT match, hand, game, json_extract(value, '$[1]'), json_extract(value, '$[0]'),
    json_extract(value, '$[2]'), json_extract(value, '$[6]')
    FROM puzzles JOIN hands USING (match, hand), json_each(found) WHERE game = ? AND edition = ?
    ORDER BY json_extract(value, '$[7]') DESC, match DESC, hand DESC, json_extract(value, '$[0]') LIMIT ?"""
MOST_OF_A_HAND: Final = 20
"""The greatest number of puzzles that a hand gives: the costliest."""
LEAD: Final = 3.0
"""Every other choice costs at least so many standard errors."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision of a seat at event `seq` of a match with one best choice among `options`.

    `made` is what the player chose, and `cost` the points that it cost. `lead` is how many points the choice costs that
    comes next to the best, and `error` the standard error of that. `same` are choices that did just as the best in every
    world (two cards next to each other, say): they are right too.
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


@dataclass(frozen=True, slots=True)
class PosedPuzzle:
    """A puzzle with its hand, and nothing of its answer: a seat decides at event `seq` among so many `options`."""

    match: str
    hand: int
    game: str
    seat: int
    seq: int
    type: str
    options: int


def posed(store: LuckStore, game: str, most: int) -> Iterator[PosedPuzzle]:
    """Yield the puzzles of a game, at most so many: those first in which the player gave most points away."""
    return (PosedPuzzle(*row) for row in store.file.reader.execute(_POSED, (game, FOR_PUZZLES.edition, most)))


def of_day(puzzles: Iterable[PosedPuzzle], day: date) -> PosedPuzzle | None:
    """Return the puzzle of a day, None without any: which it is looks like chance, and is the same for everybody."""
    return min(puzzles, key=lambda one: sha256(f"{day} {one.match} {one.seq}".encode()).digest(), default=None)


def puzzle_events(ledger: Ledger, match: str, hand: int) -> frozenset[int]:
    """Return the events of a hand that are puzzles, as far as they are known."""
    with LuckStore(ledger) as store:
        return frozenset(row[0] for row in store.puzzles(match, hand, FOR_PUZZLES.edition) or ())


def find_puzzles(hands: Iterable[StoredHand], store: LuckStore) -> Iterator[StoredHand]:
    """Find and store the puzzles of reviewed hands in which none were looked for; yield each such hand when it is done."""
    for hand in hands:
        reviewed = store.review(hand.match, hand.hand, EDITION)
        if reviewed is None or store.puzzles(hand.match, hand.hand, FOR_PUZZLES.edition) is not None:
            continue
        for played in hands_of(store.ledger.stream(hand.match)):
            if played.hand.number == hand.hand and played.dealt is not None and played.dealt == hand.dealt:
                decisions = [Decision(*row) for row in reviewed[0]]
                found = sorted(
                    puzzles_in(played.dealt, hand.dealer, played.events, decisions),
                    key=lambda one: (-one.cost, one.seq),
                )[:MOST_OF_A_HAND]
                store.keep_puzzles(hand.match, hand.hand, FOR_PUZZLES.edition, [*map(astuple, found)])
                yield hand
