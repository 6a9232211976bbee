"""A quiz: the decisions of a hand as questions, and what each choice costs as their answers.

A question is asked from a seat, with nothing of what came later: choices are in the order in which the game offers them,
never the one that was made first. Costs are those of the review, from the same possible worlds, but of every choice.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from cardledger.errors import StoreError
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.trials import NOISE, Trials, as_offered
from cardledger.rules.engine import events as ev
from cardledger.rules.questions import MANY, ChoiceCost, Question, QuizAnswer, position
from cardledger.sentence import Sentence
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.luck_store import course_of
from cardledger.study.stats.review.decision_words import sentences
from cardledger.study.stats.review.review import (
    FOR_PUZZLES,
    SCREENING,
    USUAL,
    Decision,
    Method,
    difference,
    unforced,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cardledger.rules.knowledge.possible_worlds import Knowledge
    from cardledger.rules.stream import Stream
    from cardledger.study.stats.luck.deals import Dealt, PlayedHand


_MOST = 500
"""Questions about which is kept what was found out."""


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

    def questions(self, seat: int, stops: Collection[int] | None = None) -> list[Question]:
        """Return what a seat had to decide, in order; `stops` are the events to ask at, None for all.

        Raises RuleError `table.range` for a seat that the match does not have.
        """
        self._stream.table.expect_seat(seat)
        assert self._played.dealt is not None
        asked = _asked(self._played.dealt, self._played.hand.dealer, self._played.events)
        found = [one.question for one in asked if one.question.seat == seat]
        return found if stops is None else [one for one in found if one.seq in stops]

    def question(self, seq: int) -> Question:
        """Return the question at an event.

        Raises StoreError `quiz.question` for an event that was no such decision.
        """
        key = self._key(seq, None)
        for asked in _asked(key.dealt, key.dealer, key.events):
            if asked.question.seq == seq:
                return asked.question
        raise _nothing_at(seq)

    def chosen(self, seq: int, said: str) -> str:
        """Return a choice at a question as the game offers it.

        Raises RuleError with the rule that forbids a card, StoreError `quiz.choice` for another choice that was not
        offered, `quiz.question`.
        """
        question = self.question(seq)
        try:
            return question.choice(said)
        except StoreError:
            table = self.position(seq).table
            if question.type == ev.type_of(_PLAY) and said in table.pack.faces:
                table.strict = True
                table.apply(msgspec.structs.replace(_PLAY, seat=question.seat, card=said), seq)
            raise

    @property
    def places(self) -> list[int]:
        """The numbers of the events of the hand that count, the deal first."""
        return [seq for seq, _ in self._played.events]

    @property
    def first(self) -> int:
        """The number of the event that dealt the hand."""
        return self.places[0]

    @property
    def last(self) -> int:
        """The number of the last event of the hand."""
        return self.places[-1]

    @property
    def course(self) -> str | None:
        """What the hand is known by in stored results: another one after each correction."""
        return course_of(self._played)

    def answer(self, seq: int, choice: str | None = None, method: Method | None = None) -> QuizAnswer:
        """Return the costs at the question of an event; `choice` is weighed in any case.

        Raises StoreError `quiz.question` for an event that was no such decision, `quiz.choice` for a choice that was
        not offered.
        """
        key = self._key(seq, method)
        known = _known(key)
        answer = None if known is None else known.answer(choice)
        return answer or weighed(key, choice)

    def knows(self, seq: int, choice: str | None = None, method: Method | None = None) -> bool:
        """Tell whether an answer is there at once, as somebody asked the same not long ago.

        Raises StoreError `quiz.choice` as `answer` does.
        """
        known = _known(self._key(seq, method))
        return known is not None and known.answer(choice) is not None

    def every(self, seq: int) -> dict[str, QuizAnswer]:
        """Return the answer for each choice of a question, as `answer` does; all are tried together, and none is kept.

        What the player chose has one too, also where it broke a rule and could not be chosen. Raises StoreError
        `quiz.question` for an event that was no such decision.
        """
        choices = self.question(seq).choices
        tried = _tried(self._key(seq, None), None, choices)
        answers = {choice: tried.answer(choice) for choice in choices} | {tried.said[0]: tried.answer(None)}
        return {choice: answer for choice, answer in answers.items() if answer is not None}

    def work(self) -> int:
        """Return how much work `every` is for all questions of the hand: cards played, the same number on every machine.

        Each choice is played out in each world, with all cards that are held.
        """
        dealt, cards = self._played.dealt, 0
        assert dealt is not None
        for asked in _asked(dealt, self._played.hand.dealer, self._played.events):
            held = sum(hand.bit_count() for hand in asked.table.hand.held)
            cards += held * len(asked.options) * self._method(asked.question.seq).worlds
        return cards

    def told(self, answer: QuizAnswer, names: Sequence[str]) -> Sentence:
        """Return what the player chose at a question as a sentence, with what was better; `names` are the players."""
        asked, made = answer.question, answer.cost_of(answer.made)
        found = Decision(
            asked.seq, asked.seat, asked.type, made.choice, answer.best, len(asked.choices), made.cost, made.error
        )
        return sentences(self._played, [found], names)[asked.seq]

    def _key(self, seq: int, method: Method | None) -> Position:
        """Return what an answer depends on: nothing of what came after the question."""
        events = tuple(one for one in self._played.events if one[0] <= seq)
        assert self._played.dealt is not None
        if not events or events[-1][0] != seq:
            raise _nothing_at(seq)
        return Position(self._played.dealt, self._played.hand.dealer, events, method or self._method(seq))

    def _method(self, seq: int) -> Method:
        return FOR_PUZZLES if seq in self._puzzles else USUAL

    def position(self, seq: int) -> Stream:
        """Return the match as it was before an event, after all corrections: later events are not in it.

        Cards of a deal that was not recorded are those that the plays have shown.
        """
        return position(self._stream, seq, self._played.hand.first, self.shown)

    @property
    def shown(self) -> tuple[tuple[str, ...], ...] | None:
        """The hands of a deal that was not recorded, by seat, as the plays have shown them; None for one that was."""
        dealt, dealer = self._played.dealt, self._played.hand.dealer
        if self._played.recorded or dealt is None:
            return None
        n = len(dealt.hands)
        return tuple(tuple(dealt.hands[(seat - dealer) % n]) for seat in range(n))


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


@dataclass(frozen=True, slots=True)
class _Trying:
    """What was found out about a question: its options in words, the one made first, and the points of those tried.

    Points are by place of the option, in the worlds that choose the best and in those that judge it. `usual` are the
    places that are tried in any case. Another option has the same worlds, so that it can be tried later.
    """

    question: Question
    said: tuple[str, ...]
    usual: frozenset[int]
    points: dict[int, tuple[list[int], list[int]]]
    worlds: int

    def answer(self, choice: str | None) -> QuizAnswer | None:
        """Return the answer, None if the choice is still to be tried; raises StoreError `quiz.choice`."""
        places = {*self.usual} if choice is None else {*self.usual, self.place(choice)}
        if not places <= {*self.points}:
            return None
        best = max(sorted(places), key=lambda at: sum(self.points[at][0]))
        judged = self.points[best][1]
        found = [ChoiceCost(self.said[at], *difference(judged, self.points[at][1])) for at in sorted(places)]
        found.sort(key=lambda one: one.cost)
        return QuizAnswer(self.question, self.said[0], self.said[best], tuple(found), self.worlds)

    def place(self, choice: str) -> int:
        """Return the place of a choice among the options; raises StoreError `quiz.choice`."""
        return self.said.index(self.question.choice(choice))


class Position(NamedTuple):
    """A question: the deal of a hand, its dealer, the events up to the decision, and how its choices are weighed."""

    dealt: Dealt
    dealer: int
    events: tuple[tuple[int, ev.Event], ...]
    method: Method


_kept: OrderedDict[Position, _Trying] = OrderedDict()
"""What was found out last: a class asks the same, and a reader goes back."""
_keeping = Lock()


def _known(key: Position) -> _Trying | None:
    with _keeping:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)


def weighed(key: Position, choice: str | None = None) -> QuizAnswer:
    """Try the usual options of a question and a choice, unless that was done before, and keep what was found.

    Raises StoreError `quiz.question` if nothing was to be decided there, `quiz.choice` for a choice that was not offered.
    """
    found = _tried(key, _known(key), () if choice is None else (choice,))
    with _keeping:
        _kept[key] = found
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
    answer = found.answer(choice)
    assert answer is not None
    return answer


def _tried(key: Position, found: _Trying | None, choices: Collection[str]) -> _Trying:
    """Try the usual options of a question and some choices, without those that `found` has."""
    seq, method = key.events[-1][0], key.method
    for asked in _asked(key.dealt, key.dealer, key.events):
        if asked.question.seq != seq:
            continue
        options = [as_offered(asked.table, asked.act), *asked.options[1:]]
        seed = f"{method.edition}/{key.dealt.key}/{asked.number}"
        trials = Trials(asked.table, asked.act.seat, asked.knowledge, seed, NOISE)
        if found is None:
            few = range(len(options)) if len(options) <= MANY else trials.promising(options, range(-SCREENING, 0))
            found = _Trying(asked.question, tuple(map(words, options)), frozenset(few) | {0}, {}, method.judging)
        new = sorted({*found.usual, *map(found.place, choices)} - {*found.points})
        among = [options[at] for at in new]
        chosen_on = trials.points(among, range(method.choosing))
        judged = trials.points(among, range(method.choosing, method.worlds))
        found.points.update(zip(new, zip(chosen_on, judged, strict=True), strict=True))
        return found
    raise _nothing_at(seq)


def _nothing_at(seq: int) -> StoreError:
    return StoreError("quiz.question", Sentence("at event {seq} of the match nothing was to be decided", seq=seq))


_PLAY: Final = ev.Play(seat=0, card="")
_WHY = {
    "under way": Sentence("the hand is under way: ask when it is over"),
    "claim": Sentence("the hand was ended by a claim, so that not all its cards were played"),
    "score": Sentence("the hand has its points alone: its cards were not recorded"),
    "hidden": Sentence("the deal of the hand is not known"),
    "held": Sentence("another table has yet to play the cards of the hand"),
    "game": Sentence("the bots do not know the game, so that nobody can say what a choice costs"),
}
