"""The script that draws figures, gzipped once, cached for good."""

from __future__ import annotations

from flask import Response, request

from cardledger_web.figures import plotlyjs
from cardledger_web.pages.blueprint import pages

_CACHE = "public, max-age=31536000, immutable"


@pages.get(f"/static/{plotlyjs.NAME}")
def plotly_script() -> Response:
    headers = {"Cache-Control": _CACHE, "Vary": "Accept-Encoding"}
    body = plotlyjs.script()
    if request.accept_encodings["gzip"]:
        headers["Content-Encoding"] = "gzip"
        body = plotlyjs.zipped()
    return Response(body, content_type="text/javascript; charset=utf-8", headers=headers)
