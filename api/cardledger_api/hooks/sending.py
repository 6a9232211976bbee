"""Sending one message to a webhook: signed, within a time limit, to the address that was checked."""

from __future__ import annotations

import hmac
import socket
import ssl
import time
from base64 import b64decode, b64encode
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit
from uuid import uuid4

from cardledger.errors import LedgerError
from cardledger_api.beside.times import utc_now, written
from cardledger_api.hooks.hooks import PREFIX
from cardledger_api.hooks.public_address import expect_public

if TYPE_CHECKING:
    from cardledger_api.hooks.hook import Hook
    from cardledger_api.hooks.hooks import Hooks

LIMIT = 10.0
"""Seconds that a delivery may take."""
_LONG = 200
"""Characters of an error that are kept."""


class Answer(NamedTuple):
    """The answer to a message: its status, or why there is none."""

    status: int | None
    error: str | None = None
    body: bytes = b""

    @property
    def taken(self) -> bool:
        """Whether the receiver has the message."""
        return self.status is not None and 200 <= self.status < 300


class Send(Protocol):
    """Sends a message to an address."""

    def __call__(self, url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Answer:
        """Return the answer."""
        ...


def send(by: Send, hook: Hook, type: str, id: str, data: str, now: float, *, private: bool) -> Answer:
    """Send a message with data, as JSON and signed, to a webhook.

    One that is sent again has the same id: it may have been taken.
    """
    body = f'{{"type": "{type}", "timestamp": "{written(utc_now())}", "data": {data}}}'.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "cardledger",
        "webhook-id": id,
        "webhook-timestamp": str(int(now)),
        "webhook-signature": signature(hook.secret, id, int(now), body),
    }
    return by(hook.url, body, headers, private=private)


class Test(NamedTuple):
    """How sending a test message went: when it was sent, the answer, and the time that took in milliseconds."""

    at: str
    answer: Answer
    ms: int


def tested(hooks: Hooks, hook: Hook) -> Test:
    """Send a message without events to a webhook, of type `test`; it is not logged, and not sent again."""
    at, began = written(utc_now()), time.monotonic()
    data, now = f'{{"position": {hook.position}, "events": []}}', hooks.store.clock()
    answer = send(post, hook, "test", f"{hook.id}-test-{uuid4()}", data, now, private=hooks.private)
    return Test(at, answer, round(1000 * (time.monotonic() - began)))


def signature(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message as the Standard Webhooks specification has it.

    >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    key = b64decode(secret.removeprefix(PREFIX))
    return "v1," + b64encode(hmac.digest(key, b"%s.%d.%s" % (id.encode(), timestamp, body), "sha256")).decode()


def post(
    url: str, body: bytes, headers: dict[str, str], *, private: bool, limit: float = LIMIT, most: int = 0
) -> Answer:
    """Send a message, following no redirect; without `private` not to this computer or its network.

    Of the answer `most` bytes are read.
    """
    late = Answer(None, f"no answer within {limit:g} seconds")
    until = time.monotonic() + limit
    try:
        with closing(_connection(url, private, limit)) as connection:
            # A timeout of the socket starts again with every byte, so one for the whole delivery ends it.
            end = Timer(until - time.monotonic(), _hang_up, (connection.sock,))
            end.start()
            try:
                parts = urlsplit(url)
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("POST", path, body, headers)
                answer = connection.getresponse()
                return Answer(answer.status, None, answer.read(most) if most else b"")
            finally:
                end.cancel()
    except LedgerError as error:
        return Answer(None, error.message)
    except TimeoutError:
        return late
    except (OSError, HTTPException, UnicodeError) as error:
        return (
            late
            if time.monotonic() >= until
            else Answer(None, (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:_LONG])
        )


def _connection(url: str, private: bool, limit: float) -> HTTPConnection:
    """Return a connection to one of the addresses of a server.

    All of which were checked after its name was looked up.
    """
    parts = urlsplit(url)
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in found:
        expect_public(address, private=private)
    connection = HTTPConnection(host, port, timeout=limit)
    line = socket.create_connection((found[0], port), limit)
    try:
        connection.sock = ssl.create_default_context().wrap_socket(line, server_hostname=host) if secure else line
    except BaseException:
        line.close()
        raise
    return connection


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
