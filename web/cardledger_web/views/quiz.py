"""A quiz as its page shows it: the position of a question, its choices in words, and what an answer is worth."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from cardledger.rules.questions import MANY
from cardledger_web.languages import _, joined, minus
from cardledger_web.views.cards import drawn
from cardledger_web.views.choices import choice_in_words, decision_in_words
from cardledger_web.views.table import apart

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from cardledger.rules.engine.match import Match
    from cardledger.rules.questions import ChoiceCost, Question, QuizAnswer
    from cardledger.sentence import Sentence


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question as it is asked: a button a choice, or cards to tick of which several are chosen at once."""

    question: Question
    table: Match[Any]
    names: Sequence[str]

    @property
    def buttons(self) -> list[tuple[str, str, str]]:
        """The choices, their words and what is read aloud; empty if cards are ticked."""
        if self.ticked:
            return []
        places = {face: place for place, face in enumerate(self.table.pack.faces)}
        choices = sorted(self.question.choices, key=lambda one: places.get(one, -1))  # those without a card stay first
        return [(one, self.words(one), self.spoken(one)) for one in choices]

    @property
    def ticked(self) -> int:
        """How many cards are ticked; 0 if each choice has a button."""
        several = len(self.question.choices) > MANY and self.question.choices[0].split()
        return len(several) if several and len(several) > 1 else 0

    @property
    def cards(self) -> list[tuple[str, str, str]]:
        """The cards to tick, in the order of the pack."""
        offered = {card for one in self.question.choices for card in one.split()}
        return [(face, self.words(face), self.spoken(face)) for face in self.table.pack.faces if face in offered]

    def words(self, said: str) -> str:
        """Return a choice as people say it."""
        return choice_in_words(self.question.type, said, self.table, self.names)

    def spoken(self, said: str) -> str:
        """Return a choice as it is read aloud: cards by their names."""
        cards = drawn(self.table.pack)
        return (
            joined([cards[face].label for face in said.split()])
            if {*said.split()} <= cards.keys()
            else self.words(said)
        )


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer beside what the reader chose."""

    answer: QuizAnswer
    chosen: str
    asked: QuestionView
    told: Sentence

    @property
    def sentence(self) -> str:
        """What the player chose as a sentence, with what was better."""
        question = self.answer.question
        decision = {
            "seat": question.seat, "type": question.type, "made": self.answer.made, "best": self.answer.best,
            "sentence": self.told,
        }  # fmt: skip
        return decision_in_words(decision, self.asked.table, self.asked.names)

    @property
    def yours(self) -> ChoiceCost:
        """The cost of what the reader chose."""
        return self.answer.cost_of(self.chosen)

    @property
    def theirs(self) -> ChoiceCost:
        """The cost of what the player chose."""
        return self.answer.cost_of(self.answer.made)

    @property
    def rows(self) -> list[tuple[str, ChoiceCost, float, list[str]]]:
        """Each choice in words, its cost, its share of the greatest cost, and whose choice it was."""
        most = max((one.cost for one in self.answer.costs), default=0) or 1
        who = {self.chosen: [_("you")]}
        who.setdefault(self.answer.made, []).append(apart(self.asked.names[self.answer.question.seat]))
        return [
            (self.asked.words(one.choice), one, max(0.0, one.cost) / most, who.get(one.choice, []))
            for one in self.answer.listed(*who)
        ]

    def said(self, cost: ChoiceCost) -> str:
        """Return what a choice was worth as a sentence."""
        choice, best = self.asked.words(cost.choice), self.asked.words(self.answer.best)
        if cost.cost <= 0:
            return _("%(choice)s: nothing better was found.", choice=choice)
        values = {
            "choice": choice,
            "best": best,
            "cost": minus(f"{cost.cost:.1f}"),
            "error": minus(f"{cost.error:.1f}"),
        }
        if cost.clear:
            return _("%(choice)s costs %(cost)s ± %(error)s against %(best)s.", **values)
        return _("%(choice)s costs %(cost)s ± %(error)s against %(best)s: that may be chance.", **values)


def given_up(costs: Sequence[ChoiceCost]) -> str:
    """Return the points that several choices cost, with their standard error."""
    total, error = sum(one.cost for one in costs), sqrt(sum(one.error**2 for one in costs))
    return minus(f"{total:.1f} ± {error:.1f}")
