"""Limits for each client: the rate of requests, the server's work for it, and the size of a body."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from flask import current_app
from werkzeug.exceptions import LengthRequired, RequestEntityTooLarge, TooManyRequests, UnsupportedMediaType
from werkzeug.sansio.utils import get_content_length

from cardledger_api.http.addresses import PREFIX
from cardledger_api.http.operations import JSON, ROLES, SAFE, media_of
from cardledger_api.http.passage import passage_of, the_request
from cardledger_api.http.shared_places import RANKS
from cardledger_api.http.turns import aside, turns_of

if TYPE_CHECKING:
    from flask import Flask, Request, Response

    from cardledger_api.auth.users import Users
    from cardledger_api.http.gate import Gate

View = TypeVar("View", bound=Callable[..., object])

PLAIN = "identity"
"""The Content-Encoding of a body that is not packed."""
_COSTS = "cardledger.costs"
_ENTER = "cardledger.enter"
_LEFT = "cardledger.left"
"""Key in the WSGI environment for the headers that say what the client may still send."""
CROWD = 10_000
"""Clients that are remembered before those with full buckets are dropped."""


class Rate(NamedTuple):
    """A limit on requests, or on seconds of work: a rate in the long run, and a burst after a rest."""

    a_second: float
    burst: float


READS = Rate(200, 1000)
WRITES = Rate(50, 200)
SIGN_INS = Rate(0.2, 10)
WORK = Rate(0.4, 4)
HEAVY = Rate(0.1, 10)
LONG = 0.2
"""The mean seconds of work from which an operation counts as expensive, whatever was declared."""
METER = "cardledger.meter"
"""Key in the WSGI environment for the account that a request's work is charged to."""


@dataclass(frozen=True)
class Limits:
    """The limits of one client; None: no limit. Sizes are in bytes, `files` for match files.

    `sign_ins` are those with a wrong token. `work` limits a reader's share of the server, in seconds of processor
    time, and `heavy` the share for expensive answers: a client that has used up the second may still read everything
    else.
    """

    reads: Rate | None = READS
    writes: Rate | None = WRITES
    sign_ins: Rate | None = SIGN_INS
    work: Rate | None = WORK
    heavy: Rate | None = HEAVY
    body: int = 10_000_000
    files: int = 100_000_000

    @classmethod
    def of(cls, a_second: float) -> Limits:
        """Return the limits for a number of requests a second, a quarter of them writing; 0: no limit on either."""
        if not a_second:
            return cls(reads=None, writes=None, sign_ins=None, work=None, heavy=None)
        # A burst lets at least one whole request through, however slow the rate.
        return cls(Rate(a_second, max(5 * a_second, 1)), Rate(a_second / 4, max(a_second, 1)))


class TooOften(TooManyRequests):
    """A client sends requests faster than its limit."""

    problem = "access.rate"


class Buckets:
    """A token bucket for each client.

    A bucket is stored as the moment at which it will be full again (the "generic cell rate algorithm"), so full
    buckets need not be stored.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self._full: dict[str, float] = {}
        self._crowd = CROWD
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._full)

    def take(self, client: str, number: float = 1) -> float:
        """Take an amount from a client's bucket; return 0, or the seconds until it is there."""
        now = self._clock()
        each = 1 / self.rate.a_second
        with self._lock:
            full = max(self._full.get(client, now), now) + number * each
            # A tiny amount is ignored: sums of floats are not exact.
            wait = full - now - (self.rate.burst + 1e-6) * each
            if wait > 0:
                return wait
            self._keep(client, full, now)
        return 0

    def expect(self, client: str) -> None:
        """Refuse a client whose bucket is empty."""
        if wait := self.take(client, 0):
            raise TooOften("The server has worked too much for you; slow down.", retry_after=math.ceil(wait))

    def left(self, client: str) -> tuple[int, int]:
        """Return how much is in a client's bucket, and in how many seconds it will be full; both whole numbers."""
        empty = max(self._full.get(client, 0.0) - self._clock(), 0.0)
        return max(int(self.rate.burst - empty * self.rate.a_second), 0), math.ceil(empty)

    def charge(self, client: str, number: float) -> None:
        """Take an amount for work already done, even if it is not there; the debt is at most one bucketful."""
        now = self._clock()
        each = 1 / self.rate.a_second
        with self._lock:
            full = max(self._full.get(client, now), now) + number * each
            self._keep(client, min(full, now + 2 * self.rate.burst * each), now)

    def _keep(self, client: str, full: float, now: float) -> None:
        self._full[client] = full
        if len(self._full) > self._crowd:
            self._full = {client: full for client, full in self._full.items() if full > now}
            self._crowd = max(CROWD, 2 * len(self._full))


class Meter:
    """Charges the work for one request to the client's bucket, if it has one, and to the operation's mean."""

    def __init__(self, costs: Costs, endpoint: str | None, buckets: Buckets | None, client: str) -> None:
        self._costs, self._endpoint, self._buckets, self._client = costs, endpoint, buckets, client
        self.large: Buckets | None = None
        """The client's bucket for expensive answers, if it has one."""
        self.leave: Callable[[], None] | None = None
        """Called when an expensive answer is done."""

    def expect_large(self) -> None:
        """Charge all of the work as expensive, and this answer alone: others of the operation may be cheap."""
        if self.large is not None:
            self.large.expect(self._client)
            self._buckets = self.large
        self._endpoint = None

    def stop(self, seconds: float) -> None:
        """Note that the answer is done, and the time its work took."""
        if self.leave is not None:
            self.leave()
        self._costs.learn(self._endpoint, seconds)
        if self._buckets is not None:
            self._buckets.charge(self._client, seconds)


