"""The application's own kind of Flask: what Flask does anew with each request is left out where it is known beforehand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import flask
from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.exceptions import HTTPException

from api.problems import REQUEST_ID
from web.operating.edge import REQUEST, route_of
from web.operating.logs import told

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Response
    from flask.sessions import SecureCookieSession, SessionMixin
    from werkzeug.routing import MapAdapter


class Sessions(SecureCookieSessionInterface):
    """Sessions of browsers that are signed in; for all who bring no cookie, nothing is prepared, checked or sent."""

    def open_session(self, app: Flask, request: flask.Request) -> SecureCookieSession | None:
        """Return the session of a request, an empty one for those without a cookie."""
        return super().open_session(app, request) if "HTTP_COOKIE" in request.environ else self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send what became of a session; that an answer goes by the cookie is said of all (web/headers.py)."""
        if session or session.modified:
            super().save_session(app, session, response)


class Request(flask.Request):
    """A request that can be told of when it is answered; Flask forgets its own by then."""

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        super().__init__(environ, populate_request, shallow)
        environ[REQUEST] = self


class Application(Flask):
    """Flask as the server uses it."""

    session_interface = Sessions()
    request_class = Request

    def log_exception(self, exc_info: Any) -> None:
        """Log what nobody expected, with the id that whoever asked is shown instead."""
        environ = request.environ
        told(
            logging.ERROR, "unexpected", exc_info=exc_info, request=environ.get(REQUEST_ID),
            method=environ["REQUEST_METHOD"], route=route_of(environ),
        )  # fmt: skip

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        """Return what makes addresses; for a Host that is none too, as the page that says so has links."""
        try:
            return super().create_url_adapter(request)
        except HTTPException as error:
            assert request is not None
            request.routing_exception = error
            return self.url_map.bind("localhost")

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: there are no coroutines here, and Flask would look into every function with each request."""
        return func
