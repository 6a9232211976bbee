"""Resources of lessons: a class looks at recorded hands together, sees what its teacher shows, and votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from marshmallow import Schema, fields, validate

from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.review import lessons as lessons_of
from cardledger_api.auth.users import RoleWanted
from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.fields import Whole, between
from cardledger_api.http.operations import EVENT_STREAM, NDJSON
from cardledger_api.http.streams import Topic
from cardledger_api.resources.live import RESUME, LiveQuery, live_answer
from cardledger_api.resources.quiz import ChoiceCostSchema, quiz_of, table_before, weighed
from cardledger_api.resources.table import TableSchema

if TYPE_CHECKING:
    from flask import Response


_MOST = 100
_EVENT = between(1, 10**9)
_EXAMPLE = {"path": {"lesson": "LESSON"}}


class MomentSchema(Schema):
    """A table as it was before event `event` of a match, from a seat; without one, with all hands open."""

    match = fields.String(required=True, validate=validate.Length(1, 100))
    hand = fields.Integer(required=True, strict=True, validate=between(1, 100_000))
    event = fields.Integer(required=True, strict=True, validate=_EVENT)
    seat = fields.Integer(load_default=None, allow_none=True, strict=True, validate=between(0, 99))


class NewLessonSchema(Schema):
    """A lesson to open: its name, and where the teacher wants to stop."""

    name = fields.String(required=True, validate=validate.Length(1, 200))
    moments = fields.List(fields.Nested(MomentSchema), required=True, validate=validate.Length(1, _MOST))


class LessonRowSchema(Schema):
    """A lesson: its id, its name, whether it is open or closed, and the number of its events."""

    lesson = fields.String()
    name = fields.String()
    status = fields.String()
    seq = fields.Integer()


class LessonsSchema(Schema):
    """The latest lessons."""

    lessons = fields.List(fields.Nested(LessonRowSchema))


class LessonsQuery(Schema):
    """How many lessons."""

    limit = Whole(load_default=20, validate=between(1, _MOST))


class VotesOfChoiceSchema(Schema):
    """How many of the class voted for a choice."""

    choice = fields.String()
    votes = fields.Integer()


class LessonSchema(LessonRowSchema):
    """A lesson as its class sees it now, and nothing of what came later in the hand.

    `moment` is where the teacher stopped, null before that and where a correction took the hand away. `choices` are what the class is asked, null if nothing is.
    `voted` people have voted; `votes` by choice and `costs` are null until the teacher shows them.
    """

    moment = fields.Nested(MomentSchema, allow_none=True)
    choices = fields.List(fields.String(), allow_none=True)
    voted = fields.Integer()
    votes = fields.List(fields.Nested(VotesOfChoiceSchema), allow_none=True)
    costs = fields.List(fields.Nested(ChoiceCostSchema), allow_none=True)
    table = fields.Nested(TableSchema, allow_none=True)


class LessonVoteSchema(Schema):
    """A vote at the moment of an event: the choice, and the name of who votes."""

    event = fields.Integer(required=True, strict=True, validate=_EVENT)
    choice = fields.String(required=True, validate=validate.Length(1, 200))
    voter = fields.String(required=True, validate=validate.Length(1, 64))


class ShownSchema(Schema):
    """What the teacher shows."""

    what = fields.String(required=True, validate=validate.OneOf(["votes", "costs"]))


@operations.add("GET", "/lessons", role="scorer", query=LessonsQuery, answer=LessonsSchema, example={})
def list_of_lessons(query: dict[str, Any]) -> dict[str, Any]:
    """List the latest lessons, for teachers: pupils get the address of theirs."""
    return {"lessons": lessons_of.lessons(current_ledger(), query["limit"])}


@operations.add(
    "POST",
    "/lessons",
    role="scorer",
    body=NewLessonSchema,
    answer=LessonSchema,
    status=201,
    problems=(409, 422),
    example={
        "body": {"name": "Monday", "moments": [{"match": "PLAYED", "hand": 1, "event": 3, "seat": 0}]},
    },
)
def open_lesson(body: dict[str, Any]) -> dict[str, Any]:
    """Open a lesson on hands that are over: a class follows its teacher from moment to moment.

    A moment is a table before an event, from a seat, or with all hands open. Where its seat had to decide, the class is
    asked. The question of each puzzle of `/puzzles` is one.
    """
    ledger = current_ledger()
    moments = [msgspec.convert(one, LessonMoment) for one in body["moments"]]
    id = lessons_of.open_lesson(ledger, body["name"], moments, recorder())
    return lesson_shown(id)


@operations.add("GET", "/lessons/<lesson>", answer=LessonSchema, problems=(409,), example=_EXAMPLE)
def read_lesson(lesson: str) -> dict[str, Any]:
    """Read a lesson as its class sees it now: nothing of the hand beyond the moment where the teacher stopped."""
    return lesson_shown(lesson)


@operations.add(
    "POST", "/lessons/<lesson>/stops", role="scorer", body=MomentSchema, answer=LessonSchema, status=201,
    problems=(409, 422), example=_EXAMPLE | {"body": {"match": "PLAYED", "hand": 1, "event": 3, "seat": 0}},
)  # fmt: skip
def stop_lesson(lesson: str, body: dict[str, Any]) -> dict[str, Any]:
    """Stop at a moment: the class sees it at once, and votes where the seat had to decide."""
    lessons_of.stop(current_ledger(), lesson, msgspec.convert(body, LessonMoment), recorder())
    return lesson_shown(lesson)


@operations.add(
    "POST", "/lessons/<lesson>/votes", body=LessonVoteSchema, answer=LessonSchema, status=201,
    problems=(409, 422), example=_EXAMPLE | {"body": {"event": 3, "choice": "CHOICE", "voter": "phone 7"}},
)  # fmt: skip
def vote_in_lesson(lesson: str, body: dict[str, Any]) -> dict[str, Any]:
    """Vote at the present moment of a lesson: with the token of an invitation to it, or as a scorer.

    The last vote of a name counts, until the votes are shown. A card is refused with the rule that forbids it.
    """
    expect_in_class(lesson)
    lessons_of.vote(current_ledger(), lesson, body["voter"], body["choice"], body["event"], recorder())
    return lesson_shown(lesson)


@operations.add(
    "POST", "/lessons/<lesson>/shown", role="scorer", body=ShownSchema, answer=LessonSchema, status=201,
    problems=(409,), example=_EXAMPLE | {"body": {"what": "votes"}},
)  # fmt: skip
def show_in_lesson(lesson: str, body: dict[str, Any]) -> dict[str, Any]:
    """Show the votes of the class at the present moment, or what each choice costs; nobody votes there any more."""
    show_now(lesson, body["what"])
    return lesson_shown(lesson)


@operations.add(
    "POST", "/lessons/<lesson>/close", role="scorer", answer=LessonSchema, status=201, problems=(409,), example=_EXAMPLE
)
def close_lesson(lesson: str) -> dict[str, Any]:
    """End a lesson."""
    lessons_of.close(current_ledger(), lesson, recorder())
    return lesson_shown(lesson)


@operations.add(
    "GET",
    "/lessons/<lesson>/live",
    query=LiveQuery,
    media=(EVENT_STREAM, NDJSON),
    problems=(406, 503),
    headers=RESUME,
    example=_EXAMPLE | {"query": {"after": 0}},
)
def live_lesson(lesson: str, query: dict[str, Any]) -> Response:
    """Follow a lesson: where its teacher stops, what is shown, and that somebody voted, but not what. As `/matches/{match}/live`."""
    _, latest = lessons_of.lesson_state(current_ledger(), lesson)
    return live_answer(Topic(lesson, sees_all()), latest, latest, query["after"], current_access())


def class_of(lesson: str) -> str:
    """Return the stream whose invitation lets somebody vote in a lesson."""
    return f"{lesson}/vote"


def expect_in_class(lesson: str) -> None:
    """Refuse a vote of somebody who was not invited to the lesson; scorers may vote everywhere."""
    access = current_access()
    if not sees_all(class_of(lesson)):
        raise RoleWanted(f"{access.name() or 'Nobody'} was not invited to this lesson: open the link of its teacher.")


def show_now(lesson: str, what: str) -> None:
    """Show something in a lesson; costs are computed before, so that the class need not wait for them."""
    ledger = current_ledger()
    state, _ = lessons_of.lesson_state(ledger, lesson)
    moment = lessons_of.moment_now(ledger, state)
    asked = lessons_of.asked_at(ledger, moment)
    if what == "costs" and moment is not None and asked is not None:
        weighed(quiz_of(ledger, moment.match, moment.hand), moment.match, moment.hand, asked.seq)
    lessons_of.show(ledger, lesson, what, recorder())


def lesson_shown(lesson: str) -> dict[str, Any]:
    """Return a lesson as JSON data, as the class sees it."""
    ledger = current_ledger()
    now = lessons_of.lesson_now(ledger, lesson)
    moment, table, costs = now.moment, None, None
    if moment is not None:
        quiz = quiz_of(ledger, moment.match, moment.hand, moment.seat)
        table = table_before(moment.match, quiz.position(moment.event), moment.event, moment.seat)
        if now.costs and now.asked is not None:
            costs = weighed(quiz, moment.match, moment.hand, moment.event).costs
    return lessons_of.in_json(now, costs) | {"table": table}
