"""Answers are packed for the way, where they hold no secret.

A packed answer's length tells how much of it repeats. Who can make a signed-in browser ask again and again, with a text
of their own that the answer repeats, reads its secrets from the lengths (BREACH). So an answer is packed only if
the client has shown no token and no session, and so sees what anybody sees, or if its view says that it is free of
secrets. Streams are never packed: their events shall come at once.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cardledger_api.auth.users import ASKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

Pack = Callable[[bytes, bool], bytes]
"""Packs bytes; True: as small as can be, however long it takes."""
LEAST, MOST = 1_000, 8_000_000
"""Bytes of an answer that is packed: a smaller one fits into a packet anyway, a larger one would take too long."""
_FREE = "cardledger.free-of-secrets"
_TEXTS = re.compile(
    r"text/(?!event-stream)|application/(json|problem\+json|x-ndjson|xml|atom\+xml|manifest\+json)|image/svg"
)
_PACKED_TAG = re.compile(r'-(?:gzip|br)(?=")')


def _brotli() -> dict[str, Pack]:
    """Return the packer of Brotli, if its package is installed."""
    if find_spec("brotli") is None:
        return {}
    compress = import_module("brotli").compress
    return {"br": lambda body, best: compress(body, quality=9 if best else 4)}


ENCODINGS: dict[str, Pack] = {
    **_brotli(),
    "gzip": lambda body, best: gzip.compress(body, 9 if best else 5, mtime=0),
}
"""What answers are packed with, the best first."""


def encoded(body: bytes, encoding: str, *, best: bool = False) -> bytes:
    """Return bytes packed in an encoding of `ENCODINGS`."""
    return ENCODINGS[encoding](body, best)


def wanted_encoding(accepted: str | None) -> str | None:
    """Return the best encoding that a client accepts by name, None if there is none.

    >>> wanted_encoding("deflate, gzip;q=0.5"), wanted_encoding("gzip;q=0, identity"), wanted_encoding(None)
    ('gzip', None, None)
    """
    if not accepted or len(accepted) > 200:
        return None
    taken = set()
    for part in accepted.split(","):
        name, _, weight = part.partition(";")
        if not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight):
            taken.add(name.strip().lower())
    return next((encoding for encoding in ENCODINGS if encoding in taken), None)


def free_of_secrets(environ: WSGIEnvironment) -> None:
    """Say that the answer to a request is the same for everybody, so that it may be packed and kept."""
    environ[_FREE] = True


def is_free_of_secrets(environ: WSGIEnvironment) -> bool:
    """Tell whether the view said that its answer is the same for everybody."""
    return _FREE in environ


def add_compression(app: Flask) -> None:
    """Pack answers on their way out."""
    answer = app.wsgi_app

    def packing(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        held = _unpacked_tags(environ)
        begun: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            begun[:] = status, headers, error
            return lambda _: None

        body = answer(environ, start)
        if not begun:
            raise RuntimeError("an answer without a beginning")
        status, headers, error = begun
        if status.startswith("304") and held:
            headers = _with_tag(headers, held)
        elif may_be_packed(environ, status, headers):
            encoding = wanted_encoding(environ.get("HTTP_ACCEPT_ENCODING"))
            headers = [*headers, ("Vary", "Accept-Encoding")]
            if encoding is not None:
                body, headers = _packed(body, headers, encoding)
        start_response(status, headers, *error)
        return body

    app.wsgi_app = packing  # type: ignore[method-assign]


def _unpacked_tags(environ: WSGIEnvironment) -> str:
    """Take the encoding off the tags that a request names.

    The application knows them without. Return it, if there was one.
    """
    held = ""
    for key in ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH"):
        if (given := environ.get(key)) and (found := _PACKED_TAG.search(given)):
            held = found[0]
            environ[key] = _PACKED_TAG.sub("", given)
    return held


def may_be_packed(environ: WSGIEnvironment, status: str, headers: list[tuple[str, str]]) -> bool:
    """Tell whether an answer is a whole text without secrets."""
    if environ["REQUEST_METHOD"] != "GET" or not status.startswith("200"):
        return False
    # Most answers of programs are too short, and shall not cost more for being looked at.
    length = next((value for name, value in headers if name == "Content-Length"), "")
    if not (length.isdigit() and LEAST <= int(length) <= MOST):
        return False
    named = {name.lower(): value for name, value in headers}
    return (
        not named.keys() & {"content-encoding", "content-range", "set-cookie"}
        and _TEXTS.match(named.get("content-type", "")) is not None
        and (is_free_of_secrets(environ) or _by_nobody(environ))
    )


def _by_nobody(environ: WSGIEnvironment) -> bool:
    """Tell whether a request was found to be nobody's: one that nobody looked at may have shown anything."""
    asking = environ.get(ASKING)
    return asking is not None and asking.token is None and "HTTP_AUTHORIZATION" not in environ


def _packed(
    body: Iterable[bytes], headers: list[tuple[str, str]], encoding: str
) -> tuple[list[bytes], list[tuple[str, str]]]:
    """Return an answer in an encoding: other bytes, so another length and another tag."""
    try:
        whole = encoded(b"".join(body), encoding)
    finally:
        if hasattr(body, "close"):
            body.close()
    kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
    more = [("Content-Length", str(len(whole))), ("Content-Encoding", encoding)]
    return [whole], _with_tag([*kept, *more], f"-{encoding}")


def _with_tag(headers: list[tuple[str, str]], held: str) -> list[tuple[str, str]]:
    """Return headers with the encoding in their entity tag."""
    return [
        (name, f'{value[:-1]}{held}"' if name.lower() == "etag" and value.endswith('"') else value)
        for name, value in headers
    ]
