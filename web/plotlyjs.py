"""Plotly's own script, as the Python package ships it: served from here, gzipped once, cached for good."""

from __future__ import annotations

import gzip
import re
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from flask import Response, request

if TYPE_CHECKING:
    from flask import Blueprint

_CACHE = "public, max-age=31536000, immutable"
_MAP_STYLE = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')


@cache
def script() -> bytes:
    """Return the script."""
    return files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()


@cache
def zipped() -> bytes:
    """Return the script gzipped: 4.8 MB become 1.5 MB, once a process."""
    return gzip.compress(script(), mtime=0)


@cache
def map_style_id() -> str:
    """Return the id of the style element that the script would add for maps; empty if it adds none.

    Plotly injects two style elements, which the content security policy forbids, unless elements with their ids
    are there already: this one (maps, which we do not draw) and `plotly.js-style-global`, which our stylesheet bears.
    """
    found = _MAP_STYLE.search(script())
    return found[1].decode() if found else ""


def url_name() -> str:
    """Return the file name to serve it under: with the version, since browsers keep it for good."""
    return f"plotly-{version('plotly')}.min.js"


def add_routes(pages: Blueprint) -> None:
    """Add the route of the script."""

    @pages.get(f"/static/{url_name()}")
    def plotly_script() -> Response:
        headers = {"Cache-Control": _CACHE, "Vary": "Accept-Encoding"}
        body = script()
        if request.accept_encodings["gzip"]:
            headers["Content-Encoding"] = "gzip"
            body = zipped()
        return Response(body, content_type="text/javascript; charset=utf-8", headers=headers)
