"""The quizzes of a match for its file: every question with what each choice costs, found out when the file is made.

A reader's browser could not: the costs are means over possible worlds, played out by kernels that it does not have.
How much is found out is counted in cards that are played, never in time: the same match has the same file everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.page_file import QUIZ_CARDS
from cardledger.sentence import Sentence
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web.views.quiz import AnswerView, QuestionView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.questions import Question, QuizAnswer


class Quizzes:
    """The quizzes of some hands of a match, hand after hand, as far as the limit goes: each whole, or not at all.

    Args:
        ledger: where the match is recorded.
        match: its id.
        names: what the players are called, by seat.
        cards: how many cards are played at most (`Quiz.work`), `QUIZ_CARDS` if it is None; 0 for no quiz.
    """

    def __init__(self, ledger: Ledger, match: str, names: Sequence[str], cards: int | None = None) -> None:
        self._ledger, self._match, self._names = ledger, match, names
        self._cards = QUIZ_CARDS if cards is None else cards
        self.by_hand: dict[int, dict[str, Any]] = {}
        self.left_out = 0
        """Hands that could be asked about, but are beyond the limit: all after the first that is."""

    def find_out(self, hands: Iterable[int]) -> None:
        """Find out the costs of hands."""
        if not self._cards:
            return
        stream, left = self._ledger.stream(self._match), self._cards
        for hand in hands:
            try:
                # Puzzles are weighed in more worlds on the pages. Whether they are known is up to the ledger's results.
                quiz = Quiz(stream, hand)
            except StoreError:
                continue  # a hand that nobody can be asked about, by the quiz of the pages as well
            asked = [one for seat in range(stream.table.n) for one in quiz.questions(seat)]
            left -= quiz.work()
            if left < 0:
                self.left_out += 1
            elif asked:
                answers = [self._answered(quiz, one) for one in asked]
                self.by_hand[hand] = {"deal": quiz.first, "hands": quiz.shown, "answers": answers}

    def said(self) -> Sentence | None:
        """Return what the maker of the file is told; None if no hand was left out."""
        if not self.left_out:
            return None
        return Sentence(
            "hands with a quiz in the file: {asked}, without: {left_out}, as more than {cards} cards had to be played for them",
            asked=len(self.by_hand),
            left_out=self.left_out,
            cards=self._cards,
        )

    def _answered(self, quiz: Quiz, asked: Question) -> dict[str, Any]:
        """Return a question with its answer, and what another choice changes in it.

        Of very many choices the answer has the usual ones; one of the `others` comes to them, or is the new best.
        """
        view = QuestionView(asked, quiz.position(asked.seq).table, self._names)
        every = quiz.every(asked.seq)
        usual = every.pop(next(iter(every.values())).made)

        def kept(found: QuizAnswer) -> dict[str, Any]:
            told = AnswerView(found, found.made, view, quiz.told(found, self._names)).sentence
            return {
                "best": found.best,
                "costs": [[one.choice, one.cost, one.error] for one in found.costs],
                "told": told,  # a sentence in the language of the file
            }

        others = {choice: found for choice, found in every.items() if found != usual}
        return {
            "question": [asked.seq, asked.seat, asked.type, asked.choices],
            "made": usual.made,
            "worlds": usual.worlds,
            **kept(usual),
            "others": {
                choice: [(cost := found.cost_of(choice)).cost, cost.error] if found.best == usual.best else kept(found)
                for choice, found in others.items()
            },
        }
