"""Error pages: a sentence and a next step, never a traceback; problem details for programs."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from flask import render_template, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.proofs import DAMAGE
from cardledger.record.store.sqlite_errors import unreadable
from cardledger_api import PREFIX
from cardledger_api.http import problems
from cardledger_api.http.findings import Finding
from cardledger_web.languages import N_, _
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from flask import Flask, Response

WORDS = {
    400: (
        N_("That address does not make sense"),
        N_("A part of it has the wrong form. Check it, or start from the first page."),
    ),
    401: (N_("Please sign in"), N_("This needs a token; the person who runs this ledger can give you one.")),
    403: (
        N_("You may not do that"),
        N_("Your token does not allow this, or the request came from another site's page."),
    ),
    404: (N_("There is nothing here"), N_("The match or page may have another address.")),
    405: (N_("That is not possible here"), N_("The page exists, but not for this kind of request.")),
    413: (N_("That is too much"), N_("The data is larger than this server accepts. Send it in smaller parts.")),
    422: (N_("That does not fit the record"), N_("What you ask for contradicts what is recorded.")),
    429: (N_("Not so fast"), N_("Too many requests came at once; wait a moment and try again.")),
    500: (
        N_("Something went wrong on our side"),
        N_("The problem is in the log. Trying again may help."),
    ),
    503: (N_("The ledger cannot be reached"), N_("Its database does not answer; try again in a moment.")),
}
"""Heading and sentence by status; other statuses show their HTTP name."""
BUSY = (
    N_("Nothing can be recorded now"),
    N_(
        "Another program has been writing to the ledger for too long. "
        "You can still read; try recording again in a moment."
    ),
)
COMPUTING = (
    N_("The figures are being computed"),
    N_("In a large league that takes a few seconds. This page asks again by itself."),
)
BEHIND = (
    N_("This cannot be shown yet"),
    N_(
        "The lists are behind the record, so it is not known which cards are still in play. "
        "This page asks again by itself."
    ),
)
UNWRITTEN = (
    N_("Nothing can be recorded now"),
    N_("The disk may be full. You can still read; please tell the person who runs this ledger."),
)
FULL = (N_("Nothing more can be recorded"), N_("The ledger holds as much as it may. All can still be read."))
OF_CODE = {
    "store.quota": FULL,
    "store.busy": BUSY,
    "store.write": UNWRITTEN,
    "store.behind": BEHIND,
    "store.computing": COMPUTING,
}
"""Heading and sentence by code; other codes show those of their status."""
_ASKING_AGAIN = frozenset({"store.behind", "store.computing"})
ErrorPage = tuple[str, int, dict[str, str]]
"""A page with its status and headers."""


def add_handlers(app: Flask) -> None:
    """Answer errors outside the API's own routes."""
    for template in ("base.html", "error.html"):
        app.jinja_env.get_template(template)  # now: when an error is shown, no file may be left to open

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response | ErrorPage:
        if request.path.startswith(f"{PREFIX}/"):
            return problems.of_http(error)
        headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
        return *_page(error.code or 500, error.name)[:2], headers

    @app.errorhandler(sqlite3.Error)
    def _sqlite(error: sqlite3.Error) -> ErrorPage:
        return _ledger(unreadable(error))

    @app.errorhandler(LedgerError)
    def _ledger(error: LedgerError) -> ErrorPage:
        status = problems.status_of(error)
        problems.log_failure(error)
        request.environ[problems.CODE] = error.code
        request.environ[problems.ERROR] = error
        if error.code in DAMAGE:
            return _page(
                status,
                _("This record has been changed"),
                Finding.of(error, (request.view_args or {}).get("match")).in_words,
            )
        words = sentence(error) if isinstance(error, FormatError | RuleError) or error.code == "store.quota" else None
        return _page(status, error.code, words)

    @app.errorhandler(ValidationError)
    def _validation(_error: ValidationError) -> ErrorPage:
        return _page(400, "Bad Request")


def _page(status: int, name: str, message: str | None = None) -> ErrorPage:
    heading, sentence = (
        OF_CODE.get(name) or WORDS.get(status) or (name, N_("The server could not answer this request."))
    )
    return (
        render_template(
            "error.html",
            status=status,
            heading=_(heading),
            sentence=message or _(sentence),
            id=request.environ.get(problems.REQUEST_ID) if status >= 500 else None,
            seconds=problems.SECONDS if name in _ASKING_AGAIN else None,
        ),
        status,
        problems.asking_again(status, name),
    )
