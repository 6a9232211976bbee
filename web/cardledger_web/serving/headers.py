"""Headers of every answer, so that a page can do only what its own files say."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cardledger.record.matches.trick_drawing import STYLE
from cardledger_api.auth.users import ASKING, NOBODY
from cardledger_api.http.operations import ROLES
from cardledger_web.serving.compression import is_free_of_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

_SOURCES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",  # no 'unsafe-inline': web/cardledger_web/figures/plotlyjs.py explains how Plotly works without it
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
    "Vary": "Accept-Language, Cookie",  # pages speak the reader's language, and signed-in users may see more
}
_MOVES = f"'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
"""The styles of a moving picture, which stand in the picture itself, as it may fetch nothing."""
_FRAMED = HEADERS | {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
        "style-src 'self'", f"style-src 'self' {_MOVES}"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
HSTS = ("Strict-Transport-Security", "max-age=31536000")
"""Sent over HTTPS only: from then on, for a year, the browser uses only HTTPS for this server."""
_COMPUTES = HEADERS | {
    "Content-Security-Policy": POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
}
"""WebAssembly runs in the worker of the engine, and nowhere else."""
_MAY_BE_FRAMED = "cardledger.may-be-framed"
_MAY_COMPUTE = "cardledger.may-compute"


def allow_frames(environ: WSGIEnvironment) -> None:
    """Allow the current answer in a frame on other sites."""
    environ[_MAY_BE_FRAMED] = True


def allow_webassembly(environ: WSGIEnvironment) -> None:
    """Allow the current answer, the script of a worker, to run WebAssembly."""
    environ[_MAY_COMPUTE] = True


def add_headers(app: Flask) -> None:
    """Send the headers with every answer.

    They are added at the edge, from a prepared list: checking Flask's headers one by one would take a tenth of a
    short answer's time.
    """
    answer = app.wsgi_app
    always, framed, computes = [*HEADERS.items()], [*_FRAMED.items()], [*_COMPUTES.items()]
    for_all = [(name, value) for name, value in always if name != "Vary"]
    static = f"{app.static_url_path}/"

    def with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, given: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            more = (
                framed
                if _MAY_BE_FRAMED in environ
                else computes
                if _MAY_COMPUTE in environ
                else for_all
                if is_free_of_secrets(environ)
                else always
            )
            if environ["wsgi.url_scheme"] == "https":
                more = [*more, HSTS]
            token = environ.get(ASKING, NOBODY).token
            scores = token is not None and (token.role != ROLES[0] or token.scope)
            if scores and not (is_free_of_secrets(environ) or environ["PATH_INFO"].startswith(static)):
                # It may show cards in play; a browser may be shared or stolen.
                given = [(name, value) for name, value in given if name != "Cache-Control"]
                more = [*more, ("Cache-Control", "no-store")]
            return start_response(status, given + more, *error)

        return answer(environ, start)

    app.wsgi_app = with_headers  # type: ignore[method-assign]
