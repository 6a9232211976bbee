"""Answers to questions about hands: who chose what, recorded beside the matches, and what each choice cost.

A question is a stream of its own, with an id that follows from the match and the event: whoever asks first opens it.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardledger.errors import LedgerError, RuleError
from cardledger.record.people.spelling import expect_name
from cardledger.record.recording.beside_matches import record_beside
from cardledger.rules.lessons.lesson_events import QuestionAnswer, QuestionOpening
from cardledger.sentence import Sentence, advising
from cardledger.study.stats.luck.luck_store import WeighedChoice
from cardledger.study.stats.review.quiz import Quiz
from cardledger.study.stats.review.review import FOR_PUZZLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.event import Event
    from cardledger.study.stats.luck.luck_store import LuckStore

MOST_A_DAY: Final = 200
"""The greatest number of answers of a person in a day."""
_NAMESPACE: Final = uuid.UUID("5e1d6a0e-0b53-5d0c-9a6b-9a4a0f6f2c11")
_NO_COST: Final = WeighedChoice(None, None, best=False)
_OF_PERSON: Final = """SELECT match, hand, asked, choice, day, recorded_as FROM answers
    WHERE recorded_as IN (SELECT value FROM json_each(?)) ORDER BY day, question, seq"""
_EVERY: Final = "SELECT match, hand, asked, choice, day, recorded_as FROM answers ORDER BY match, asked, seq"


class GivenAnswer(NamedTuple):
    """A recorded answer: the question, the choice, the day of the answer (ISO), and the player as recorded."""

    match: str
    hand: int
    event: int
    choice: str
    day: str
    player: str


def question_id(match: str, event: int) -> str:
    """Return the id of the question about an event of a match."""
    return f"question-{uuid.uuid5(_NAMESPACE, f'{match} {event}')}"


def record_answer(
    ledger: Ledger, match: str, hand: int, event: int, choice: str, player: str, by: Recorder | str, day: date
) -> str:
    """Record what a player would have chosen at an event of a hand; return the choice as the game offers it.

    Arguments:
        ledger: the ledger.
        match: the match.
        hand: the number of the hand.
        event: the event at which the seat decided.
        choice: what the player would choose.
        player: who answers; the first answer of a person counts, and no other is recorded.
        by: who records it.
        day: today, as the club has it.

    Raises RuleError `lesson.twice`, `lesson.many` beyond MOST_A_DAY, `people.name`, the rule that forbids a card;
    StoreError `quiz.hand`, `quiz.question`, `quiz.choice`, `store.unknown`.
    """
    expect_name(player)
    quiz = Quiz(ledger.stream(match), hand)
    asked = quiz.question(event)
    said = quiz.chosen(event, choice)
    id = question_id(match, event)
    answer = QuestionAnswer(player=player, choice=said, date=day.isoformat())
    opening = QuestionOpening(match=match, hand=hand, seat=asked.seat, event=event)

    def made() -> tuple[int, list[Event]]:
        _expect_room(ledger, match, event, player, day)
        seq = ledger.store.lengths([id]).get(id, 0)
        return seq, [answer] if seq else [opening, answer]

    record_beside(ledger, id, made, by)
    return said


def _expect_room(ledger: Ledger, match: str, event: int, player: str, day: date) -> None:
    """Refuse a second answer of a person, and one too many in a day; raises RuleError."""
    given = answers_of(ledger, player)
    if any((one.match, one.event) == (match, event) for one in given):
        raise RuleError(
            "lesson.twice",
            advising(
                Sentence(
                    "{player} answered this question before: the first answer counts, later ones are practice",
                    player=player,
                )
            ),
        )
    if sum(one.day == day.isoformat() for one in given) >= MOST_A_DAY:
        raise RuleError(
            "lesson.many",
            advising(
                Sentence("{player} answered {most} questions today: go on tomorrow", player=player, most=MOST_A_DAY)
            ),
        )


def answered(views: ReadModels) -> int:
    """Return the number of recorded answers."""
    number: int = views.reader.execute("SELECT count(*) FROM answers").fetchone()[0]
    return number


def answers_of(ledger: Ledger, player: str) -> list[GivenAnswer]:
    """Return the answers of a person, by day; the first to each question alone."""
    ids = json.dumps(ledger.people().ids(player), ensure_ascii=False)
    found = (GivenAnswer(*row) for row in ledger.views.current.execute(_OF_PERSON, (ids,)))
    first: dict[tuple[str, int], GivenAnswer] = {}
    for one in found:
        first.setdefault((one.match, one.event), one)
    return [*first.values()]


def weigh(store: LuckStore, given: Iterable[GivenAnswer] | None = None) -> Iterator[GivenAnswer]:
    """Compute and store what the choices of answers cost, where that is missing; yield each when it is done.

    Without answers, of all. Each is weighed as puzzles are, so that it costs the same whenever it is looked at.
    """
    every = (GivenAnswer(*row) for row in store.ledger.views.reader.execute(_EVERY).fetchall())
    for one in every if given is None else given:
        if weighed_of(store, one) is None:
            (hand,) = store.hands("match = ? AND hand = ?", (one.match, one.hand))
            found = _weighed(store.ledger, one, hand.course)
            if found is not None:
                at = one.match, one.hand, one.event
                store.keep_weighed(at, hand.course, one.choice, FOR_PUZZLES.edition, found)
                yield one


def _weighed(ledger: Ledger, one: GivenAnswer, course: str | None) -> WeighedChoice | None:
    """Return what a choice costs in a hand with a course, without a cost where it is not offered any more.

    None if the hand has another course by now: it is read again first.
    """
    try:
        quiz = Quiz(ledger.stream(one.match), one.hand)
        if quiz.course != course:
            return None
        answer = quiz.answer(one.event, one.choice, FOR_PUZZLES)
    except LedgerError:
        return _NO_COST
    cost = answer.cost_of(one.choice)
    return WeighedChoice(cost.cost, cost.error, best=not cost.cost and not cost.error)


def weighed_of(store: LuckStore, one: GivenAnswer) -> WeighedChoice | None:
    """Return what the choice of an answer cost, without a cost if its hand is gone; None if it is not computed yet."""
    if not store.hands("match = ? AND hand = ?", (one.match, one.hand)):
        return _NO_COST
    return store.weighed(one.match, one.hand, one.event, one.choice, FOR_PUZZLES.edition)


def as_data(one: GivenAnswer, cost: WeighedChoice | None) -> dict[str, Any]:
    """Return an answer as JSON data."""
    return {
        "match": one.match, "hand": one.hand, "seq": one.event, "choice": one.choice, "day": one.day,
        "cost": cost and cost.cost, "error": cost and cost.error, "best": cost.best if cost else None,
    }  # fmt: skip
