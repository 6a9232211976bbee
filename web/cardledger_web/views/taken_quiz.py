"""A quiz as its reader takes it: the questions answered so far, and the next one; on a server, or in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, StoreError
from cardledger.record.matches.replayed import replayed
from cardledger_web.languages import translated
from cardledger_web.views.quiz import AnswerView, QuestionView, given_up
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.rules.questions import Question, QuizAnswer
    from cardledger.rules.stream import Stream
    from cardledger.sentence import Sentence


@dataclass(frozen=True, slots=True)
class TakenQuiz:
    """The questions of a seat at a hand.

    Args:
        match: the id of the match.
        hand: the number of the hand.
        names: what the players are called, by seat.
        stops: the questions.
        position: returns the match as it was before an event.
        weigh: returns the answer of a question with a choice among its costs, and a sentence about what the player chose.
    """

    match: str
    hand: int
    names: Sequence[str]
    stops: Sequence[Question]
    position: Callable[[int], Stream]
    weigh: Callable[[Question, str], tuple[QuizAnswer, Sentence]]

    def shown(self, choices: Sequence[str], *, see: bool) -> dict[str, Any]:
        """Return what `quiz_part.html` shows after some choices; with `see` the answer of the last one.

        Raises FormatError `format.value` for more answers than questions.
        """
        stops, trouble = self.stops, ""
        if len(choices) > len(stops):
            raise FormatError("format.value", "this quiz has fewer questions than answers: begin it again")
        try:
            answered = self._answered(choices)
        except StoreError as error:
            if error.code != "quiz.choice":
                raise
            trouble, see, choices = translated(error.message), False, choices[:-1]
            answered = self._answered(choices)
        place = len(choices) - see
        shown: dict[str, Any] = {}
        if place < len(stops):
            shown["view"], shown["since"] = self._table(place)
            shown["asked"] = QuestionView(stops[place], shown["view"].table, self.names)
        return shown | {
            "hand": self.hand,
            "names": self.names,
            "answered": answered,
            "choices": choices,
            "see": see and bool(answered),
            "place": place,
            "last": len(choices) == len(stops),
            "trouble": trouble,
            "yours": given_up([one.yours for one in answered]),
            "theirs": given_up([one.theirs for one in answered]),
        }

    def _answered(self, choices: Sequence[str]) -> list[AnswerView]:
        answered = []
        for asked, choice in zip(self.stops, choices, strict=False):
            answer, told = self.weigh(asked, choice)
            view = QuestionView(asked, self.position(asked.seq).table, self.names)
            answered.append(AnswerView(answer, asked.choice(choice), view, told))
        return answered

    def _table(self, place: int) -> tuple[ReplayView, list[str]]:
        """Return the table before a question as its seat saw it, and what has happened since the question before, in words."""
        asked = self.stops[place]
        before = self.position(asked.seq)
        seat, events = str(asked.seat), before.events
        replay = replayed(self.match, before, events, self.hand, self.names, view=seat, words=event_as_shown)
        view = ReplayView(replay, before.seq, before.table, may_see_all=True)
        known = self.position(self.stops[place - 1].seq).seq if place else 0
        return view, [row.words for row in view.log() if row.seq > known]
