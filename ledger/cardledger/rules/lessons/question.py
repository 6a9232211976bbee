"""A question and its answers: the first of each person counts."""

from __future__ import annotations

from typing import Self

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.lessons import lesson_events as ev
from cardledger.sentence import Sentence, advising

MOST_ANSWERS = 10_000
"""The greatest number of people who answer a question."""


class QuestionState:
    """A question after the events so far: the answers by player, each with its number."""

    status = "open"
    totals = ()

    def __init__(self, opening: ev.QuestionOpening) -> None:
        self.opening = opening
        self.answers: dict[str, tuple[int, ev.QuestionAnswer]] = {}

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `lesson.phase`, `lesson.twice`, FormatError `format.size`."""
        if not isinstance(event, ev.QuestionAnswer):
            raise RuleError(
                "lesson.phase",
                advising(Sentence("a question takes answers, no {kind}: answer it", kind=type_of(event))),
            )
        if event.player in self.answers:
            raise RuleError(
                "lesson.twice",
                advising(
                    Sentence(
                        "{player} answered this question before: the first answer counts, later ones are practice",
                        player=event.player,
                    )
                ),
            )
        if len(self.answers) >= MOST_ANSWERS:
            raise FormatError("format.size", Sentence("a question has at most {most} answers", most=MOST_ANSWERS))
        self.answers[event.player] = seq, event

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.answers = self.answers.copy()
        return other
