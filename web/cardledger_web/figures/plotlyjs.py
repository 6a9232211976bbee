"""Plotly's script, of it what the figures use (made by .build/plotly): served here, gzipped once, cached for good.

Plotly injects a style element, which the content security policy forbids, unless an element with its id exists:
`plotly.js-style-global`, the id of our style sheet in templates/figure_head.html.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from flask import Response, request

if TYPE_CHECKING:
    from flask import Blueprint

NAME: Final = "plotly-4.1.1.min.js"
"""The file in web/cardledger_web/static, with its version, since browsers cache it for good."""
_CACHE = "public, max-age=31536000, immutable"


@cache
def script() -> bytes:
    """Return the script."""
    return files("cardledger_web").joinpath("static", NAME).read_bytes()


@cache
def zipped() -> bytes:
    """Return the script gzipped: 1,026 kB become 356 kB, once a process."""
    return gzip.compress(script(), mtime=0)


def add_routes(pages: Blueprint) -> None:
    """Add the route of the script."""

    @pages.get(f"/static/{NAME}")
    def plotly_script() -> Response:
        headers = {"Cache-Control": _CACHE, "Vary": "Accept-Encoding"}
        body = script()
        if request.accept_encodings["gzip"]:
            headers["Content-Encoding"] = "gzip"
            body = zipped()
        return Response(body, content_type="text/javascript; charset=utf-8", headers=headers)
