"""Headers that every answer carries, so that a page can only do what its own files say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask, Response

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
}


def add_headers(app: Flask) -> None:
    """Send the headers with every answer."""

    @app.after_request
    def _add(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
