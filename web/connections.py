"""Connections: as many as there are files to spare, and none that holds up others by dawdling."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from socket import SHUT_RDWR
from typing import TYPE_CHECKING, NamedTuple

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

try:
    from resource import RLIMIT_NOFILE, getrlimit
except ImportError:  # not on Windows
    getrlimit = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from waitress.server import BaseWSGIServer

MOST = 1000
"""Connections that may be open at once, if the system grants twice as many files."""
PATIENCE = 30.0
"""Seconds that are looked at: whoever moves less than `SLOWEST` bytes a second meanwhile is hung up on."""
SLOWEST = 1000
HEADERS = 64 * 1024
"""Bytes that the headers of a request may have, and whatever stands between and after the pieces of its body."""
IDLE = 60
"""Seconds that a connection is kept for the next request."""
AHEAD = 4 * 1024 * 1024
"""Bytes of an answer that are made before its client takes the first; the thread that makes more of it waits."""
WAITING = 4
"""Threads that may wait at once for clients to read: beyond that, who has not read for longest is hung up on."""


class Mark(NamedTuple):
    """What was moved by a moment, of what."""

    since: float
    moved: int
    of: object


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """What is received of a request; one that breaks off has a path too, for the log."""

    path = ""


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection, and how fast it comes on."""

    parser_class = Parser
    moved = 0
    mark: Mark | None = None

    def recv(self, size: int) -> bytes:
        """Count what is received."""
        data: bytes = super().recv(size)
        self.moved += len(data)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Count what is sent."""
        sent: int = super().send(data, do_close=do_close)
        self.moved += sent
        return sent

    def received(self, data: bytes) -> bool:
        """Take in data; what stands between the pieces of a body has an end, or putting it together would never."""
        taken: bool = super().received(data)
        body = getattr(self.request, "body_rcv", None)
        if len(getattr(body, "control_line", b"")) + len(getattr(body, "trailer", b"")) > HEADERS:
            self.hang_up()
        return taken

    def dawdles(self, now: float, patience: float) -> bool:
        """Tell whether the other side lets us wait: for the rest of its request, or to take its answer."""
        # Not readable: it is we who do not want to hear more just now.
        of = "answer" if self.total_outbufs_len else self.request if self.readable() else None
        mark = self.mark
        if of is None:
            self.mark = None
        elif mark is None or mark.of is not of:
            self.mark = Mark(now, self.moved, of)
        elif now - mark.since >= patience:
            if self.moved - mark.moved < patience * SLOWEST or not getattr(of, "headers_finished", True):
                return True
            self.mark = Mark(now, self.moved, of)
        return False

    def hang_up(self) -> None:
        """End the connection, whatever the other side does; to be called from any thread."""
        self.will_close = True
        # To close when the socket can be written to would be to wait for the other side to read.
        with suppress(OSError):
            self.socket.shutdown(SHUT_RDWR)
        self.server.pull_trigger()

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Wait for the client to read, if so much of the answer is there already; the application goes on then."""
        if self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return
        with self.server.waiting_lock:
            self.server.waiting.append(self)
            slowest = self.server.waiting[0] if len(self.server.waiting) > WAITING else None
        if slowest is not None:
            slowest.hang_up()
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            with self.server.waiting_lock:
                self.server.waiting.remove(self)


def settings() -> dict[str, int | bool]:
    """Return how waitress is to treat connections."""
    files = getrlimit(RLIMIT_NOFILE)[0] if getrlimit is not None else 2 * MOST
    return {
        # Beyond what the system grants, accepting fails again and again; large bodies and answers are files too.
        "connection_limit": MOST if files < 0 else min(MOST, files // 2),
        "channel_timeout": IDLE,
        "cleanup_interval": 1,
        "max_request_header_size": HEADERS,
        "outbuf_high_watermark": AHEAD,
        "asyncore_use_poll": True,  # select() knows no file beyond the 1024th
    }


def watch(server: BaseWSGIServer, patience: float = PATIENCE) -> None:
    """Let a server hang up on those who dawdle."""
    server.channel_class = Channel
    server.waiting, server.waiting_lock = [], threading.Lock()
    close_idle = server.maintenance

    def maintenance(now: float) -> None:
        close_idle(now)
        clock = time.monotonic()
        for channel in [*server.active_channels.values()]:
            if channel.dawdles(clock, patience):
                channel.hang_up()

    server.maintenance = maintenance
