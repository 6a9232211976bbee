"""A match as one file of HTML, to be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

from cardledger_web.languages import language
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.downloads import download
from cardledger_web.standalone.match_file import match_file

if TYPE_CHECKING:
    from flask import Flask, Response


@pages.get("/matches/<match>.html")
def match_html(match: str) -> Response:
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return download(match_file(app, match, language()), f"{match}.html", "text/html; charset=utf-8")
