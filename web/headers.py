"""Headers that every answer carries, so that a page can only do what its own files say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

_SOURCES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",  # no 'unsafe-inline': web/plotlyjs.py says how Plotly does without
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY = "; ".join(f"{what} {where}" for what, where in _SOURCES.items())
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Cookie",  # who is signed in may see more
}
_FRAMED = HEADERS | {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_MAY_BE_FRAMED = "cardledger.may-be-framed"


def allow_frames(environ: WSGIEnvironment) -> None:
    """Let the answer of the request under way stand in a frame on other people's pages."""
    environ[_MAY_BE_FRAMED] = True


def add_headers(app: Flask) -> None:
    """Send the headers with every answer.

    They are put on at the very edge, as a list made beforehand: asking Flask's headers one by one whether they are
    there already would take a tenth of a short answer's time.
    """
    answer = app.wsgi_app
    always, framed = [*HEADERS.items()], [*_FRAMED.items()]

    def with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, given: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            return start_response(status, given + (framed if _MAY_BE_FRAMED in environ else always), *error)

        return answer(environ, start)

    app.wsgi_app = with_headers  # type: ignore[method-assign]
