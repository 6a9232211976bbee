"""A quiz: the decisions of a hand as questions, and what each choice costs as their answers.

A question is asked from a seat, with nothing of what came later: choices are in the order in which the game offers them,
never the one that was made first. Costs are those of the review, from the same possible worlds, but of every choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import StoreError
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.trials import MANY, NOISE, Trials, as_offered
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream, unroll
from cardledger.sentence import Sentence
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.review import BAD, FOR_PUZZLES, SCREENING, USUAL, Method, difference, unforced, words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cardledger.rules.bots.possible_worlds import Knowledge
    from cardledger.study.stats.luck.deals import Dealt, PlayedHand


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

    def cost_of(self, choice: str) -> ChoiceCost:
        """Return the cost of a choice that was weighed; raises KeyError for another."""
        return {one.choice: one for one in self.costs}[choice]


class _Asked(NamedTuple):
    """A question, and what the review knows there."""

    question: Question
    number: int
    act: Any
    options: list[ev.Event]
    table: Any
    knowledge: Knowledge


class Quiz:
    """The questions of a hand, of each seat.

    >>> from cardledger.rules.stream import Stream
    >>> from cardledger.rules.bots.simulation import simulate
    >>> from random import Random
    >>> quiz = Quiz(Stream.of(simulate("ruff", 3, Random(1), ["cautious"], max_hands=1)), 1)
    >>> quiz.answer(quiz.questions(0)[0].seq).worlds
    24
    """

    def __init__(self, stream: Stream, hand: int, puzzles: Collection[int] = ()) -> None:
        """Take a hand of a match, as it counts now; `puzzles` are its events that are weighed in more worlds.

        Raises StoreError `quiz.hand` for one that cannot be asked about: it is under way, its deal is not known, no bot
        knows the game; `store.unknown` for a hand that the match does not have.
        """
        self._stream = stream
        self._played = _played(stream, hand)
        self._puzzles = puzzles

    def questions(self, seat: int) -> list[Question]:
        """Return what a seat had to decide, in order."""
        assert self._played.dealt is not None
        asked = _asked(self._played.dealt, self._played.hand.dealer, self._played.events)
        return [one.question for one in asked if one.question.seat == seat]

    def answer(self, seq: int, choice: str | None = None, method: Method | None = None) -> QuizAnswer:
        """Return the costs at the question of an event; `choice` is weighed in any case.

        Raises StoreError `quiz.question` for an event that was no such decision, `quiz.choice` for a choice that was
        not offered.
        """
        events = tuple(one for one in self._played.events if one[0] <= seq)
        assert self._played.dealt is not None
        method = method or (FOR_PUZZLES if seq in self._puzzles else USUAL)
        return weighed(self._played.dealt, self._played.hand.dealer, events, seq, choice, method)

    def position(self, seq: int) -> Stream:
        """Return the match as it was before an event, after all corrections: later events are not in it.

        Cards of a deal that was not recorded are those that the plays have shown.
        """
        opening, *events = ((at, event) for at, event in unroll(self._stream.heads[-1]) if at < seq)
        found = [event if at != self._played.hand.first else self._deal(event) for at, event in events]
        # A deal that is known only now may forbid what was played: it was recorded all the same.
        return Stream.of([msgspec.structs.replace(opening[1], policy="record"), *found])

    def _deal(self, event: Any) -> Any:
        """Return the deal with the hands that are known now."""
        dealt, dealer = self._played.dealt, self._played.hand.dealer
        if self._played.recorded or dealt is None:
            return event
        n = len(dealt.hands)
        return msgspec.structs.replace(event, hands=tuple(dealt.hands[(seat - dealer) % n] for seat in range(n)))


def _played(stream: Stream, hand: int) -> PlayedHand:
    for played in hands_of(stream):
        if played.hand.number == hand:
            if played.why is not None or played.dealt is None:
                raise StoreError("quiz.hand", _WHY[played.why or "hidden"])
            return played
    raise StoreError("store.unknown", f"the match has no hand {hand}")


def _asked(dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]]) -> Iterator[_Asked]:
    for number, seq, act, options, table, knowledge in unforced(dealt, dealer, events):
        offered = [words(one) for choice in table.choices() if choice.seat == act.seat for one in events_of(choice)]
        question = Question(seq, (act.seat + dealer) % table.n, ev.type_of(act), tuple(offered))
        yield _Asked(question, number, act, options, table, knowledge)


@lru_cache(maxsize=500)
def weighed(
    dealt: Dealt, dealer: int, events: tuple[tuple[int, ev.Event], ...], seq: int, choice: str | None, method: Method
) -> QuizAnswer:
    """Weigh the choices at the last of some events of a hand: what a reader looks at again is kept.

    Raises StoreError `quiz.question` if nothing was to be decided there, `quiz.choice` for a choice that was not offered.
    """
    for asked in _asked(dealt, dealer, events):
        question = asked.question
        if question.seq != seq:
            continue
        options = [as_offered(asked.table, asked.act), *asked.options[1:]]
        said = [words(option) for option in options]
        always = {0} if choice is None else {0, said.index(question.choice(choice))}
        trials = Trials(
            asked.table, asked.act.seat, asked.knowledge, f"{method.edition}/{dealt.key}/{asked.number}", NOISE
        )
        best, costs = _costs(trials, options, always, method)
        found = sorted((ChoiceCost(said[at], *cost) for at, *cost in costs), key=lambda one: one.cost)
        return QuizAnswer(question, said[0], said[best], tuple(found), method.judging)
    raise StoreError("quiz.question", Sentence("at event {seq} of the match nothing was to be decided", seq=seq))


def _costs(
    trials: Trials, options: Sequence[ev.Event], always: set[int], method: Method
) -> tuple[int, list[tuple[int, float, float]]]:
    """Return the best option, and the cost of each that is tried against it with its standard error.

    The best is chosen in some worlds and judged in others, as in the review.
    """
    tried = [*range(len(options))]
    if len(options) > MANY:
        tried = sorted({*trials.promising(options, range(-SCREENING, 0)), *always})
    among = [options[at] for at in tried]
    chosen_on = trials.points(among, range(method.choosing))
    best = max(range(len(among)), key=lambda at: sum(chosen_on[at]))
    judged = trials.points(among, range(method.choosing, method.choosing + method.judging))
    return tried[best], [(at, *difference(judged[best], points)) for at, points in zip(tried, judged, strict=True)]


_WHY = {
    "under way": Sentence("the hand is under way: ask when it is over"),
    "claim": Sentence("the hand was ended by a claim, so that not all its cards were played"),
    "score": Sentence("the hand has its points alone: its cards were not recorded"),
    "hidden": Sentence("the deal of the hand is not known"),
    "held": Sentence("another table has yet to play the cards of the hand"),
    "game": Sentence("the bots do not know the game, so that nobody can say what a choice costs"),
}
