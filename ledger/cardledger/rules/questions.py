"""Questions of a quiz: a decision that a seat had, what each choice costs, and the match as it was before.

What a choice costs is found out elsewhere (`cardledger.study.stats.review.quiz`): this asks and tells, also in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardledger.errors import StoreError
from cardledger.rules.stream import Stream, unroll
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = 24
"""Most options tried in all worlds; if there are more, only the most promising."""
BAD = 2.0
"""A choice is bad if its cost exceeds this many standard errors."""
MOST_ROWS: Final = 12
"""The greatest number of choices listed with their costs, beside those of somebody."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat had: event `seq` of the match, its type, and what could be chosen (`9S`, `pass`, `2C 3C 4C`).

    A choice is the card, the bid or another word; several cards stand in the order of the pack.
    """

    seq: int
    seat: int
    type: str
    choices: tuple[str, ...]

    def choice(self, said: str) -> str:
        """Return a choice as it is offered: several cards may be said in any order.

        Raises StoreError `quiz.choice` for another one.
        """
        cards = sorted(said.split())
        found = next((one for one in self.choices if one == said or sorted(one.split()) == cards), None)
        if found is None:
            raise StoreError("quiz.choice", Sentence("“{choice}” could not be chosen there", choice=said))
        return found


@dataclass(frozen=True, slots=True)
class ChoiceCost:
    """What a choice costs against the best one: points of the hand, an estimate that can be negative, and its standard error."""

    choice: str
    cost: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether it is beyond doubt that the choice costs something."""
        return self.cost > BAD * self.error and self.cost > 0


@dataclass(frozen=True, slots=True)
class QuizAnswer:
    """The answer of a question: what the player chose, what was best, and the costs, the least first.

    Of very many choices only the most promising have a cost, beside the one that was asked about and the one made.
    Each cost is a mean over so many possible `worlds`.
    """

    question: Question
    made: str
    best: str
    costs: tuple[ChoiceCost, ...]
    worlds: int

    def listed(self, *choices: str) -> list[ChoiceCost]:
        """Return the costs to list: the least, and in any case those of some choices and of the one made."""
        return [
            one
            for place, one in enumerate(self.costs)
            if place < MOST_ROWS or one.choice == self.made or one.choice in choices
        ]

    def cost_of(self, choice: str) -> ChoiceCost:
        """Return the cost of a choice that was weighed; raises KeyError for another."""
        return {one.choice: one for one in self.costs}[choice]


def position(stream: Stream, seq: int, deal: int, hands: Sequence[Sequence[str]] | None) -> Stream:
    """Return a match as it was before an event, after all corrections: later events are not in it.

    Args:
        stream: the match.
        seq: the event.
        deal: the event that dealt the hand.
        hands: what is known now of hands that the deal did not record, by seat; None if it did.
    """
    opening, *events = ((at, event) for at, event in unroll(stream.heads[-1]) if at < seq)

    def known(event: Any) -> Any:
        return msgspec.structs.replace(event, hands=tuple(map(tuple, hands or ())))

    found = [known(event) if at == deal and hands is not None else event for at, event in events]
    # A deal that is known only now may forbid what was played: it was recorded all the same.
    return Stream.of([msgspec.structs.replace(opening[1], policy="record"), *found])
