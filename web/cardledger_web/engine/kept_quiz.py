"""The quiz of a hand as a file keeps it: its questions with their answers, found out when the file was made."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardledger.rules.questions import ChoiceCost, Question, QuizAnswer, position
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.rules.stream import Stream

EACH, GAPS = "each", "gaps"


class KeptQuiz:
    """One hand, from JSON data (`cardledger_web.standalone.quizzes`)."""

    def __init__(self, stream: Stream, kept: Mapping[str, Any]) -> None:
        self._stream, self._deal, self._hands = stream, kept["deal"], kept["hands"]
        self._kept: dict[int, Mapping[str, Any]] = {}
        self._answers: dict[int, tuple[QuizAnswer, Sentence]] = {}
        for one in kept["answers"]:
            seq, seat, kind, choices = one["question"]
            question = Question(seq, seat, kind, tuple(choices))
            self._answers[seq] = _answer(question, one, one)
            self._kept[seq] = one

    def questions(self, seat: int, stops: str) -> list[Question]:
        """Return what a seat had to decide: each, the gaps, or those at events that `stops` names."""
        self._stream.table.expect_seat(seat)
        every = [answer for answer, _ in self._answers.values() if answer.question.seat == seat]
        if stops == GAPS:
            every = [answer for answer in every if answer.cost_of(answer.made).clear]
        elif stops != EACH:
            named = {int(number) for number in re.findall("[0-9]+", stops)}
            every = [answer for answer in every if answer.question.seq in named]
        return [answer.question for answer in every]

    def position(self, seq: int) -> Stream:
        """Return the match as it was before an event."""
        return position(self._stream, seq, self._deal, self._hands)

    def weigh(self, asked: Question, choice: str) -> tuple[QuizAnswer, Sentence]:
        """Return the answer of a question; raises StoreError `quiz.choice` for a choice that was not offered."""
        usual, told = self._answers[asked.seq]
        chosen, kept = asked.choice(choice), self._kept[asked.seq]
        changed = kept["others"].get(chosen)
        if changed is None:
            return usual, told
        if isinstance(changed, dict):  # the choice is better than the usual ones
            return _answer(asked, kept, changed)

        def place(one: ChoiceCost) -> tuple[float, bool, int]:
            return one.cost, one.choice != usual.made, asked.choices.index(one.choice)

        costs = sorted((*usual.costs, ChoiceCost(chosen, *changed)), key=place)
        return replace(usual, costs=tuple(costs)), told


def _answer(asked: Question, kept: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[QuizAnswer, Sentence]:
    costs = tuple(ChoiceCost(*cost) for cost in found["costs"])
    return QuizAnswer(asked, kept["made"], found["best"], costs, kept["worlds"]), Sentence(found["told"])
