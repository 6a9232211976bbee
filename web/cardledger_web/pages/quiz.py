"""The page of a quiz: the decisions of a finished hand, one after the other, from a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import current_app, redirect, render_template, request, url_for
from marshmallow import EXCLUDE

from cardledger.errors import FormatError, RuleError, StoreError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger.sentence import Sentence
from cardledger.study.stats.review.answers import record_answer
from cardledger_api.auth.invitations import today
from cardledger_api.current import current_ledger
from cardledger_api.resources.own import expect_own, own_player
from cardledger_api.resources.quiz import QuizQuery, quiz_of, stops_of, weighed
from cardledger_api.resources.replay import replay_of_tried
from cardledger_web.languages import translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.quiz_preview import quiz_preview
from cardledger_web.views.quiz import AnswerView, QuestionView, given_up
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response

    from cardledger.study.stats.review.quiz import Question, Quiz

QUERY = QuizQuery(unknown=EXCLUDE)
_KEPT = ("seat", "stops", "choice", "card", "ticked", "see", "record")
"""What an address of the page carries from one question to the next."""
_NOTED = {
    "lesson.twice": Sentence("You answered this before: the first answer counts, this one is practice."),
    "lesson.many": Sentence("You have answered as much as a day allows: this one is practice."),
}
MOST_ANSWERS = 100
"""The greatest number of answers that an address carries."""


@pages.get("/matches/<match>/hands/<int:hand>/quiz")
def quiz(match: str, hand: int) -> str:
    """The answers given so far are in the address: nothing is kept of a reader who did not choose to be recorded."""
    ledger = current_ledger()
    people = ledger.people()
    table = ledger.stream(match).table
    names = [people.name(player) for player in people.seated(match, table.players)]
    shown: dict[str, Any] = {
        "row": match_row(ledger, match), "game": game(table.game.id), "hand": hand, "names": names,
        "told": quiz_preview(match, hand, request.args),
    }  # fmt: skip
    if "seat" not in request.args:
        return render_template("quiz.html", **shown)
    query = _query()
    shown |= {"own": own_player(), "record": "record" in request.args and own_player() is not None}
    shown["noted"] = translated(_NOTED.get(request.args.get("noted", ""), ""))
    found = quiz_of(ledger, match, hand, query["seat"])
    stops = stops_of(ledger, found, match, hand, query)
    shown |= {"seat": query["seat"], "stops": query["stops"]}
    return _asked(found, stops, hand, shown)


@pages.post("/matches/<match>/hands/<int:hand>/quiz")
def answer(match: str, hand: int) -> Response:
    """Record the last answer of a form for the user, and go on as without recording."""
    access = current_app.extensions["cardledger.access"]
    access.require("reader")
    ledger, player = current_ledger(), expect_own(None, "reader")
    query = _query()
    found = quiz_of(ledger, match, hand, query["seat"])
    stops, choices = stops_of(ledger, found, match, hand, query), _choices()
    noted = None
    if choices and len(choices) <= len(stops):
        try:
            record_answer(
                ledger, match, hand, stops[len(choices) - 1].seq, choices[-1], player, str(access.name()), today()
            )
        except RuleError as error:
            noted = error.code
        except StoreError as error:
            if error.code != "quiz.choice":
                raise
    given_so_far = [(name, value) for name, value in request.values.items(multi=True) if name in _KEPT]
    address = urlencode([*given_so_far, *((("noted", noted),) if noted else ())])
    return redirect(f"{url_for('pages.quiz', match=match, hand=hand)}?{address}", 303)


def _query() -> dict[str, Any]:
    asked = {name: text for name, text in request.values.items() if text.strip()}
    loaded: dict[str, Any] = QUERY.load(asked | ({"stops": _events()} if _events() else {}))
    return loaded


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
    return ",".join(request.values.get("at", "").replace(",", " ").split())


def _choices() -> list[str]:
    """Return the answers in the address; cards that were ticked are one."""
    choices, cards = request.values.getlist("choice"), request.values.getlist("card")
    return [*choices, *([" ".join(cards)] if cards or "ticked" in request.values else [])][:MOST_ANSWERS]


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
