"""The passage of every request: the checks before its answer is made, and what is added to the answer.

Flask calls such functions without arguments, so each use of `request` looks it up. Here it is looked up once for all of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response, g, request

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

Check = Callable[[Request], "ResponseReturnValue | None"]
"""Looks at a request; an answer that it returns is given in place of the usual one."""
Finish = Callable[[Request, Response], Response]
"""Returns the answer to a request, changed or not."""
_KEY = "cardledger.passage"


@dataclass(slots=True)
class Passage:
    """Checks in their order, and what is done to the answer, the last first."""

    checks: list[Check] = field(default_factory=list)
    finishes: list[Finish] = field(default_factory=list)

    def check(self) -> ResponseReturnValue | None:
        """Check the current request; return the answer of the first check that has one."""
        asked = the_request()
        for check in self.checks:
            answer = check(asked)
            if answer is not None:
                return answer
        return None

    def finish(self, answer: Response) -> Response:
        """Return the answer to the current request with all that is added."""
        asked = the_request()
        for finish in reversed(self.finishes):
            answer = finish(asked, answer)
        return answer


def passage_of(app: Flask) -> Passage:
    """Return the passage of an application."""
    passage: Passage | None = app.extensions.get(_KEY)
    if passage is None:
        passage = app.extensions[_KEY] = Passage()
        app.before_request(passage.check)
        app.after_request(passage.finish)
    return passage


def the_request() -> Request:
    """Return the current request itself, for functions that look at several parts of it."""
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    return asked


def the_notes() -> Any:
    """Return Flask's `g` of the current request itself."""
    return g._get_current_object()
