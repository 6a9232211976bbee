"""A match as one file of HTML, to be sent; the API gives the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, request

from cardledger_api.auth.limits import heavy
from cardledger_api.resources.page_files import MADE_BY
from cardledger_web.languages import language
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.downloads import download
from cardledger_web.standalone.match_file import match_file

if TYPE_CHECKING:
    from flask import Flask, Response


@pages.get("/matches/<match>.html")
@heavy
def match_html(match: str) -> Response:
    return _made(match, small=request.args.get("small", "") not in ("", "0"))


def _made(match: str, *, small: bool) -> Response:
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return download(match_file(app, match, language(), small=small), f"{match}.html", "text/html; charset=utf-8")


pages.record_once(lambda state: state.app.extensions.update({MADE_BY: _made}))
