"""How an engine in a browser answers: questions and answers in JSON, in the language of the page."""

from __future__ import annotations

import json
from functools import cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import readers
from cardledger.rules.games import editions
from cardledger_web.languages import Speaker, add_words, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class OfPage(Speaker):
    """Speaks the language of the page, of players by the names that it shows."""

    def __init__(self, language: str, names: Mapping[str, str]) -> None:
        self._language = language
        self._names = names

    def language(self) -> str:  # noqa: D102 - of the class it overrides
        return self._language

    def name(self, player: str) -> str:  # noqa: D102 - as above
        return self._names.get(player, player)


class Answering:
    """Answers questions by name. `answer` is all that a worker calls."""

    def __init__(self, asked: Mapping[str, Callable[..., Any]]) -> None:
        """Begin with what answers each question."""
        editions()  # the games of packages bring their events
        self._asked = asked

    def answer(self, asked: str) -> str:
        """Return the answer to a question, both in JSON: `{"ask": "table", "at": 12}`.

        The answer is `{"told": …}`, or `{"problem": {"code", "detail", …}}` for what the server would refuse.
        """
        question = json.loads(asked)
        try:
            told = {"told": self._asked[question.pop("ask")](**question)}
        except LedgerError as error:
            told = {"problem": problem_of(error)}
        return json.dumps(told)


def recorded(events: list[Any]) -> list[ev.Event]:
    """Return events as they were recorded, from JSON data."""
    read: list[ev.Event] = readers().many.decode(json.dumps(events))
    return read


def problem_of(error: LedgerError) -> dict[str, Any]:
    """Return an error as the API answers it."""
    more = {
        name: value for name in ("index", "seat", "legal") if (value := getattr(error, name, None)) not in (None, ())
    }
    return {"code": error.code, "detail": str(translated(error.message)), **more}


def _template(name: str) -> str | None:
    data = get_data("cardledger_web", f"templates/{name}")
    return None if data is None else data.decode()


@cache
def templates() -> Environment:
    """Return the templates of the pages that the desk draws."""
    made = Environment(
        loader=FunctionLoader(_template), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
    )
    add_words(made)
    return made
