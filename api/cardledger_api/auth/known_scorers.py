"""Known scorers.

What their requests begin with, so that a server can give them threads before it looks at them closely.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask

KEY = "cardledger.known-scorers"
MOST = 1000
"""Scorers that are remembered: those who came last."""


class KnownScorers:
    """What the last request of each scorer was signed with; it decides who waits, and never who may do what.

    Each request is checked on its own all the same. One who is no scorer any more is forgotten with the first one.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def learn(self, environ: WSGIEnvironment, scorer: bool) -> None:
        """Note whether the user of a request is a scorer."""
        signed = _signed(environ.get("HTTP_AUTHORIZATION"), environ.get("HTTP_COOKIE"))
        if signed is None or (signed in self._known) == scorer:
            return
        with self._lock:
            if not scorer:
                self._known.pop(signed, None)
                return
            self._known[signed] = None
            while len(self._known) > MOST:
                self._known.popitem(last=False)

    def sent(self, headers: Mapping[str, str]) -> bool:
        """Tell whether the last request with the same signature came from a scorer.

        `headers` as the server names them.
        """
        signed = _signed(headers.get("AUTHORIZATION"), headers.get("COOKIE"))
        return signed is not None and signed in self._known


def _signed(authorization: str | None, cookie: str | None) -> bytes | None:
    """Return a digest of what shows who asks: no text of a token is kept."""
    text = authorization or cookie
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() if text else None


def known_of(app: Flask) -> KnownScorers:
    """Return those that an application knows."""
    known: KnownScorers = app.extensions.setdefault(KEY, KnownScorers())
    return known
