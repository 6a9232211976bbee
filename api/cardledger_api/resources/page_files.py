"""A match as one file of HTML: the pages make it, so an application without pages answers that it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, abort, current_app

from cardledger_api.blueprint import operations

if TYPE_CHECKING:
    from collections.abc import Callable

HTML = "text/html"
MADE_BY = "cardledger.page_file"
"""Where an application keeps what makes the file: called with the id of a match."""


@operations.add(
    "GET",
    "/matches/<match>/page",
    media=(HTML,),
    gives={"Content-Disposition": "a file name"},
    heavy=True,
    example={"path": {"match": "MATCH"}},
)
def read_page(match: str) -> Response:
    """Read a match as one file of HTML: its pages and its replay, which open without a server.

    It holds what every reader may see, whoever asks: no hand under way, and none that another table still plays.
    """
    make: Callable[[str], Response] = current_app.extensions.get(MADE_BY) or abort(404)
    return make(match)
