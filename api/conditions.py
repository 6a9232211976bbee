"""Conditions of a request: at which seq the writer believes a match to be, and the key that makes a repetition safe."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import msgspec
from flask import g, request

from api.problems import problem
from ledger.errors import ConflictError, FormatError, LedgerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Response

    from ledger import events as ev
    from ledger.ledger import Ledger
    from ledger.outcomes import Recorded

MAX_KEY = 255
"""Characters an `Idempotency-Key` may have."""
_NAMESPACE = uuid.UUID("0d2f6a52-8f5b-5a0e-9f39-6a1f5d0b7e11")
_TAG = re.compile(r'(?:W/)?("?)(\d{1,18})\1', re.ASCII)


class ReusedError(LedgerError):
    """An `Idempotency-Key` was used before, with another body (`api.key-reused`)."""


def etag(seq: int) -> str:
    """Return the entity tag of a match at a seq."""
    return f'"{seq}"'


def wanted_seqs(text: str) -> list[int] | None:
    """Return the seqs that an `If-Match` lets pass, None for any (`*`); raises FormatError `api.if-match`.

    A weak tag counts like a strong one (proxies that compress weaken tags), and the quotation marks may lack.
    """
    if text.strip() == "*":
        return None
    found = [_TAG.fullmatch(part.strip()) for part in text.split(",")]
    seqs = [int(tag[2]) for tag in found if tag is not None]
    if len(seqs) != len(found):
        raise FormatError("api.if-match", 'If-Match is the ETag of the match, its seq in quotation marks: "12"')
    return seqs


def request_key() -> str | None:
    """Return the `Idempotency-Key` of the request, None without; raises FormatError `api.key`."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= MAX_KEY:
        raise FormatError("api.key", f"an Idempotency-Key has 1 to {MAX_KEY} characters")
    return key


def id_by_key(key: str, where: str, index: int) -> str:
    """Return the id of the event at a place of a body with a key: whoever sends it again makes the same ids.

    Ids follow from the recorder's name, the key and where it was sent to, so the ledger itself knows a repetition,
    after a restart and in every process.
    """
    return str(uuid.uuid5(_NAMESPACE, f"{recorder()}\n{where}\n{index}\n{key}"))


def with_ids(events: Sequence[ev.Event], key: str, where: str) -> list[ev.Event]:
    """Return events with the ids of their key; raises FormatError `api.key` where one has an id of its own."""
    for index, event in enumerate(events):
        if event.id is not None:
            raise FormatError(
                "api.key", "an event with an id of its own needs no Idempotency-Key: leave out one of them", index
            )
    return [msgspec.structs.replace(event, id=id_by_key(key, where, index)) for index, event in enumerate(events)]


def expect_same_body(ledger: Ledger, recorded: Recorded, key: str, where: str, length: int) -> None:
    """Refuse a key that was used for a body of more events before."""
    if recorded.new:
        return
    after = ledger.store.read(recorded.match, recorded.seq)
    if after and f'"id":"{id_by_key(key, where, length)}"' in after[0].line:
        raise reused()


def reused() -> ReusedError:
    """Return the error of a key that was used with another body."""
    return ReusedError("api.key-reused", "this Idempotency-Key was used before, with another body")


def recorder() -> str:
    """Return who records, as access control says."""
    asking = g.get("asking")
    named = asking.token.name if asking is not None and asking.token is not None else None
    return g.get("recorder") or named or "api"


def stale(error: ConflictError) -> Response:
    """Answer a condition that no longer holds, with the entity tag that does."""
    answer = problem(412, error.code, error.message, current=error.current)
    answer.headers["ETag"] = etag(error.current)
    return answer


def not_modified(response: Response, seq: int) -> Response:
    """Answer 304 instead where the client has this seq already."""
    if request.if_none_match.contains_weak(str(seq)):
        response.set_data(b"")
        response.status_code = 304
        del response.headers["Content-Type"]
    return response
