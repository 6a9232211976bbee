"""Lessons: a class follows its teacher through recorded hands; a projector, phones that vote, and the teacher's controls."""

from __future__ import annotations

import secrets
from functools import wraps
from typing import TYPE_CHECKING, Any

from flask import g, redirect, render_template, request, session, url_for

from cardledger.errors import FormatError, LedgerError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import games
from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.review import lessons as lessons_of
from cardledger_api.auth.invitations import invite, today
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.problems import status_of
from cardledger_api.resources.lessons import class_of, expect_in_class, show_now
from cardledger_api.resources.quiz import quiz_of
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.serving.public_address import reaches_others
from cardledger_web.views.form import sentence
from cardledger_web.views.lesson import lesson_view
from cardledger_web.views.qr import qr_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.wrappers import Response

    Answer = str | Response | tuple[str, int]

_LISTED = 20
_PUZZLES = 10
_VOTER = "voter"
"""Under which a browser keeps the name by which it votes."""
_LESSON = "voter.lesson"
"""Under which it keeps the lesson in which it last voted, as that name is its own there."""


def teaching(page: Callable[..., Answer]) -> Callable[..., Answer]:
    """Let only scorers use a page."""

    @wraps(page)
    def checked(**given: Any) -> Answer:
        if not sees_all():
            return for_scorers()
        current_access().require("scorer")
        return page(**given)

    return checked


@pages.get("/lessons")
@teaching
def lesson_list() -> Answer:
    return _list_page()


def _list_page(wrong: str = "") -> str:
    ledger, match = current_ledger(), request.values.get("match")
    return render_template(
        "lessons.html",
        listed=lessons_of.lessons(ledger, _LISTED),
        wrong=wrong,
        games=games(),
        row=match_row(ledger, match) if match else None,
        hand=request.values.get("hand", 1, type=int),
        names=_names(match) if match else [],
    )


def _names(match: str) -> list[str]:
    ledger = current_ledger()
    people = ledger.people()
    return [people.name(player) for player in people.seated(match, ledger.stream(match).table.players)]


@pages.post("/lessons")
@teaching
def open_lesson() -> Answer:
    """Open a lesson on a hand or on the puzzles of a game."""
    form = request.form
    try:
        moments = _moments()
        name = form.get("name", "").strip() or _("Lesson of %(day)s", day=today().isoformat())
        lesson = lessons_of.open_lesson(current_ledger(), name, moments, g.recorder)
        lessons_of.stop(current_ledger(), lesson, moments[0], g.recorder)
    except LedgerError as error:
        return _list_page(sentence(error)), 400
    return redirect(url_for("pages.lesson", lesson=lesson), 303)


def _moments() -> list[LessonMoment]:
    """Return the moments that a form asks for; raises LedgerError."""
    ledger, form = current_ledger(), request.form
    if match := form.get("match"):
        seat = form.get("seat", type=int)
        hand = form.get("hand", 1, type=int)
        quiz_of(ledger, match, hand, seat)
        return lessons_of.moments_of_hand(ledger, match, hand, seat)
    game = form.get("game", "")
    if game not in games():
        raise FormatError("format.game", f"there is no game {game!r}")
    found = accountant.puzzles(ledger, game, today(), _PUZZLES)
    return lessons_of.moments_of_puzzles([] if found is None else found["puzzles"])


@pages.get("/lessons/<lesson>")
def lesson(lesson: str) -> str:
    """The page of a lesson: for the class what its teacher shows, for the teacher the controls beside it."""
    return render_template("lesson.html", **_shown(lesson))


@pages.get("/lessons/<lesson>/screen")
def lesson_screen(lesson: str) -> str:
    return render_template("lesson_screen.html", **_shown(lesson))


def _shown(lesson: str, wrong: str = "") -> dict[str, Any]:
    return {
        "lesson": lesson_view(lesson, request.args.get("at", type=int)),
        "teaches": sees_all(),
        "votes": sees_all(class_of(lesson)),
        "voter": session.get(_VOTER, ""),
        "yours": request.args.get("yours", ""),
        "wrong": wrong,
        "games": games(),
    }


@pages.post("/lessons/<lesson>/votes")
def vote_in_lesson(lesson: str) -> Answer:
    """Record the vote of a phone, under the name that its user gave or one of its own: a phone has one vote."""
    current_access().require("reader")
    expect_in_class(lesson)
    form = request.form
    name = form.get("voter", "").strip() or session.get(_VOTER) or f"phone {secrets.token_hex(3)}"
    before = session.get(_VOTER) if session.get(_LESSON) == lesson else None
    choice, event = form.get("choice") or " ".join(form.getlist("card")), form.get("event", 0, type=int)
    try:
        vote = lessons_of.vote_of_phone(current_ledger(), lesson, name, before, choice, event, g.recorder)
    except LedgerError as error:
        return render_template("lesson.html", **_shown(lesson, sentence(error))), 409
    session[_VOTER], session[_LESSON] = vote.voter, lesson
    return redirect(url_for("pages.lesson", lesson=lesson, yours=vote.choice), 303)


@pages.post("/lessons/<lesson>/stops")
@teaching
def stop_lesson(lesson: str) -> Answer:
    """Stop at a moment of the lesson, one event on or back, or at a moment that it began with."""
    ledger, to = current_ledger(), request.form.get("to", "")
    return _done(lesson, lambda: lessons_of.stop(ledger, lesson, lessons_of.moment_at(ledger, lesson, to), g.recorder))


@pages.post("/lessons/<lesson>/shown")
@teaching
def show_in_lesson(lesson: str) -> Answer:
    return _done(lesson, lambda: show_now(lesson, request.form.get("what", "votes")))


@pages.post("/lessons/<lesson>/close")
@teaching
def close_lesson(lesson: str) -> Answer:
    return _done(lesson, lambda: lessons_of.close(current_ledger(), lesson, g.recorder))


def _done(lesson: str, act: Callable[[], None]) -> Answer:
    try:
        act()
    except LedgerError as error:
        return render_template("lesson.html", **_shown(lesson, sentence(error))), status_of(error)
    return redirect(url_for("pages.lesson", lesson=lesson), 303)


@pages.post("/lessons/<lesson>/invitation")
@teaching
def invite_class(lesson: str) -> Answer:
    """Make a link for the phones of a class, which lets them vote in this lesson and nothing else.

    Where nobody reads without a token, the link gives the right to read, so only an admin makes it.
    """
    access = current_access()
    if not access.open_reading:
        access.require("admin")
    state, _seq = lessons_of.lesson_state(current_ledger(), lesson)
    made = invite(access.tokens, class_of(lesson), "", _("Class %(name)s", name=state.opening.name), None)
    link = url_for("pages.lesson", lesson=lesson, token=made.text, _external=True)
    return render_template(
        "lesson_invitation.html",
        lesson=lesson,
        name=state.opening.name,
        link=link,
        code=qr_code(link),
        here=not reaches_others(),
    )
