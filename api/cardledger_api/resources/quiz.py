"""The resource of quizzes: the decisions of a finished hand, one after the other, and what each choice costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app
from marshmallow import Schema, fields, validate

from cardledger.record.matches.own_boards import OwnBoards
from cardledger.record.matches.seat_view import full_view, seat_view
from cardledger.record.matches.table_state import as_seen
from cardledger.study.stats.review.gaps import gaps, reviewed
from cardledger.study.stats.review.puzzles import puzzle_events
from cardledger.study.stats.review.quiz import Quiz
from cardledger_api.auth.limits import expensive_now
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Whole
from cardledger_api.http.shared_work import shared_work
from cardledger_api.resources.replay import view_of
from cardledger_api.resources.review import SECONDS
from cardledger_api.resources.table import TableSchema

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.questions import Question, QuizAnswer
    from cardledger.rules.stream import Stream

EACH, GAPS = "each", "gaps"
MOST_STOPS = 60
"""The greatest number of events that a quiz can be told to stop at."""


class QuizQuery(Schema):
    """The seat, where to stop, and the event after which the next question is asked."""

    seat = Whole(required=True, metadata={"description": "number of the seat, from 0"})
    stops = fields.String(
        load_default=EACH,
        validate=validate.Regexp(
            rf"^(?:{EACH}|{GAPS}|[0-9]{{1,9}}(?:,[0-9]{{1,9}}){{0,{MOST_STOPS - 1}}})\Z",
            error=f"write {EACH}, {GAPS}, or at most {MOST_STOPS} numbers of events with commas between them",
        ),
        metadata={
            "description": f"where to stop: at `{EACH}` decision, at the `{GAPS}` (decisions that cost the player something "
            "beyond doubt), or at these events, with commas between them"
        },
    )
    after = Whole(
        load_default=0, metadata={"description": "number of the event after which the next question is asked"}
    )


class WeighQuery(Schema):
    """The choice of the reader."""

    choice = fields.String(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "the choice to weigh in any case, as the question offers it"},
    )


class QuestionSchema(Schema):
    """A decision that the seat had at event `seq`, what could be chosen, and the table before it, as the seat saw it.

    All of these are null when no question is left.
    """

    match = fields.String()
    hand = fields.Integer()
    seat = fields.Integer()
    seq = fields.Integer(allow_none=True)
    type = fields.String(allow_none=True)
    choices = fields.List(fields.String(), allow_none=True)
    table = fields.Nested(TableSchema, allow_none=True)


class ChoiceCostSchema(Schema):
    """What a choice costs against the best, in points of the hand, with its standard error.

    An estimate, which can be negative. `clear` tells whether it is beyond doubt that the choice costs something.
    """

    choice = fields.String()
    cost = fields.Float()
    error = fields.Float()
    clear = fields.Boolean()


class WeighedSchema(Schema):
    """The answer of a question: what the player chose, what was best, and the costs, the least first.

    Of very many choices only the most promising have a cost, beside the one asked about and the one made. A cost is a
    mean over so many possible `worlds`. `sentence` says what the player chose, and what it cost.
    """

    match = fields.String()
    hand = fields.Integer()
    seat = fields.Integer()
    seq = fields.Integer()
    type = fields.String()
    made = fields.String()
    best = fields.String()
    worlds = fields.Integer()
    costs = fields.List(fields.Nested(ChoiceCostSchema))
    sentence = fields.String()


@operations.add(
    "GET",
    "/matches/<match>/hands/<int:hand>/quiz",
    query=QuizQuery,
    answer=QuestionSchema,
    example={"path": {"match": "PLAYED", "hand": 1}, "query": {"seat": 0}},
)
def read_question(match: str, hand: int, query: dict[str, Any]) -> dict[str, Any]:
    """Read the next question of a quiz: what a seat had to decide in a hand that is over, and what it could choose.

    Nothing of what came later is in the answer. Decisions without a choice are left out.
    """
    ledger = current_ledger()
    quiz = quiz_of(ledger, match, hand, query["seat"])
    asked = next((one for one in stops_of(ledger, quiz, match, hand, query) if one.seq > query["after"]), None)
    return {
        "match": match, "hand": hand, "seat": query["seat"], "seq": asked and asked.seq, "type": asked and asked.type,
        "choices": asked and asked.choices, "table": asked and table_before(match, quiz.position(asked.seq), asked.seq, asked.seat),
    }  # fmt: skip


@operations.add(
    "GET",
    "/matches/<match>/hands/<int:hand>/quiz/<int:seq>",
    query=WeighQuery,
    answer=WeighedSchema,
    example={"path": {"match": "PLAYED", "hand": 1, "seq": 3}},
)
def read_weighed(match: str, hand: int, seq: int, query: dict[str, Any]) -> dict[str, Any]:
    """Read the answer of a question: what was chosen there, and what each choice costs.

    Costs are estimated by rollouts with cautious bots over the cards that the player could not see.
    """
    quiz = quiz_of(current_ledger(), match, hand)
    answer = weighed(quiz, match, hand, seq, query["choice"])
    question = answer.question
    people = current_ledger().people()
    seated = people.seated(match, current_ledger().stream(match).table.players)
    names = [people.name(player) for player in seated]
    return {
        "match": match, "hand": hand, "seat": question.seat, "seq": seq, "type": question.type, "made": answer.made,
        "best": answer.best, "worlds": answer.worlds, "costs": answer.costs, "sentence": quiz.told(answer, names),
    }  # fmt: skip


def table_before(match: str, stream: Stream, seq: int, seat: int | None) -> dict[str, Any]:
    """Return the table of a position before event `seq`, from a seat or with all hands open, as JSON data."""
    state = full_view(stream.table) if seat is None else seat_view(stream.table, seat)
    view = "all" if seat is None else str(seat)
    return as_seen(match, view, stream, stream.seq, stream.table, state, OwnBoards()) | {"seq": seq - 1}


def quiz_of(ledger: Ledger, match: str, hand: int, seat: int | None = None) -> Quiz:
    """Return the quiz of a hand as the user may see it, for a seat or for all; 403 while its cards are in play.

    Raises StoreError `store.unknown`, `quiz.hand`, RuleError `table.range` for a seat that the match does not have.
    """
    stream = ledger.stream(match)
    view_of(ledger, match, stream, hand, "all" if seat is None else str(seat))
    return Quiz(stream, hand, puzzle_events(ledger, match, hand))


def stops_of(ledger: Ledger, quiz: Quiz, match: str, hand: int, query: dict[str, Any]) -> list[Question]:
    """Return the questions at which a quiz stops, in order.

    Raises UnreadyError while the hand is being reviewed.
    """
    stops = query["stops"]
    if stops == GAPS:
        if not reviewed(ledger, match, hand):
            expensive_now()
        return quiz.questions(query["seat"], gaps(ledger, match, hand, SECONDS))
    return quiz.questions(query["seat"], None if stops == EACH else {int(one) for one in stops.split(",")})


def weighed(quiz: Quiz, match: str, hand: int, seq: int, choice: str | None = None) -> QuizAnswer:
    """Return the answer of a question: what nobody has asked before is expensive, and is computed once for a class."""
    if not quiz.knows(seq, choice):
        with shared_work(current_app).at(current_app, ("quiz", match, hand, seq)):
            if not quiz.knows(seq, choice):
                expensive_now()
            return quiz.answer(seq, choice)
    return quiz.answer(seq, choice)
