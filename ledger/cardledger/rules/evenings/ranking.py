"""Places in a ranking: exact values compared, tie rules in order, equal places shown as equal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from cardledger.rules.evenings.rounding import Number
from cardledger.rules.evenings.scoring import BoardPoints

TieBreak = Callable[[Sequence[int]], Mapping[int, Any]]
"""A tie rule: for entries that are equal, what they are compared by next; more is better."""


class Placed(NamedTuple):
    """An entry in a ranking, with its place as printed: `1`, `3=`, or nothing for one that played too little."""

    entry: int
    place: str


class TableScore(NamedTuple):
    """What an entry scored at one table: its opponents there, and its points."""

    round: int
    table: int
    board: int | None
    opponents: tuple[int, ...]
    points: BoardPoints


def rank(values: Mapping[int, Number], ties: Iterable[TieBreak] = (), unplaced: Collection[int] = ()) -> list[Placed]:
    """Return entries in order, most first; equal ones share a place, and the next place counts all before it.

    Those in `unplaced` are listed last, without a place.

    >>> [placed.place for placed in rank({1: 10, 2: 9, 3: 9, 4: 8})]
    ['1', '2=', '2=', '4']
    """
    placed: list[Placed] = []
    for group in _split(sorted(values.keys() - {*unplaced}), lambda _: values, tuple(ties)):
        place = f"{len(placed) + 1}" + ("=" if len(group) > 1 else "")
        placed += [Placed(entry, place) for entry in group]
    last = sorted(values.keys() & {*unplaced}, key=lambda entry: (-values[entry], entry))
    return [*placed, *(Placed(entry, "") for entry in last)]


def _split(entries: Sequence[int], by: TieBreak, ties: tuple[TieBreak, ...]) -> list[list[int]]:
    """Return groups of entries that stay equal, best first."""
    keys = by(entries)
    ordered = sorted(entries, key=lambda entry: keys[entry], reverse=True)
    groups = [[*group] for _, group in groupby(ordered, key=lambda entry: keys[entry])]
    finer = []
    for group in groups:
        if len(group) > 1 and ties:
            finer += _split(group, ties[0], ties[1:])
        else:
            finer.append(sorted(group))
    return finer


def by_meeting(scores: Mapping[int, Sequence[TableScore]], low: bool = False) -> TieBreak:
    """Return the tie rule `meeting`: what the equal entries scored against each other, above the average.

    `low`: less is better.
    """

    def rule(entries: Sequence[int]) -> Mapping[int, Fraction]:
        return {
            entry: (-1 if low else 1)
            * sum(
                (
                    2 * score.points.value - score.points.top
                    for score in scores[entry]
                    if {*score.opponents} & {*entries} - {entry}
                ),
                Fraction(0),
            )
            for entry in entries
        }

    return rule


def by_number(scores: Mapping[int, Sequence[TableScore]], of: Callable[[BoardPoints], bool]) -> TieBreak:
    """Return a tie rule that counts: boards won against the field (`best_board`), or tops."""
    return lambda entries: {entry: sum(of(score.points) for score in scores[entry]) for entry in entries}


def by_lot(drawn: Sequence[int]) -> TieBreak:
    """Return the tie rule `lot`: the entries in the order in which the director drew them; others stay equal."""
    return lambda entries: {entry: -drawn.index(entry) if entry in drawn else -len(drawn) for entry in entries}


def tie_breaks(
    rules: Iterable[str], scores: Mapping[int, Sequence[TableScore]], drawn: Sequence[int] = (), low: bool = False
) -> list[TieBreak]:
    """Return the tie rules of a scoring, in its order; `low` where the fewest points win."""
    by_rule = {
        "meeting": by_meeting(scores, low),
        "best_board": by_number(scores, lambda points: points.won),
        "tops": by_number(scores, lambda points: points.best),
        "lot": by_lot(drawn),
    }
    return [by_rule[rule] for rule in rules]
