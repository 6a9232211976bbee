"""A load generator that costs little beside the servers it measures: one thread, plain sockets, connections kept open."""

from __future__ import annotations

import gc
import selectors
import socket
import time
from statistics import median, quantiles
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LENGTH = b"content-length: "


class Load(NamedTuple):
    """What a load showed: requests a second, and how many seconds each answer took."""

    rate: float
    seconds: list[float]

    @property
    def median(self) -> float:
        """The seconds that half of the answers took at most."""
        return median(self.seconds)

    @property
    def p99(self) -> float:
        """The seconds that 99 of 100 answers took at most."""
        return quantiles(self.seconds, n=100)[98]


class Caller:
    """A connection and its requests, each sent after the answer to the last."""

    def __init__(self, address: str, requests: Iterator[bytes]) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = requests
        self._got = b""
        self._whole = 0  # bytes of the answer under way, 0 as long as its head is not there

    def ask(self) -> None:
        """Send the next request."""
        self._got, self._whole = b"", 0
        self.socket.sendall(next(self._requests))

    def answered(self) -> bool:
        """Take in what has come; tell whether the answer is whole. It must say that all is well."""
        some = self.socket.recv(65536)
        assert some, f"the server hung up: {self._got!r}"
        self._got += some
        if not self._whole:
            end = self._got.find(b"\r\n\r\n") + 4
            if end < 4:
                return False
            head = self._got[:end].lower()
            assert head.startswith(b"http/1.1 20"), self._got
            at = head.index(_LENGTH) + len(_LENGTH)
            self._whole = end + int(head[at : head.index(b"\r", at)])
        return len(self._got) >= self._whole

    def body(self) -> bytes:
        """Send the next request, wait for the answer, and return what it says."""
        self.ask()
        while not self.answered():
            pass
        return self._got.partition(b"\r\n\r\n")[2]


def request(method: str, path: str, headers: str = "", body: bytes = b"") -> bytes:
    """Return a request as it is sent; `headers` are whole lines."""
    kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}{kind}\r\n".encode() + body


def load(callers: Sequence[Caller], answers: int) -> Load:
    """Let callers ask again as soon as they are answered, until there are so many answers in all."""
    found: list[float] = []
    asked: dict[Caller, float] = {}
    clock = time.perf_counter
    gc.disable()
    with selectors.DefaultSelector() as selector:
        for caller in callers:
            selector.register(caller.socket, selectors.EVENT_READ, caller)
        start = clock()
        for caller in callers:
            asked[caller] = clock()
            caller.ask()
        left = answers - len(callers)
        while asked:
            for key, _ in selector.select():
                caller = key.data
                if caller.answered():
                    now = clock()
                    found.append(now - asked.pop(caller))
                    if left > 0:
                        left -= 1
                        asked[caller] = now
                        caller.ask()
        spent = clock() - start
    gc.enable()
    return Load(len(found) / spent, found)
