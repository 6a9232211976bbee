"""Errors as problem details (RFC 9457): one JSON shape for every error."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, json, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from cardledger.errors import BehindError, FormatError, LedgerError, RuleError, UnreadyError
from cardledger.record.store.sqlite_errors import unreadable
from cardledger_api.http import faults
from cardledger_api.http.addresses import PREFIX, here

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Blueprint

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "cardledger.request-id"
"""Key in the WSGI environment for the request's id in the log."""
CODE = "cardledger.code"
"""Key in the WSGI environment for the code of the problem in the answer."""
ERROR = "cardledger.error"
"""Key in the WSGI environment for the ledger's error in the answer."""
SAID = "cardledger.said"
"""Key of an application's extensions: how it says a sentence to who asks; without it, as it is, in English."""
STATUS = {
    "store.unknown": 404,
    "lesson.phase": 409,
    "lesson.twice": 409,
    "lesson.many": 429,
    "quiz.hand": 409,
    "quiz.question": 404,
    "quiz.choice": 422,
    "store.extra": 501,
    "store.conflict": 409,
    "store.duplicate": 409,
    "store.differs": 409,
    "store.erased": 409,
    "store.empty": 400,
    "store.similar": 409,
    "store.recorder": 403,
    "store.time": 422,
    "store.lost": 503,
    "store.behind": 503,
    "store.busy": 503,
    "store.lost-tail": 503,
    "store.version": 503,
    "store.replaced": 503,
    "store.pooler": 503,
    "store.computing": 503,
    "store.open": 503,
    "store.write": 503,
    "store.read-only": 403,
    "api.key-reused": 422,
    "access.name": 409,
    "access.unknown": 404,
    "store.quota": 422,  # as what a rule forbids: phones show the sentence, and keep the entry
    "house.unknown": 404,
    "house.setting": 422,
    "house.name": 422,
    "house.exists": 409,
    "house.list": 409,
    "webhook.address": 422,
    "webhook.name": 409,
    "webhook.unknown": 404,
    "proofs.range": 422,
    # The request is fine; its answer cannot be made.
    **dict.fromkeys(("store.gap", "store.hash", "store.name"), 409),
    **dict.fromkeys(("proofs.differs", "proofs.missing", "proofs.inserted", "proofs.moved", "proofs.checkpoint"), 409),
}
"""HTTP status by code; other codes follow the class of the error."""

PASSING = frozenset({"store.lost", "store.behind", "store.busy", "store.computing"})
"""Codes of what passes by itself, so that a client should ask again."""
SECONDS = 2
"""After how many seconds to ask again for what passes by itself."""
LATER = 30
"""After how many seconds to ask again for what somebody has to mend: a full disk, a file that was replaced."""

_IN_WORDS = {
    404: f"There is nothing at this address. {PREFIX}/ lists the operations.",
    405: f"This address does not take this method: Allow names those that it takes. {PREFIX}/ lists the operations.",
}
"""What is wrong with a request that no operation takes, and what to do next."""
_LOG = logging.getLogger("cardledger")


def title(status: int) -> str:
    """Return the HTTP name of a status."""
    return HTTP_STATUS_CODES[status]


def status_of(error: LedgerError) -> int:
    """Return the HTTP status of an error: the client's fault or the server's."""
    if error.code in STATUS:
        return STATUS[error.code]
    if isinstance(error, RuleError):
        return 422
    return 400 if isinstance(error, FormatError) else 500


def said(sentence: str) -> str:
    """Return a sentence in the language of who asks, as far as the application knows it."""
    say: Callable[[str], str] = current_app.extensions.get(SAID, str)
    return say(sentence)


def problem(status: int, code: str, detail: str, **more: Any) -> Response:
    """Return an answer of problem details: `code` is stable and meant for programs, `detail` is for people."""
    body = {
        "type": "about:blank" if code.startswith("http.") else f"{request.script_root}{PREFIX}/problems/{code}",
        "title": title(status),
        "status": status,
        "code": code,
        "detail": said(detail),
        "instance": here(),
        **more,
    }
    request.environ[CODE] = code
    if status >= 500 and (id := request.environ.get(REQUEST_ID)):
        body["request_id"] = id
    headers = {"Vary": "Accept-Language, Cookie", **asking_again(status, code)}
    return Response(json.dumps(body) + "\n", status, headers, content_type=MEDIA_TYPE)


def asking_again(status: int, code: str) -> dict[str, str]:
    """Return the header of every answer 503: after how many seconds to ask again."""
    return {"Retry-After": str(SECONDS if code in PASSING else LATER)} if status == 503 else {}


def of_ledger(error: LedgerError) -> Response:
    """Answer an error of the ledger, with all its details."""
    more = {
        name: value
        for name in ("index", "seat", "legal", "current")
        if (value := getattr(error, name, None)) not in (None, ())
    }
    log_failure(error)
    request.environ[ERROR] = error
    return problem(status_of(error), error.code, error.message, **more)


def log_failure(error: LedgerError) -> None:
    """Log an internal error, with the request id that the user can quote; what keeps tables behind is logged there."""
    if status_of(error) >= 500 and not isinstance(error, UnreadyError | BehindError):
        id = request.environ.get(REQUEST_ID)
        _LOG.error("failed", extra={"fields": {"request": id, "code": error.code, "message": error.message}})


def of_http(error: HTTPException) -> Response:
    """Answer an error of HTTP itself, such as a wrong address or method."""
    status = error.code or 500
    name = HTTP_STATUS_CODES[status].lower().replace(" ", "-")
    code = getattr(error, "problem", f"http.{name}")  # our own refusals may have a code
    ours = error.description != type(error).description  # Werkzeug's own texts are for people at a browser
    answer = problem(
        status, code, (error.description if ours else _IN_WORDS.get(status, error.description)) or title(status)
    )
    for header, value in error.get_headers():
        if header.lower() != "content-type":
            answer.headers[header] = value
    return answer


def of_validation(error: ValidationError) -> Response:
    """Answer arguments that do not fit their schema."""
    return of_faults(faults.of_validation("query", error))


def of_faults(found: Sequence[faults.Fault]) -> Response:
    """Answer a request with all its faults; the first gives the code."""
    first = found[0]
    told = [first] if first.event is not None else found[: faults.SAID]
    more = {} if first.event is None else {"index": first.event}
    return problem(
        400,
        first.code,
        "; ".join(said(fault.whole) for fault in told),
        **more,
        errors=[fault.shown() for fault in found[: faults.MOST]],
    )


def add_handlers(api: Blueprint) -> None:
    """Let the blueprint answer its errors as problem details.

    Addresses that match no route belong to no blueprint: the application hands those under the prefix to `of_http`.
    """
    api.register_error_handler(LedgerError, of_ledger)
    api.register_error_handler(sqlite3.Error, lambda error: of_ledger(unreadable(error)))
    api.register_error_handler(ValidationError, of_validation)
    api.register_error_handler(HTTPException, of_http)
