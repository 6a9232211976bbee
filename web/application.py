"""The application's own kind of Flask: what Flask does anew with each request is left out where it is known beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Request, Response
    from flask.sessions import SecureCookieSession, SessionMixin


class Sessions(SecureCookieSessionInterface):
    """Sessions of browsers that are signed in; for all who bring no cookie, nothing is prepared, checked or sent."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session of a request, an empty one for those without a cookie."""
        return super().open_session(app, request) if "HTTP_COOKIE" in request.environ else self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send what became of a session; that an answer goes by the cookie is said of all (web/headers.py)."""
        if session or session.modified:
            super().save_session(app, session, response)


class Application(Flask):
    """Flask as the server uses it."""

    session_interface = Sessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: there are no coroutines here, and Flask would look into every function with each request."""
        return func
