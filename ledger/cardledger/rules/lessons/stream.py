"""The stream of a question or a lesson: all its events, and the state after them."""

from __future__ import annotations

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.lessons.discussion import DiscussionState
from cardledger.rules.lessons.discussion_events import Discussion
from cardledger.rules.lessons.lesson import LessonState
from cardledger.rules.lessons.lesson_events import Lesson, QuestionOpening
from cardledger.rules.lessons.question import QuestionState
from cardledger.rules.stream import Stream

State = QuestionState | LessonState | DiscussionState
"""What a stream folds to."""


class LessonStream(Stream):
    """The recorded events of a question or a lesson, folded as they come; what was said there is not taken back.

    `table` is the present state. Raises RuleError `lesson.*` and FormatError, and changes nothing then.
    """

    @property
    def state(self) -> State:
        """The present state."""
        state: State = self.table
        return state

    @property
    def corrected(self) -> int:
        """0: nothing is corrected here."""
        return 0

    def _start(self, opening: ev.Event) -> State:
        match opening:
            case QuestionOpening():
                return QuestionState(opening)
            case Lesson():
                return LessonState(opening)
            case Discussion():
                return DiscussionState(opening)
        raise FormatError(
            "format.open", f"a stream starts with question, lesson or discussion, not with {ev.type_of(opening)}"
        )
