"""A subclass of Flask that skips work per request whose result is known beforehand."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import flask
from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, MapAdapter
from werkzeug.sansio.utils import get_host

from cardledger_api.http.problems import REQUEST_ID
from cardledger_web.serving.compiled_rules import CompiledRule
from cardledger_web.serving.logs import log_event
from cardledger_web.serving.public_address import as_others_reach_it
from cardledger_web.serving.request_log import REQUEST, route_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Response
    from flask.sessions import SecureCookieSession, SessionMixin


@lru_cache(256)
def _names(scheme: str, header: str) -> tuple[str, str]:
    """Return the host that a Host header names, and the same in ASCII for addresses; raises HTTPException."""
    host = get_host(scheme, header)
    return host, Map().bind(host, url_scheme=scheme).server_name


def _text(value: str) -> str:
    """Return a text of the WSGI environment, which holds the bytes of UTF-8 as characters."""
    return value if value.isascii() else value.encode("latin1").decode(errors="replace")


class CookieSessions(SecureCookieSessionInterface):
    """Sessions of signed-in browsers; for requests without a cookie nothing is prepared, checked or sent."""

    def open_session(self, app: Flask, request: flask.Request) -> SecureCookieSession | None:
        """Return the session of a request, an empty one for those without a cookie."""
        return super().open_session(app, request) if "HTTP_COOKIE" in request.environ else self.session_class()

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path of this ledger's pages: browsers send the cookie to no other ledger of the host."""
        return f"{request.script_root}/"

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the cookie is for HTTPS only: if this request came by HTTPS."""
        return bool(app.config["SESSION_COOKIE_SECURE"]) or request.is_secure

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send changes of a session; all answers vary by the cookie (web/cardledger_web/serving/headers.py)."""
        if session or session.modified:
            super().save_session(app, session, response)


class Request(flask.Request):
    """A request that can still be logged after its answer, when Flask has dropped its own."""

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        super().__init__(environ, populate_request, shallow)
        environ[REQUEST] = self

    @property
    def here(self) -> str:
        """The address of this request on its server, with the path that a proxy or a house of clubs puts in front."""
        return f"{quote(self.script_root + self.path)}{'?' if self.query_string else ''}{self.query_string.decode('latin1')}"


class Application(Flask):
    """Flask as the server uses it."""

    session_interface = CookieSessions()
    request_class = Request
    url_rule_class = CompiledRule

    def log_exception(self, exc_info: Any) -> None:
        """Log an unexpected error, with the request id that the user sees."""
        environ = request.environ
        log_event(
            logging.ERROR, "unexpected", exc_info=exc_info, request=environ.get(REQUEST_ID),
            method=environ["REQUEST_METHOD"], route=route_of(environ),
        )  # fmt: skip

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        """Return the URL adapter; also for an invalid Host, as the error page has links.

        Flask would read and check the Host twice for each request, and write its name in ASCII again.
        """
        try:
            environ = request.environ if request is not None else {}
            if request is None or not environ.get("HTTP_HOST") or "HTTP_UPGRADE" in environ:
                return super().create_url_adapter(request)
            scheme = environ["wsgi.url_scheme"]
            request.host, name = _names(scheme, environ["HTTP_HOST"])
            script, path, query = (_text(environ.get(key, "")) for key in ("SCRIPT_NAME", "PATH_INFO", "QUERY_STRING"))
            return MapAdapter(self.url_map, name, script, "", scheme, path, environ["REQUEST_METHOD"], query)
        except HTTPException as error:
            assert request is not None
            request.routing_exception = error
            return self.url_map.bind("localhost")

    def url_for(self, endpoint: str, **given: Any) -> str:
        """Return an address; an absolute one as others reach it."""
        address = super().url_for(endpoint, **given)
        return as_others_reach_it(address) if given.get("_external") else address

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function itself.

        There are no coroutines here, and Flask would check every function on each request.
        """
        return func
