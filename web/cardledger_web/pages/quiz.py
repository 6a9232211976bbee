"""The page of a quiz: the decisions of a finished hand, one after the other, from a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import current_app, redirect, render_template, request, url_for
from marshmallow import EXCLUDE

from cardledger.errors import RuleError, StoreError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger.sentence import Sentence
from cardledger.study.stats.review.answers import record_answer
from cardledger_api.auth.invitations import today
from cardledger_api.current import current_ledger
from cardledger_api.resources.own import expect_own, own_player
from cardledger_api.resources.quiz import QuizQuery, quiz_of, stops_of, weighed
from cardledger_web.languages import translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.quiz_preview import quiz_preview
from cardledger_web.views.taken_quiz import TakenQuiz

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response

    from cardledger.rules.questions import Question, QuizAnswer
    from cardledger.study.stats.review.quiz import Quiz

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
    own = own_player()
    shown |= {"own": own and people.name(own), "record": "record" in request.args and own is not None}
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
    match, names = shown["row"]["match"], shown["names"]

    def weigh(asked: Question, choice: str) -> tuple[QuizAnswer, Sentence]:
        answer = weighed(found, match, hand, asked.seq, choice)
        return answer, found.told(answer, names)

    taken = TakenQuiz(match, hand, names, stops, found.position, weigh)
    return render_template("quiz.html", **shown | taken.shown(_choices(), see="see" in request.args))


def _events() -> str:
    """Return the events that somebody wrote down to stop at, with commas between them."""
    return ",".join(request.values.get("at", "").replace(",", " ").split())


def _choices() -> list[str]:
    """Return the answers in the address; cards that were ticked are one."""
    choices, cards = request.values.getlist("choice"), request.values.getlist("card")
    return [*choices, *([" ".join(cards)] if cards or "ticked" in request.values else [])][:MOST_ANSWERS]
