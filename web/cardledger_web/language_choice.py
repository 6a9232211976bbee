"""The language of a request: the reader's choice (a cookie), or else the browser's.

Outside a request everything is English. So is the API, but for what it refuses: scripts of pages show that to people.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import current_app, has_request_context, redirect, request

from cardledger_api.current import current_ledger, people_of
from cardledger_api.http import problems
from cardledger_api.http.passage import passage_of
from cardledger_web.languages import LANGUAGES, SOURCE, Speaker, add_words, spoken_by, translated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask, Request
    from werkzeug.wrappers import Response

COOKIE = "lang"
LANGUAGE = "CARDLEDGER_LANGUAGE"
"""Key of the configuration: the language of readers whose browsers name none of ours."""
_known: ContextVar[str | None] = ContextVar("language", default=None)
"""The language of the request that this thread answers; empty if it was not asked for yet, None if there is no request."""
_YEAR = 365 * 24 * 3600


class OfRequest(Speaker):
    """Speaks to the reader of the request, of people by the names that the ledger has for them."""

    def language(self) -> str:  # noqa: D102 - the class it overrides says it
        return _known.get() or self._found()  # a page asks thousands of times

    @staticmethod
    def _found() -> str:
        if not has_request_context():
            return SOURCE
        chosen = request.cookies.get(COOKIE)
        usual = current_app.config.get(LANGUAGE, SOURCE)
        found: str = chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, usual)
        if _known.get() is not None:
            _known.set(found)
        return found

    def name(self, player: str) -> str:  # noqa: D102 - as above
        return people_of(current_ledger()).name(player) if has_request_context() else player


def add_languages(app: Flask) -> None:
    """Let templates speak the reader's language, and keep a choice made with `?lang=`."""
    spoken_by(OfRequest())
    add_words(app.jinja_env)
    app.jinja_env.globals["in_language"] = _address

    def choose(asked: Request) -> Response | None:
        if "lang=" not in asked.environ.get("QUERY_STRING", ""):
            return None  # the usual case
        chosen = asked.args.get(COOKIE)
        if chosen not in LANGUAGES or asked.method != "GET" or (asked.endpoint or "api.").startswith("api."):
            return None
        answer = redirect(address_without(COOKIE), 303)
        answer.set_cookie(COOKIE, chosen, max_age=_YEAR, secure=asked.is_secure, httponly=True, samesite="Lax")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    answer = app.wsgi_app

    def in_language(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        before = _known.set("")
        try:
            return answer(environ, start_response)
        finally:
            _known.reset(before)

    app.wsgi_app = in_language  # type: ignore[method-assign]
    app.extensions[problems.SAID] = translated
    passage_of(app).checks.append(choose)


def address_without(dropped: str) -> str:
    """Return the address of this request without one name of its query."""
    return quote(request.script_root + request.path) + query_without(dropped)


def query_without(dropped: str, **more: str) -> str:
    """Return the query of this request with its question mark, without one name and with others.

    Empty if nothing is left.
    """
    query = urlencode([each for each in request.args.items(multi=True) if each[0] != dropped] + [*more.items()])
    return f"?{query}" if query else ""


def _address(language: str) -> str:
    """Return the address that shows this page in another language.

    After a form, or where no page is, that of the first page.
    """
    if request.endpoint is None or request.method != "GET":
        return f"{request.script_root}/?{urlencode({'lang': language})}"
    return query_without(COOKIE, lang=language)
