"""Viewers of a live stream by the thousand, in one thread of this process: when what came to whom."""

from __future__ import annotations

import re
import socket
import time
from selectors import EVENT_READ, DefaultSelector
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_EVENT = re.compile(rb"id: (\d+)\ndata: ")


class Viewers:
    """Connections that follow one path or several in turn, from several clients of this computer (127.0.1.1, 127.0.1.2, …)."""

    def __init__(self, address: str, paths: str | Sequence[str], number: int, clients: int, headers: str = "") -> None:
        split = urlsplit(address)
        self.selector = DefaultSelector()
        self.came: list[dict[int, float]] = [{} for _ in range(number)]
        """When which event came, by viewer."""
        self.begun: set[int] = set()
        """The viewers that have received the beginning of a stream."""
        self.lost = 0
        self._texts = [b""] * number
        paths = [paths] if isinstance(paths, str) else paths
        # HTTP/1.0 has no pieces with their lengths in front.
        heads = [f"GET /api/v1{path} HTTP/1.0\r\nHost: {split.netloc}\r\n{headers}\r\n".encode() for path in paths]
        for viewer in range(number):
            line = socket.socket()
            line.bind((f"127.0.1.{1 + viewer % clients}", 0))
            line.connect((str(split.hostname), int(split.port or 0)))
            line.sendall(heads[viewer % len(heads)])
            line.setblocking(False)
            self.selector.register(line, EVENT_READ, viewer)

    def close(self) -> None:
        """Hang up."""
        for key in [*self.selector.get_map().values()]:
            key.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()

    def listen(self, done: Callable[[], bool], seconds: float) -> None:
        """Take in what comes until something is so, or time is up."""
        until = time.monotonic() + seconds
        while not done() and (left := until - time.monotonic()) > 0:
            for key, _ in self.selector.select(min(left, 0.1)):
                try:
                    data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                except ConnectionError:
                    data = b""
                now = time.monotonic()
                if not data:
                    self.lost += 1
                    self.selector.unregister(key.fileobj)
                    continue
                *blocks, self._texts[key.data] = (self._texts[key.data] + data).split(b"\n\n")
                for block in blocks:
                    if b"\nretry: " in block:  # behind the headers
                        self.begun.add(key.data)
                    elif found := _EVENT.match(block):
                        self.came[key.data][int(found[1])] = now

    def have(self, id: int) -> int:
        """Return to how many viewers an event has come."""
        return sum(id in came for came in self.came)
