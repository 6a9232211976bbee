"""The events of questions and lessons: one immutable tagged struct for each type.

Each question and each lesson is a stream of its own; its first event is its opening. They hold what people decided:
which choice, where the teacher stopped. What a choice costs is derived, and stands in no event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from cardledger.rules.engine.event import Event
from cardledger.rules.engine.keys import OPEN, Count, Label, Plain, Player, Seat, holds
from cardledger.rules.lessons.discussion_events import Comment, Discussion, Line, Withdraw
from cardledger.sentence import Sentence

Chosen = Annotated[str, Meta(max_length=200), holds("clear", "scorers")]
"""A choice, as the game offers it; who has yet to answer does not see those of others."""
_SHOWN = {"votes": Sentence("the votes are shown"), "costs": Sentence("what each choice costs is shown")}


class QuestionOpening(Event, tag="question", frozen=True, kw_only=True):
    """A decision of a recorded hand is asked about: that of a seat at event `event` of a match."""

    words = "what would you do at event {event} of hand {hand}?"

    match: Plain
    hand: Count
    seat: Seat
    event: Count


class QuestionAnswer(Event, tag="answer", frozen=True, kw_only=True):
    """A player says on a day (ISO) what they would have chosen."""

    words = "{player} has answered"

    player: Player
    choice: Chosen
    date: Plain


class LessonMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A table as it was before event `event` of a match, from a seat; without one, with all hands open."""

    match: str
    hand: int
    event: int
    seat: int | None = None


class Lesson(Event, tag="lesson", frozen=True, kw_only=True):
    """A lesson begins: its name, and the moments that the teacher wants to stop at."""

    words = "the lesson {name} begins"

    name: Label
    moments: Annotated[tuple[LessonMoment, ...], OPEN]


class LessonStop(Event, tag="stop", frozen=True, kw_only=True):
    """The teacher stops at a moment; where a seat had to decide, the class is asked."""

    words = "the class sees hand {hand} before event {event}"

    match: Plain
    hand: Count
    event: Count
    seat: Seat | None = None

    @property
    def moment(self) -> LessonMoment:
        """The moment itself."""
        return LessonMoment(self.match, self.hand, self.event, self.seat)


class Vote(Event, tag="vote", frozen=True, kw_only=True):
    """Somebody in the class says what they would choose at the present moment."""

    words = "{voter} has voted"

    voter: Player
    choice: Chosen


class Show(Event, tag="show", frozen=True):
    """The teacher shows the votes, or what each choice costs."""

    what: Annotated[Literal["votes", "costs"], OPEN]

    def phrases(self) -> Iterator[str]:
        """Yield what is shown."""
        yield _SHOWN[self.what]


class LessonClose(Event, tag="close", frozen=True):
    """The lesson is over."""

    words = "the lesson is over"


AnyEvent = (
    QuestionOpening
    | QuestionAnswer
    | Lesson
    | LessonStop
    | Vote
    | Show
    | LessonClose
    | Discussion
    | Comment
    | Line
    | Withdraw
)
"""The union of all events of questions, lessons and discussions."""

TYPES: dict[str, type[Event]] = {cls.__struct_config__.tag: cls for cls in get_args(AnyEvent)}
"""The registry: an event's class by its type word."""
OPENINGS = (QuestionOpening, Lesson, Discussion)
"""The first event of each kind of stream."""
