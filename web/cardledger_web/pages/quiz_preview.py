"""What is shown of a quiz to those who have its link: the question, and the table as its player saw it.

The answers that an address carries are not looked at: nothing of an answer, and no card that the player did not see, is
in a preview.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import request, url_for

from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger_api.auth.visible import see_as_reader
from cardledger_api.current import current_ledger
from cardledger_api.resources.quiz import quiz_of
from cardledger_api.resources.replay import replay_of_tried
from cardledger_web.figures import pictures
from cardledger_web.languages import _, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.sharing import drawn_hands, picture
from cardledger_web.views.plain import plain
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Response

    from cardledger.rules.questions import Question
    from cardledger.study.stats.review.quiz import Quiz

_DIGITS = 9


class QuizPreview(NamedTuple):
    """A title, the question in words, and the addresses of the quiz and of its picture."""

    title: str
    words: str
    page: str
    picture: str


def quiz_preview(match: str, hand: int, asked: Mapping[str, str]) -> QuizPreview:
    """Return what is shown of a quiz; `asked` is the query of its address. Raises as `quiz_of` does."""
    seat = _number(asked.get("seat"))
    quiz_of(current_ledger(), match, hand, seat)
    row, names = match_row(current_ledger(), match), _names(match)
    kept: dict[str, Any] = {name: asked[name] for name in ("seat", "stops") if seat is not None and asked.get(name)}
    words = _("Whose hand do you play?") if seat is None else _("What would you do as %(name)s?", name=names[seat])
    return QuizPreview(
        _("What would you play? Hand %(number)s", number=hand),
        f"{words} {translated(game(row['game']).title)}",
        url_for("pages.quiz", match=match, hand=hand, _external=True, **kept),
        url_for("pages.quiz_picture", match=match, hand=hand, _external=True, **kept),
    )


@pages.get("/matches/<match>/hands/<int:hand>/quiz.png")
def quiz_picture(match: str, hand: int) -> Response:
    """Draw the table before the first question, with the cards of its player only; without a player with none."""
    see_as_reader()
    return picture(pictures.hands, partial(_before_the_question, match, hand))


def _before_the_question(match: str, hand: int) -> tuple[Any, ...]:
    ledger, seat = current_ledger(), _number(request.args.get("seat"))
    quiz = quiz_of(ledger, match, hand, seat)
    asked = None if seat is None else _first(quiz, seat, request.args.get("stops", ""))
    before = quiz.position(quiz.first + 1 if asked is None else asked.seq)
    as_seen = "spectator" if seat is None else str(seat)
    replay = replay_of_tried(ledger, match, before, hand, event_as_shown, as_seen)
    drawn = ReplayView(replay, before.seq, before.table, may_see_all=True).card_table()
    preview = quiz_preview(match, hand, request.args)
    return plain(preview.title), plain(preview.words), tuple(drawn_hands(drawn))


def _first(quiz: Quiz, seat: int, stops: str) -> Question | None:
    """Return the first question of a seat, of those at events that the address names if it names any."""
    wanted = {int(one) for one in stops.split(",") if one.isascii() and one.isdigit() and len(one) <= _DIGITS}
    return next(iter(quiz.questions(seat, wanted or None)), None)


def _names(match: str) -> list[str]:
    ledger = current_ledger()
    people = ledger.people()
    return [people.name(player) for player in people.seated(match, ledger.stream(match).table.players)]


def _number(text: str | None) -> int | None:
    """Return a number of an address, None for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
