"""Error pages: a sentence and a way on, never a traceback; problem details where a program asked."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from flask import render_template, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from api import PREFIX, problems
from ledger.errors import FormatError, LedgerError
from ledger.store.file import unreadable

if TYPE_CHECKING:
    from flask import Flask, Response

WORDS = {
    400: ("That address does not make sense", "Something in it is not of the form it should be."),
    401: ("Please sign in", "This takes a token; who runs this ledger can give you one."),
    403: ("That is not for you to do", "Your token is not good for this, or another site's page asked for it."),
    404: ("There is nothing here", "The match or page may have another address."),
    405: ("That cannot be done here", "The page exists, but not for this kind of request."),
    413: ("That is too much", "What was sent is larger than this server takes."),
    429: ("Not so fast", "Too many requests came at once; wait a moment and try again."),
    500: (
        "Something went wrong on our side",
        "It has been written to the log. Trying again may help.",
    ),
    503: ("The ledger cannot be reached", "Its database does not answer; try again in a moment."),
}
"""Heading and sentence by status; others show what HTTP calls them."""


def add_handlers(app: Flask) -> None:
    """Answer errors outside the API's own routes."""

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response | tuple[str, int, dict[str, str]]:
        if request.path.startswith(f"{PREFIX}/"):
            return problems.of_http(error)
        kept = {name: value for name, value in error.get_headers() if name != "Content-Type"}
        return *_page(error.code or 500, error.name), kept

    @app.errorhandler(sqlite3.Error)
    def _sqlite(error: sqlite3.Error) -> tuple[str, int]:
        return _ledger(unreadable(error))

    @app.errorhandler(LedgerError)
    def _ledger(error: LedgerError) -> tuple[str, int]:
        status = problems.status_of(error)
        problems.log_failure(error)
        request.environ[problems.CODE] = error.code
        return _page(status, error.code, error.message if isinstance(error, FormatError) else None)

    @app.errorhandler(ValidationError)
    def _validation(_error: ValidationError) -> tuple[str, int]:
        return _page(400, "Bad Request")


def _page(status: int, name: str, said: str | None = None) -> tuple[str, int]:
    heading, sentence = WORDS.get(status, (name, "The server could not answer this request."))
    id = request.environ.get(problems.REQUEST_ID) if status >= 500 else None
    return render_template("error.html", status=status, heading=heading, sentence=said or sentence, id=id), status
