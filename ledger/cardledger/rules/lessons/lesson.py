"""A lesson: where its teacher stopped, what is shown, and how the class voted there."""

from __future__ import annotations

from typing import Self

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.lessons import lesson_events as ev
from cardledger.sentence import Sentence, advising

MOST_MOMENTS = 100
"""The greatest number of moments that a lesson begins with."""
MOST_VOTERS = 200
"""The greatest number of people who vote at a moment."""
MOST_CHANGES = 5
"""How often somebody may vote at a moment: the last vote counts."""


class LessonState:
    """A lesson after the events so far.

    `moment` is where the teacher stopped last, None before that; `shown` what the teacher shows there. `votes` are the
    choices at this moment by voter, `tries` how often each has voted there; `voters` have voted at any moment.
    """

    totals = ()

    def __init__(self, opening: ev.Lesson) -> None:
        if len(opening.moments) > MOST_MOMENTS:
            raise FormatError("format.size", Sentence("a lesson has at most {most} moments", most=MOST_MOMENTS))
        self.opening = opening
        self.status = "open"
        self.moment: ev.LessonMoment | None = None
        self.shown: frozenset[str] = frozenset()
        self.votes: dict[str, str] = {}
        self.tries: dict[str, int] = {}
        self.voters: frozenset[str] = frozenset()

    def apply(self, event: Event, seq: int) -> None:
        """Take in an event; raises RuleError `lesson.phase`, `lesson.twice`, FormatError `format.size`."""
        if self.status != "open":
            raise RuleError("lesson.phase", advising(Sentence("the lesson is over: open another one")))
        match event:
            case ev.LessonStop():
                self.moment, self.shown, self.votes, self.tries = event.moment, frozenset(), {}, {}
            case ev.Show(what=what):
                if self.moment is None or self.moment.seat is None:
                    raise RuleError("lesson.phase", advising(Sentence("nobody was asked: stop at a decision first")))
                self.shown |= {what}
            case ev.Vote():
                self._vote(event)
            case ev.LessonClose():
                self.status = "closed"
            case _:
                raise RuleError(
                    "lesson.phase", advising(Sentence("a lesson takes no {kind}: open a new one", kind=type_of(event)))
                )

    def _vote(self, vote: ev.Vote) -> None:
        if self.moment is None or self.moment.seat is None:
            raise RuleError("lesson.phase", advising(Sentence("nothing is asked now: wait for the teacher")))
        if self.shown:
            raise RuleError(
                "lesson.phase", advising(Sentence("the votes are shown already: wait for the next question"))
            )
        if vote.voter not in self.votes and len(self.votes) >= MOST_VOTERS:
            raise FormatError("format.size", Sentence("at most {most} people vote at once", most=MOST_VOTERS))
        tries = self.tries.get(vote.voter, 0) + 1
        if tries > MOST_CHANGES:
            raise RuleError(
                "lesson.twice",
                advising(
                    Sentence(
                        "{voter} voted {most} times here: the last vote counts", voter=vote.voter, most=MOST_CHANGES
                    )
                ),
            )
        self.votes[vote.voter], self.tries[vote.voter] = vote.choice, tries
        self.voters |= {vote.voter}

    def copy(self) -> Self:
        """Return a copy that can change by itself."""
        other = type(self)(self.opening)
        other.status, other.moment, other.shown = self.status, self.moment, self.shown
        other.votes, other.tries, other.voters = self.votes.copy(), self.tries.copy(), self.voters
        return other
