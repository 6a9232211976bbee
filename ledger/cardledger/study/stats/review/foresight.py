"""Foresight: what a choice gained in the true deal, against the choice that was best by what the seat could know.

Who does not see the hidden cards gains nothing by it on average, however well they play: the best choice by what they
know is the best they can find. Who sees them gains. Both choices are played out by the same bots with the same chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.bots.likely_worlds import Choices, LikelyWorlds
from cardledger.rules.bots.trials import NOISE, Trials
from cardledger.rules.engine import events as ev
from cardledger.rules.questions import MANY
from cardledger.study.stats.review.review import unforced, words

if TYPE_CHECKING:
    from cardledger.rules.knowledge.possible_worlds import Knowledge
    from cardledger.study.stats.luck.deals import Dealt


class WorldsUsed(NamedTuple):
    """How many worlds are used: dealt to draw the likely ones from, drawn of them, and rollouts of the true deal."""

    edition: str
    dealt: int
    drawn: int
    true: int


USUAL = WorldsUsed("foresight-1", 160, 40, 40)
SCREENING = 4
"""Number of worlds in which the promising ones of very many options are found."""
APART = 1_000
"""The number of the first world for `expected`: no other figure of a decision uses it."""


class Foresight(NamedTuple):
    """A decision: event `seq` of the match, by a seat. Gains are in points of the hand; more is better.

    `made` was chosen, `best` was best in likely worlds. `gain` is what `made` gained over it in the true deal, and
    `expected` the same in other likely worlds: what was to be expected without the true deal. `most` is what the choice
    that is best in the true deal gains over `best`; noise in the rollouts makes it a little too large.
    """

    seq: int
    seat: int
    made: str
    best: str
    gain: float
    expected: float
    most: float

    @property
    def surplus(self) -> float:
        """What the choice gained in the true deal beyond what was to be expected."""
        return self.gain - self.expected


def foresight(
    dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]], method: WorldsUsed = USUAL
) -> list[Foresight]:
    """Return the foresight of the unforced decisions of a hand in order; `events` are the ones that count, deal first.

    Cards passed are left out, because all pass at once. The random seed depends only on the deal and the decision.
    """
    choices, found = Choices(), []
    for number, seq, act, options, table, knowledge in unforced(dealt, dealer, events, choices):
        if not isinstance(act, ev.Give):
            one = _of_decision(table, act.seat, options, (knowledge, choices), f"{dealt.key}/{number}", method)
            seat = (act.seat + dealer) % table.n
            found.append(Foresight(seq, seat, words(act), words(options[one[0]]), *one[1:]))
    return found


def _of_decision(
    table: Any, seat: int, options: Sequence[ev.Event], seen: tuple[Knowledge, Choices], key: str, method: WorldsUsed
) -> tuple[int, float, float, float]:
    """Return the place of the best option, what the first one gained over it, was expected to gain, and the most."""
    knowledge, choices = seen
    seed = f"{method.edition}/{key}"
    known = Trials(table, seat, knowledge, seed, NOISE)
    true = Trials(table, seat, None, f"{seed}/true", NOISE)
    tried = known.promising(options, range(-SCREENING, 0)) if len(options) > MANY else [*range(len(options))]
    some = [options[place] for place in tried]
    worlds = LikelyWorlds(known, choices)
    guessed = _means(known, some, worlds.drawn(range(method.dealt), method.drawn))
    best = max(range(len(some)), key=guessed.__getitem__)
    points = _means(true, some, dict.fromkeys(range(method.true), 1))
    if not best:
        return 0, 0.0, 0.0, max(points) - points[0]
    made, other = _means(known, (some[0], some[best]), worlds.drawn(range(APART, APART + method.dealt), method.drawn))
    return tried[best], points[0] - points[best], made - other, max(points) - points[best]


def _means(trials: Trials, options: Sequence[ev.Event], worlds: Mapping[int, int]) -> list[float]:
    """Return the mean points of each option in some worlds, each as often as it says."""
    whole = sum(worlds.values())
    return [
        sum(points * times for points, times in zip(of_option, worlds.values(), strict=True)) / whole
        for of_option in trials.points(options, [*worlds])
    ]
