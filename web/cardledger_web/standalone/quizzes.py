"""The quizzes of a match for its file: every question with what each choice costs, found out when the file is made.

A reader's browser could not: the costs are means over possible worlds, played out by kernels that it does not have.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.rules.questions import MANY
from cardledger.sentence import Sentence
from cardledger.study.stats.review.puzzles import puzzle_events
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web.views.quiz import AnswerView, QuestionView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.questions import Question

SECONDS = 20
"""For so long costs are found out at most, unless somebody says otherwise."""


class Quizzes:
    """The quizzes of some hands of a match, hand after hand, as far as the time goes: each whole, or not at all.

    Args:
        ledger: where the match is recorded.
        match: its id.
        names: what the players are called, by seat.
        seconds: for how long costs are found out, at most, `SECONDS` if it is None; 0 for no quiz.
        clock: tells seconds.
    """

    def __init__(
        self,
        ledger: Ledger,
        match: str,
        names: Sequence[str],
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger, self._match, self._names, self._clock = ledger, match, names, clock
        self._seconds = SECONDS if seconds is None else seconds
        self.by_hand: dict[int, dict[str, Any]] = {}
        self.left_out = 0
        """Hands that could be asked about, for which there was no time."""

    def find_out(self, hands: Iterable[int]) -> None:
        """Find out the costs of hands."""
        if not self._seconds:
            return
        ends = self._clock() + self._seconds
        stream = self._ledger.stream(self._match)
        for hand in hands:
            try:
                quiz = Quiz(stream, hand, puzzle_events(self._ledger, self._match, hand))
            except StoreError:
                continue  # a hand that nobody can be asked about, by the quiz of the pages as well
            asked = [one for seat in range(stream.table.n) for one in quiz.questions(seat) if len(one.choices) <= MANY]
            answers: list[dict[str, Any]] = []
            while len(answers) < len(asked) and self._clock() < ends:
                answers.append(self._answer(quiz, asked[len(answers)]))
            if len(answers) < len(asked):
                self.left_out += 1
            elif answers:
                self.by_hand[hand] = {"deal": quiz.first, "hands": quiz.shown, "answers": answers}

    def said(self) -> Sentence | None:
        """Return what the maker of the file is told; None if no hand was left out."""
        if not self.left_out:
            return None
        return Sentence(
            "hands with a quiz in the file: {asked}, without: {left_out}, as {seconds} seconds were not enough for more",
            asked=len(self.by_hand),
            left_out=self.left_out,
            seconds=self._seconds,
        )

    def _answer(self, quiz: Quiz, asked: Question) -> dict[str, Any]:
        """Return a question with its answer, and what the player chose as a sentence in the language of the file."""
        found = quiz.answer(asked.seq)
        view = QuestionView(asked, quiz.position(asked.seq).table, self._names)
        told = AnswerView(found, found.made, view, quiz.told(found, self._names)).sentence
        return {
            "question": [asked.seq, asked.seat, asked.type, asked.choices],
            "made": found.made,
            "best": found.best,
            "costs": [[one.choice, one.cost, one.error] for one in found.costs],
            "worlds": found.worlds,
            "told": told,
        }