class Costs:
    """The cost of operations in seconds of work: a mean in which recent answers count most."""

    def __init__(self) -> None:
        self._means: dict[str, float] = {}

    def learn(self, endpoint: str | None, seconds: float) -> None:
        """Add the time of an answer."""
        if endpoint is not None:
            mean = self._means.get(endpoint, 0.0)
            self._means[endpoint] = mean + (seconds - mean) / 8

    def long(self, endpoint: str) -> bool:
        """Tell whether an operation has turned out to be expensive."""
        return self._means.get(endpoint, 0.0) > LONG


def heavy(view: View) -> View:
    """Mark a page as expensive to make."""
    view.heavy = True  # type: ignore[attr-defined]
    return view


def add_limits(app: Flask, users: Users, limits: Limits) -> None:
    """Enforce the limits on every request."""
    reads, writes, work, large = (
        Buckets(rate) if rate else None for rate in (limits.reads, limits.writes, limits.work, limits.heavy)
    )
    costs = app.extensions[_COSTS] = Costs()
    passage = passage_of(app)

    def limit(asked: Request) -> None:
        environ = asked.environ
        buckets = reads if environ["REQUEST_METHOD"] in SAFE else writes
        asking = users.asking()
        client = asking.client(asked.remote_addr or "")
        if buckets is not None:
            wait = buckets.take(client)
            if environ["PATH_INFO"].startswith(PREFIX):
                environ[_LEFT] = _in_headers("reads" if buckets is reads else "writes", buckets, client)
            if wait:
                raise TooOften("Too many requests at once; slow down.", retry_after=math.ceil(wait))
        charged = None
        endpoint = asked.endpoint
        if asking.rank < RANKS["scorer"]:  # scorers can go on recording
            charged = large if _is_heavy(app, endpoint) else work
            if charged is not None:
                charged.expect(client)
        meter = environ[METER] = Meter(costs, endpoint, charged, client)
        if asking.rank < RANKS["scorer"]:
            meter.large = large
        if environ.get("HTTP_CONTENT_ENCODING", PLAIN) != PLAIN and environ["REQUEST_METHOD"] not in SAFE:
            # A packed body may be a thousand times as large, and its size is known only after unpacking.
            raise UnsupportedMediaType("Send the body unpacked, without Content-Encoding.")
        if "HTTP_TRANSFER_ENCODING" in environ:
            # Our own server adds up chunks. With other servers, reading only up to the limit would store the beginning
            # of a match file as if it were the whole.
            raise LengthRequired
        if environ.get("CONTENT_LENGTH"):
            most = limits.body if media_of(asked) in ("", JSON) else limits.files
            if (get_content_length(environ["CONTENT_LENGTH"]) or 0) > most:
                raise RequestEntityTooLarge(f"The body may have at most {most:,} bytes.")

    def tell(asked: Request, response: Response) -> Response:
        for name, value in asked.environ.get(_LEFT, ()):
            response.headers.add(name, value)
        return response

    passage.checks.append(limit)
    passage.finishes.append(tell)


def _in_headers(name: str, buckets: Buckets, client: str) -> list[tuple[str, str]]:
    """Return the headers that say what a client may still send (draft-ietf-httpapi-ratelimit-headers)."""
    number, seconds = buckets.left(client)
    rate = buckets.rate
    policy = f'"{name}";q={int(rate.burst)};w={math.ceil(rate.burst / rate.a_second)}'
    return [("RateLimit-Policy", policy), ("RateLimit", f'"{name}";r={number};t={seconds}')]


def add_gate(app: Flask, users: Users, gate: Gate) -> None:
    """Let expensive answers through a gate; checked last, after access."""

    def enter(asked: Request) -> None:
        with aside(turns_of(app).long):  # the others go on, whatever this one waits for
            asked.environ[METER].leave = gate.enter(users.client(), users.rank())

    def enter_if_heavy(asked: Request) -> None:
        if _is_heavy(app, asked.endpoint):
            users.require(getattr(app.view_functions[asked.endpoint or ""], "role", ROLES[0]))
            enter(asked)

    app.extensions[_ENTER] = enter
    passage_of(app).checks.append(enter_if_heavy)


def expensive_now() -> None:
    """Make this answer an expensive one from here on: it passes the gate, and its work is charged as such.

    For an operation that has to compute what is usually there. Raises what the gate and the limits raise.
    """
    asked = the_request()
    meter: Meter | None = asked.environ.get(METER)
    if meter is not None and meter.leave is None:
        meter.expect_large()
        current_app.extensions[_ENTER](asked)


def _is_heavy(app: Flask, endpoint: str | None) -> bool:
    """Tell whether the answers of an endpoint are expensive to make."""
    if endpoint is None:
        return False
    costs: Costs = app.extensions[_COSTS]
    return getattr(app.view_functions.get(endpoint), "heavy", False) or costs.long(endpoint)
