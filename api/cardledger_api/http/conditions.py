"""Conditions of a request.

The seq that the writer expects, the answer that the reader has, and the key that makes a repetition safe.
"""

from __future__ import annotations

import re
import uuid
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec
from flask import request

from cardledger.errors import ConflictError, FormatError, LedgerError
from cardledger.record.people.recorders import Recorder
from cardledger.sentence import advising
from cardledger_api.http.passage import the_notes
from cardledger_api.http.problems import problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.results import Recorded
    from cardledger.rules.engine import events as ev

MAX_KEY = 255
"""Characters an `Idempotency-Key` may have."""
_NAMESPACE = uuid.UUID("0d2f6a52-8f5b-5a0e-9f39-6a1f5d0b7e11")
_DIGEST = 8
"""Bytes of the digest in an entity tag."""
_TAGGED = (("Vary", "Accept, Authorization"), ("Cache-Control", "no-cache"))
"""Headers of an answer with a tag, unless it has others."""
_TAG = re.compile(rf'(?:W/)?("?)(\d{{1,18}})(?:\.[0-9a-f]{{{2 * _DIGEST}}})?\1', re.ASCII)


class ReusedError(LedgerError):
    """An `Idempotency-Key` was used before, with another body (`api.key-reused`)."""


def etag(seq: int) -> str:
    """Return the entity tag of a match at a seq; in an answer that shows the match, `tagged` adds a digest."""
    return f'"{seq}"'


def wanted_seqs(text: str) -> list[int] | None:
    """Return the seqs that an `If-Match` lets pass, None for any (`*`); raises FormatError `api.if-match`.

    A weak tag counts like a strong one (proxies that compress weaken tags), and the quotation marks may be missing. Of
    the tag of an answer only the seq counts: a writer must know the events, whatever else the answer showed.
    """
    if text.strip() == "*":
        return None
    tags = [_TAG.fullmatch(part.strip()) for part in text.split(",")]
    seqs = [int(tag[2]) for tag in tags if tag is not None]
    if len(seqs) != len(tags):
        raise FormatError("api.if-match", 'If-Match is an ETag, the seq in quotation marks: "12"')
    return seqs


def request_key() -> str | None:
    """Return the `Idempotency-Key` of the request, None without; raises FormatError `api.key`."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not 1 <= len(key) <= MAX_KEY:
        raise FormatError("api.key", f"an Idempotency-Key has 1 to {MAX_KEY} characters")
    return key


def id_by_key(key: str, where: str, index: int) -> str:
    """Return the id of the event at an index of a body with a key; sending the body again gives the same ids.

    The ids follow from the recorder's name, the key and the address, so the ledger itself recognises a repetition,
    after a restart and in every process.
    """
    return str(uuid.uuid5(_NAMESPACE, f"{recorder_name()}\n{where}\n{index}\n{key}"))


def with_ids(events: Sequence[ev.Event], key: str, where: str) -> list[ev.Event]:
    """Return events with the ids of their key; raises FormatError `api.key` if an event has its own id."""
    for index, event in enumerate(events):
        if event.id is not None:
            raise FormatError(
                "api.key", advising("an event with its own id needs no Idempotency-Key: leave out one of them"), index
            )
    return [msgspec.structs.replace(event, id=id_by_key(key, where, index)) for index, event in enumerate(events)]


def expect_same_body(ledger: Ledger, recorded: Recorded, key: str, where: str, length: int) -> None:
    """Refuse a key that was used before for a body of more events."""
    if recorded.new:
        return
    after = ledger.store.read(recorded.match, recorded.seq)
    if after and f'"id":"{id_by_key(key, where, length)}"' in after[0].line:
        raise reused()


def reused() -> ReusedError:
    """Return the error of a key that was used with another body."""
    return ReusedError(
        "api.key-reused", advising("this Idempotency-Key was used before with another body: choose a new key")
    )


def recorder_name() -> str:
    """Return the recorder's name, from access control."""
    return _named(the_notes())


def recorder() -> Recorder:
    """Return the recorder.

    Events from an admin may carry their own time and recorder; the admin is then noted as importer.
    """
    notes = the_notes()
    return Recorder(_named(notes), "noted" if notes.get("role") == "admin" else "refused")


def _named(notes: Any) -> str:
    asking = notes.get("asking")
    named = asking.token.name if asking is not None and asking.token is not None else None
    return notes.get("recorder") or named or "api"


def stale(error: ConflictError) -> Response:
    """Answer a failed condition, with the current entity tag."""
    answer = problem(412, error.code, error.message, current=error.current)
    answer.headers["ETag"] = etag(error.current)
    return answer


def tagged(response: Response) -> Response:
    """Give an answer a tag of its own, after the seq if it has one, or answer 304 if the client already has it.

    The seq alone would not do: users of other roles see more, and what was withheld is shown later without a new event.
    """
    digest = blake2b(response.get_data(), digest_size=_DIGEST).hexdigest()
    headers = response.headers
    there = {name.lower() for name, _ in headers}  # each question to the headers would look through them again
    seq = headers["ETag"].strip('"') if "etag" in there else ""
    tag = f"{seq}.{digest}" if seq else digest
    (headers.set if "etag" in there else headers.add)("ETag", f'"{tag}"')
    for name, value in _TAGGED:
        if name.lower() not in there:
            headers.add(name, value)
    if "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(tag):
        response.set_data(b"")
        response.status_code = 304
        del response.headers["Content-Type"]
    return response
