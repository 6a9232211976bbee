"""The page of what people say about a match, and of the lines that they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import g, redirect, render_template, request, session, url_for

from cardledger.errors import LedgerError, StoreError
from cardledger.record.people.spelling import tidy_name
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.discussions import withdraw
from cardledger.rules.games import game
from cardledger.rules.lessons.discussion_events import LONGEST_NAME, LONGEST_TEXT
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.resources.discussions import said_of, say
from cardledger_api.resources.own import own_player
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.discussion import DiscussionView
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.record.recording.ledger import Ledger

    Page = str | tuple[str, int]

_LONGEST_LINE = 12_000
"""The greatest number of characters of a line in an address."""
_DIGITS = 18
_AUTHOR = "author"
"""Under which a browser keeps the name of who speaks."""


def talk(ledger: Ledger, match: str) -> DiscussionView:
    """Return what the user may see of what people say about a match."""
    stream, people = ledger.stream(match), ledger.people()
    said = said_of(ledger, match)
    called = {one.entry.author: people.name(one.entry.author) for one in said}
    names = [people.name(player) for player in people.seated(match, stream.table.players)]
    events = ledger.events(match) if said else ()
    return DiscussionView(match, stream, events, said, called, names)


class OneSaid(NamedTuple):
    """A comment or a line with an address of its own: a title and words for a preview, its event, and its moves if it has any."""

    number: int
    title: str
    words: str
    event: int
    line: str


def one_said(match: str, number: str) -> OneSaid | None:
    """Return a comment or a line that the user may see, by its number in the address; None if there is none."""
    view = talk(current_ledger(), match)
    for one in view.said:
        if one.number == _number(number):
            title, words, line = view.told(one)
            return OneSaid(one.number, title, words, one.entry.event, line)
    return None


@pages.get("/matches/<match>/discussion")
def discussion(match: str) -> Page:
    """What is said, and for scorers a form; the replayer leads here with an event, and with a line that was tried."""
    return _shown(match, request.args, "")


@pages.post("/matches/<match>/discussion")
def say_something(match: str) -> Page | Response:
    """Keep a comment or a line, or take one back."""
    if not sees_all(match):
        return for_scorers()
    ledger, form = current_ledger(), request.form
    try:
        if "withdraw" in form:
            withdraw(ledger, match, _number(form["withdraw"]), g.recorder)
        else:
            line = form.get("line", "")[:_LONGEST_LINE]
            wanted: dict[str, Any] = {
                "event": _number(form.get("event", "")),
                "author": tidy_name(form.get("author", "")),
                "text": form.get("text", "").strip() or None,
                "moves": line.split("~") if line else None,
                "name": tidy_name(form.get("name", "")) or None,
            }
            say(ledger, match, wanted, g.recorder)
            session[_AUTHOR] = wanted["author"]
    except LedgerError as error:
        if isinstance(error, StoreError):
            raise
        return _shown(match, form, sentence(error))
    return redirect(url_for("pages.discussion", match=match), 303)


def _shown(match: str, texts: Any, wrong: str) -> Page:
    ledger = current_ledger()
    row = match_row(ledger, match)
    text = render_template(
        "discussion.html",
        row=row,
        game=game(row["game"]),
        view=talk(ledger, match),
        may=sees_all(match),
        texts={key: texts.get(key, "")[:_LONGEST_LINE] for key in ("event", "text", "line", "name")}
        | {"author": texts["author"] if "author" in texts else _author() if sees_all(match) else ""},
        wrong=wrong,
        one=one_said(match, request.args.get("said", "")),
        longest={"name": LONGEST_NAME, "text": LONGEST_TEXT},
    )
    return (text, 400) if wrong else text


def _author() -> str:
    """Return who spoke last in this browser, or the player that the user is."""
    said: str = session.get(_AUTHOR) or current_ledger().people().name(own_player() or "")
    return said


def _number(text: str) -> int:
    """Return a number of a form; 0, which no event has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else 0
