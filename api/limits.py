"""Limits: how often a client may ask, and how much it may send at once."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from flask import request
from werkzeug.exceptions import LengthRequired, RequestEntityTooLarge, TooManyRequests, UnsupportedMediaType

from api.access import SAFE
from api.operations import JSON

if TYPE_CHECKING:
    from flask import Flask

    from api.access import Access

PLAIN = "identity"
"""The Content-Encoding of a body that is sent as it is."""
_CROWD = 10_000
"""How many clients are remembered before those are forgotten that need no remembering."""


class Rate(NamedTuple):
    """Requests a second in the long run, and at once after a rest."""

    a_second: float
    burst: float


READS = Rate(200, 1000)
WRITES = Rate(50, 200)
SIGN_INS = Rate(0.2, 10)


@dataclass(frozen=True)
class Limits:
    """What one client may do; None: as often as it likes. Sizes are in bytes, `files` for match files.

    `sign_ins` are those with a wrong token.
    """

    reads: Rate | None = READS
    writes: Rate | None = WRITES
    sign_ins: Rate | None = SIGN_INS
    body: int = 10_000_000
    files: int = 100_000_000

    @classmethod
    def of(cls, a_second: float) -> Limits:
        """Return the limits for so many requests a second, a quarter of them writing; 0 for no limit on either."""
        if not a_second:
            return cls(reads=None, writes=None, sign_ins=None)
        # A burst lets at least one whole request through, however slow the rate.
        return cls(Rate(a_second, max(5 * a_second, 1)), Rate(a_second / 4, max(a_second, 1)))


class TooOften(TooManyRequests):
    """A client asks more often than it may."""

    problem = "access.rate"


class Buckets:
    """A token bucket for each client.

    It is kept as the one moment at which it will be full again (the "generic cell rate algorithm"), so buckets that
    are full need not be kept at all.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self._full: dict[str, float] = {}
        self._crowd = _CROWD
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._full)

    def take(self, client: str) -> float:
        """Take one from a client's bucket; return 0, or in how many seconds there will be one if it is empty."""
        now = self._clock()
        each = 1 / self.rate.a_second
        with self._lock:
            full = max(self._full.get(client, now), now) + each
            # A hair is forgiven: sums of floats are not exact.
            wait = full - now - (self.rate.burst + 1e-6) * each
            if wait > 0:
                return wait
            self._full[client] = full
            if len(self._full) > self._crowd:
                self._full = {client: full for client, full in self._full.items() if full > now}
                self._crowd = max(_CROWD, 2 * len(self._full))
        return 0


def add_limits(app: Flask, access: Access, limits: Limits) -> None:
    """Hold every request to the limits."""
    reads, writes = (Buckets(rate) if rate else None for rate in (limits.reads, limits.writes))

    @app.before_request
    def _limit() -> None:
        environ = request.environ
        buckets = reads if environ["REQUEST_METHOD"] in SAFE else writes
        if buckets is not None and (wait := buckets.take(access.client())):
            raise TooOften("So many requests at once are too many; slow down.", retry_after=math.ceil(wait))
        if environ.get("HTTP_CONTENT_ENCODING", PLAIN) != PLAIN and environ["REQUEST_METHOD"] not in SAFE:
            # What is packed may be a thousand times as large, and nobody would know before it is unpacked.
            raise UnsupportedMediaType("The body is to be sent as it is, not packed.")
        if "HTTP_TRANSFER_ENCODING" in environ:
            # Our own server adds up what comes in pieces; of what others pass on, reading to the limit and no further
            # would store the beginning of a match file as if it were the whole.
            raise LengthRequired
        if environ.get("CONTENT_LENGTH"):
            most = limits.body if request.mimetype in ("", JSON) else limits.files
            if (request.content_length or 0) > most:
                raise RequestEntityTooLarge(f"The body may have {most:,} bytes.")
