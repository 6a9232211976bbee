"""A match as one file of HTML: the pages make it, so an application without pages answers that it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, abort, current_app
from marshmallow import Schema, fields

from cardledger_api.blueprint import operations

if TYPE_CHECKING:
    from collections.abc import Callable

HTML = "text/html"
MADE_BY = "cardledger.page_file"
"""Where an application keeps what makes the file: called with the id of a match, and whether it is to be `small`."""


class PageQuery(Schema):
    """Whether the file is to be small."""

    small = fields.Boolean(
        load_default=False,
        metadata={
            "description": "whether to leave out what works out other moves and what a seat can know, with the quiz: 6.6 MB"
        },
    )


@operations.add(
    "GET",
    "/matches/<match>/page",
    query=PageQuery,
    media=(HTML,),
    gives={"Content-Disposition": "a file name"},
    heavy=True,
    example={"path": {"match": "MATCH"}},
)
def read_page(match: str, query: dict[str, Any]) -> Response:
    """Read a match as one file of HTML: its pages and its replay, which open without a server.

    Other moves can be tried in it, and it tells what a seat can know, worked out by the rules that it holds. It has the
    quiz of each hand, as far as the costs of its choices are found out with 50 million cards played.
    It holds what every reader may see, whoever asks: no hand under way, and none that another table still plays.
    """
    make: Callable[..., Response] = current_app.extensions.get(MADE_BY) or abort(404)
    return make(match, small=query["small"])
