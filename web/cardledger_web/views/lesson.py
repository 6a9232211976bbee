"""A lesson as its pages show it: the table at the teacher's moment, the question, the votes and the costs once they are shown."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flask import current_app

from cardledger.errors import StoreError
from cardledger.rules.games import game
from cardledger.study.stats.review.lessons import expect_moment, lesson_now, lesson_state, stepped
from cardledger_api.current import current_ledger
from cardledger_api.http.shared_work import shared_work
from cardledger_api.resources.quiz import quiz_of, weighed
from cardledger_api.resources.replay import replay_of_tried, view_of
from cardledger_web.languages import language, translated
from cardledger_web.views.persons import called
from cardledger_web.views.quiz import AnswerView, QuestionView
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.lessons.lesson_events import LessonMoment
    from cardledger.study.stats.review.lessons import LessonNow
    from cardledger.study.stats.review.quiz import Quiz
    from cardledger_web.views.table import DrawnTable


_VIEWS: Final = "cardledger.lesson-views"
_KEPT: Final = 50
"""Views that are kept: a class asks for the same at a time."""


def lesson_view(lesson: str, look: int | None = None) -> LessonView:
    """Return a lesson as the user may see it: made once for a class, and looked at for each of it.

    Raises StoreError `store.unknown`; 403 for a hand that the user may not see.
    """
    ledger = current_ledger()
    state, seq = lesson_state(ledger, lesson)
    match = 0 if state.moment is None else ledger.stream(state.moment.match).seq
    key = (lesson, seq, match, ledger.people().seq, look, language())
    kept: OrderedDict[tuple[object, ...], LessonView] = current_app.extensions.setdefault(_VIEWS, OrderedDict())
    view = kept.get(key)
    if view is None:
        with shared_work(current_app).at(current_app, (_VIEWS, *key)):
            view = kept.get(key)
            if view is None:
                view = kept[key] = LessonView(lesson, look)
                while len(kept) > _KEPT:
                    kept.popitem(last=False)
    if (moment := view.now.moment) is not None:  # made for somebody else, perhaps
        stream = ledger.stream(moment.match)
        view_of(ledger, moment.match, stream, moment.hand, "all" if moment.seat is None else str(moment.seat))
    return view


class LessonView:
    """A lesson now, or as it was at an earlier event of the hand for somebody who looks freely: never at a later one."""

    def __init__(self, lesson: str, look: int | None = None) -> None:
        ledger = current_ledger()
        self.now: LessonNow = lesson_now(ledger, lesson)
        self.quiz: Quiz | None = None
        self.names: Sequence[str] = ()
        self.view: ReplayView | None = None
        self.at = 0
        self.asked: QuestionView | None = None
        moment = self.now.moment
        if moment is None:
            return
        self.quiz = quiz_of(ledger, moment.match, moment.hand, moment.seat)
        people = ledger.people()
        self.names = called(ledger, people.seated(moment.match, ledger.stream(moment.match).table.players))
        self.places = [seq for seq in self.quiz.places if self.quiz.first < seq <= moment.event]
        if moment.event > self.quiz.last:
            self.places.append(moment.event)
        self.at = moment.event if look is None else min(self.places, key=lambda seq: (abs(seq - look), seq))
        before = self.quiz.position(self.at)
        seat = "all" if moment.seat is None else str(moment.seat)
        replay = replay_of_tried(ledger, moment.match, before, moment.hand, event_as_shown, seat)
        self.view = ReplayView(replay, before.seq, before.table, may_see_all=True)
        if self.now.asked is not None:
            self.asked = QuestionView(self.now.asked, self.quiz.position(moment.event).table, self.names)

    @property
    def free(self) -> bool:
        """Whether somebody looks at another moment than the teacher's."""
        return self.now.moment is not None and self.at != self.now.moment.event

    @cached_property
    def table(self) -> DrawnTable:
        """The table to draw."""
        assert self.view is not None
        return self.view.card_table()

    @property
    def title(self) -> str:
        """The game of the hand."""
        assert self.view is not None
        return translated(game(self.view.table.game.id).title)

    @cached_property
    def last(self) -> str:
        """What happened last, in words."""
        assert self.view is not None
        return self.view.log()[-1].words if self.view.log() else ""

    @property
    def looks(self) -> dict[str, int | None]:
        """The events that a free look leads to: the one before, and the one after unless that is the teacher's or later."""
        place = self.places.index(self.at) if self.at in self.places else len(self.places) - 1
        return {
            "back": self.places[place - 1] if place > 0 else None,
            "on": self.places[place + 1] if place + 1 < len(self.places) - 1 else None,
        }

    @property
    def tally(self) -> list[tuple[str, int, float]]:
        """The votes by choice, in words, with their shares; most votes first."""
        if self.now.tally is None or self.asked is None:
            return []
        whole = sum(self.now.tally.values()) or 1
        rows = sorted(self.now.tally.items(), key=lambda one: (-one[1], one[0]))
        return [(self.asked.words(choice), votes, votes / whole) for choice, votes in rows]

    @property
    def answer(self) -> AnswerView | None:
        """The costs, once they are shown."""
        moment = self.now.moment
        if not self.now.costs or self.asked is None or moment is None or self.quiz is None:
            return None
        answer = weighed(self.quiz, moment.match, moment.hand, moment.event)
        return AnswerView(answer, answer.best, self.asked, self.quiz.told(answer, self.asked.names))

    def steps(self) -> dict[str, LessonMoment | None]:
        """The moments one event back and on, for the teacher."""
        moment = self.now.moment
        assert moment is not None
        ledger = current_ledger()
        return {"back": stepped(ledger, moment, -1), "on": stepped(ledger, moment, 1)}

    def planned(self) -> list[dict[str, Any]]:
        """The moments that the lesson began with: the number of each, and whether the teacher is there; of hands that are gone none."""
        ledger, rows = current_ledger(), []
        for number, moment in enumerate(self.now.moments, 1):
            try:
                expect_moment(ledger, moment)
            except StoreError:
                continue
            rows.append({"number": number, "moment": moment, "here": moment == self.now.moment})
        return rows
