"""The page of a quiz: the decisions of a finished hand, one after the other, from a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import render_template, request
from marshmallow import EXCLUDE

from cardledger.errors import FormatError, StoreError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger_api.current import current_ledger
from cardledger_api.resources.quiz import QuizQuery, quiz_of, stops_of, weighed
from cardledger_api.resources.replay import replay_of_tried
from cardledger_web.languages import translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.quiz import AnswerView, QuestionView, given_up
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.stats.review.quiz import Question, Quiz

QUERY = QuizQuery(unknown=EXCLUDE)
MOST_ANSWERS = 100
"""The greatest number of answers that an address carries."""


@pages.get("/matches/<match>/hands/<int:hand>/quiz")
def quiz(match: str, hand: int) -> str:
    """The answers given so far are in the address: nothing is kept of a reader."""
    ledger = current_ledger()
    people = ledger.people()
    table = ledger.stream(match).table
    names = [people.name(player) for player in people.seated(match, table.players)]
    shown: dict[str, Any] = {
        "row": match_row(ledger, match), "game": game(table.game.id), "hand": hand, "names": names,
    }  # fmt: skip
    if "seat" not in request.args:
        quiz_of(ledger, match, hand)
        return render_template("quiz.html", **shown)
    query = QUERY.load(given() | ({"stops": _events()} if _events() else {}))
    found = quiz_of(ledger, match, hand, query["seat"])
    stops = stops_of(ledger, found, match, hand, query)
    shown |= {"seat": query["seat"], "stops": query["stops"]}
    return _asked(found, stops, hand, shown)


def _asked(found: Quiz, stops: Sequence[Question], hand: int, shown: dict[str, Any]) -> str:
    choices, see, trouble = _choices(), "see" in request.args, ""
    if len(choices) > len(stops):
        raise FormatError("format.value", "this quiz has fewer questions than answers: begin it again")
    try:
        answered = _answered(found, stops, choices, hand, shown)
    except StoreError as error:
        if error.code != "quiz.choice":
            raise
        trouble, see, choices = translated(error.message), False, choices[:-1]
        answered = _answered(found, stops, choices, hand, shown)
    place = len(choices) - see
    if place < len(stops):
        shown["view"], shown["since"] = _position(found, stops, place, hand, shown["row"]["match"])
        shown["asked"] = QuestionView(stops[place], shown["view"].table, shown["names"])
    return render_template(
        "quiz.html",
        **shown,
        answered=answered,
        choices=choices,
        see=see and bool(answered),
        place=place,
        last=len(choices) == len(stops),
        trouble=trouble,
        yours=given_up([one.yours for one in answered]),
        theirs=given_up([one.theirs for one in answered]),
    )


def _events() -> str:
    """Return the events that somebody wrote down to stop at, with commas between them."""
    return ",".join(request.args.get("at", "").replace(",", " ").split())


def _choices() -> list[str]:
    """Return the answers in the address; cards that were ticked are one."""
    choices, cards = request.args.getlist("choice"), request.args.getlist("card")
    return [*choices, *([" ".join(cards)] if cards or "ticked" in request.args else [])][:MOST_ANSWERS]


def _answered(
    found: Quiz, stops: Sequence[Question], choices: Sequence[str], hand: int, shown: dict[str, Any]
) -> list[AnswerView]:
    match, names = shown["row"]["match"], shown["names"]
    answered = []
    for asked, choice in zip(stops, choices, strict=False):
        answer = weighed(found, match, hand, asked.seq, choice)
        view = QuestionView(asked, found.position(asked.seq).table, names)
        answered.append(AnswerView(answer, asked.choice(choice), view, found.told(answer, names)))
    return answered


def _position(
    found: Quiz, stops: Sequence[Question], place: int, hand: int, match: str
) -> tuple[ReplayView, list[str]]:
    """Return the table before a question as its seat saw it, and what has happened since the question before, in words."""
    asked = stops[place]
    before = found.position(asked.seq)
    replay = replay_of_tried(current_ledger(), match, before, hand, event_as_shown, str(asked.seat))
    view = ReplayView(replay, before.seq, before.table, may_see_all=True)
    known = found.position(stops[place - 1].seq).seq if place else 0
    return view, [row.words for row in view.log() if row.seq > known]
