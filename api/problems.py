"""Errors as problem details (RFC 9457): one JSON shape for everything that can go wrong."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, Any

from flask import Response, json, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from ledger.errors import FormatError, LedgerError, RuleError
from ledger.store.file import unreadable

if TYPE_CHECKING:
    from flask import Blueprint

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "cardledger.request-id"
"""Where in its environment a request has the id by which the log knows it."""
CODE = "cardledger.code"
"""Where in its environment a request says which problem it was answered with."""
STATUS = {
    "store.unknown": 404,
    "store.conflict": 409,
    "store.duplicate": 409,
    "store.differs": 409,
    "store.erased": 409,
    "store.empty": 400,
    "store.lost": 503,
    "api.key-reused": 422,
    "proofs.range": 422,
    # It is not the request that is wrong, but what it would have to be answered with.
    **dict.fromkeys(("store.gap", "store.hash", "store.name"), 409),
    **dict.fromkeys(("proofs.differs", "proofs.missing", "proofs.inserted", "proofs.moved", "proofs.checkpoint"), 409),
}
"""HTTP status by code; codes that are not here go by the family of the error."""

_LOG = logging.getLogger("cardledger")


def title(status: int) -> str:
    """Return what HTTP calls a status."""
    return HTTP_STATUS_CODES[status]


def status_of(error: LedgerError) -> int:
    """Return the HTTP status that says whose fault an error is."""
    if error.code in STATUS:
        return STATUS[error.code]
    if isinstance(error, RuleError):
        return 422
    return 400 if isinstance(error, FormatError) else 500


def problem(status: int, code: str, detail: str, **more: Any) -> Response:
    """Return an answer of problem details; `code` is stable and meant for programs."""
    body = {
        "type": "about:blank",
        "title": title(status),
        "status": status,
        "code": code,
        "detail": detail,
        "instance": request.path,
        **more,
    }
    request.environ[CODE] = code
    if status >= 500 and (id := request.environ.get(REQUEST_ID)):
        body["request_id"] = id
    return Response(json.dumps(body) + "\n", status, content_type=MEDIA_TYPE)


def of_ledger(error: LedgerError) -> Response:
    """Answer an error of the ledger, with what it knows beyond its code."""
    more = {
        name: value
        for name in ("index", "seat", "legal", "current")
        if (value := getattr(error, name, None)) not in (None, ())
    }
    log_failure(error)
    return problem(status_of(error), error.code, error.message, **more)


def log_failure(error: LedgerError) -> None:
    """Log an error that is ours to mend, with the id that whoever asked can quote."""
    if status_of(error) >= 500:
        id = request.environ.get(REQUEST_ID)
        _LOG.error("failed", extra={"told": {"request": id, "code": error.code, "message": error.message}})


def of_http(error: HTTPException) -> Response:
    """Answer what HTTP itself refuses, such as a wrong address or method."""
    status = error.code or 500
    name = HTTP_STATUS_CODES[status].lower().replace(" ", "-")
    code = getattr(error, "problem", f"http.{name}")  # what we refuse ourselves may have a code of its own
    answer = problem(status, code, error.description or HTTP_STATUS_CODES[status])
    for header, value in error.get_headers():
        if header.lower() != "content-type":
            answer.headers[header] = value
    return answer


def of_validation(error: ValidationError) -> Response:
    """Answer arguments that do not fit their schema."""
    details = "; ".join(f"{name}: {' '.join(said)}" for name, said in error.messages_dict.items())
    return problem(400, "format.value", details)


def add_handlers(api: Blueprint) -> None:
    """Let the blueprint answer its errors as problem details.

    Addresses that match no route belong to no blueprint: whoever mounts the API hands those under its prefix
    to `of_http`.
    """
    api.register_error_handler(LedgerError, of_ledger)
    api.register_error_handler(sqlite3.Error, lambda error: of_ledger(unreadable(error)))
    api.register_error_handler(ValidationError, of_validation)
    api.register_error_handler(HTTPException, of_http)
