"""The quiz of a hand as a file keeps it: its questions with their answers, found out when the file was made."""

from __future__ import annotations

import re
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
        self._answers: dict[int, tuple[QuizAnswer, Sentence]] = {}
        for one in kept["answers"]:
            seq, seat, kind, choices = one["question"]
            costs = tuple(ChoiceCost(*cost) for cost in one["costs"])
            question = Question(seq, seat, kind, tuple(choices))
            answer = QuizAnswer(question, one["made"], one["best"], costs, one["worlds"])
            self._answers[seq] = answer, Sentence(one["told"])

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
        asked.choice(choice)
        return self._answers[asked.seq]
