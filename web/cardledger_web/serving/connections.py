"""Connections: as many as free files allow, and slow ones cannot hold up others."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import suppress
from socket import SHUT_RDWR
from typing import TYPE_CHECKING, Any, NamedTuple

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.task import WSGITask

from cardledger_api.http.streams import STREAM
from cardledger_web.serving.open_files import raise_limit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from waitress.server import BaseWSGIServer

    from cardledger_api.http.streams import LiveStream
    from cardledger_web.serving.broadcaster import Body
    from cardledger_web.serving.broadcasters import Broadcasters

MOST = 1000
"""Connections that may be open at once, beside live streams, if the system grants four times as many files."""
SPARE = 10
"""How far below that limit an old connection is closed for each new one."""
STREAMS = 2000
"""Live streams that may be open at once, if the system grants twice as many files."""
PATIENCE = 30.0
"""Length of the period, in seconds, in which a connection must move at least `SLOWEST` bytes a second."""
SLOWEST = 1000
HEADERS = 64 * 1024
"""The greatest size of a request's headers, and of the data between and after the chunks of its body."""
_PIECE = 1024
"""Bytes of a body in chunks that are taken in at a time."""
IDLE = 60
"""Seconds that an idle connection stays open."""
AHEAD = 4 * 1024 * 1024
"""Bytes of an answer that are made ahead of its client; then the thread waits."""
LONG = 5.0
"""Seconds that a thread may wait for a slow client while others wait for an expensive answer."""
WAITING = 4
"""Threads that may wait for slow clients at once.

Beyond that, the client that has not read for longest is disconnected.
"""


class Mark(NamedTuple):
    """The bytes moved up to a moment, of a request or an answer."""

    since: float
    moved: int
    of: object


class Handed(NamedTuple):
    """A live stream, its answer, and whether its pieces are sent chunked."""

    stream: LiveStream
    body: Body
    chunked: bool


class Chunks(ChunkedReceiver):  # type: ignore[misc]
    """Takes in a body sent in chunks; many small ones, of one byte, say, cost little more than one large one.

    What is left is copied after every chunk, and each chunk would be written to a file by itself.
    """

    buf: Any
    """What the body is written to."""

    def received(self, data: bytes) -> int:
        """Take in data, short pieces of it at a time; return how many bytes belong to this body."""
        buffer = self.buf
        pieces: list[bytes] = []
        self.buf, taken = pieces, 0
        while taken < len(data) and not (self.completed or self.error):
            taken += super().received(data[taken : taken + _PIECE])
        self.buf = buffer
        if pieces:
            buffer.append(b"".join(pieces))
        return taken


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses a request; one that breaks off has a path too, for the log."""

    path = ""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers.

        If the length of the body is in doubt, raise ParsingError, and the connection is closed: a proxy in front may
        have used the other of two headers, and taken the rest for another request.
        """
        super().parse_header(header_plus)
        if self.chunked:
            self.body_rcv: Any = Chunks(self.body_rcv.buf)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length must not be sent with Transfer-Encoding")
        if "TRANSFER_ENCODING" in self.headers:  # for HTTP/1.1 waitress removes it
            raise ParsingError("Transfer-Encoding needs HTTP/1.1")


_HANDED = "cardledger.handed"
"""Key in the WSGI environment for the answer that the broadcaster will send."""


def without_streams(app: WSGIApplication) -> WSGIApplication:
    """Return an application that sets live streams aside and answers with an empty body instead."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = app(environ, start_response)
        if STREAM not in environ:
            return body
        environ[_HANDED] = body
        return []

    return answer


class Task(WSGITask):  # type: ignore[misc]
    """One request; for a live stream, only the headers are sent from here."""

    def service(self) -> None:
        """Answer; close a stream whose client has gone. A server that leaves answers once more on each connection."""
        if self.channel.server.leaving:
            self.request.headers["CONNECTION"] = "close"
        try:
            super().service()
        finally:
            if body := self._handed():
                body.close()

    def finish(self) -> None:
        """Send the end of an answer, or hand the stream over."""
        if _HANDED not in self.environ:
            super().finish()
            return
        self.write(b"")
        self.channel.follow(self.environ[STREAM], self._handed(), self.chunked_response)

    def _handed(self) -> Body | None:
        body: Body | None = self.environ and self.environ.pop(_HANDED, None)
        return body


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection, and its speed."""

    parser_class = Parser
    task_class = Task
    socket: Any
    moved = 0
    mark: Mark | None = None
    hung_up = False
    waits_since = 0.0
    """Since when the thread that makes the answer waits for the client to read."""
    stream: Handed | None = None
    """The live stream to send here after the headers."""

    def recv(self, size: int) -> bytes:
        """Count received bytes."""
        data: bytes = super().recv(size)
        self.moved += len(data)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Count sent bytes."""
        sent: int = super().send(data, do_close=do_close)
        self.moved += sent
        return sent

    def received(self, data: bytes) -> bool:
        """Take in data; the extra bytes between chunks are limited, or reading the body might never end."""
        accepted: bool = super().received(data)
        body = getattr(self.request, "body_rcv", None)
        if len(getattr(body, "control_line", b"")) + len(getattr(body, "trailer", b"")) > HEADERS:
            self.hang_up()
        return accepted

    def dawdles(self, now: float, patience: float) -> bool:
        """Tell whether we are waiting for the client: for the rest of its request, or to take its answer."""
        # Not readable: we have stopped reading for now.
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

    def follow(self, stream: LiveStream, body: Body, chunked: bool) -> None:
        """Send a live stream on this connection once all earlier data is sent; may be called from any thread."""
        with self.outbuf_lock:
            if self.connected and not self.will_close:
                self.stream = Handed(stream, body, chunked)
                return
        body.close()

    def handle_close(self) -> None:
        """Close the connection, or hand it to the broadcaster once all our data is sent."""
        with self.outbuf_lock:
            handed, self.stream = self.stream, None
            sent = not self.total_outbufs_len and self.connected
        if handed is not None and sent and not self.hung_up:
            connection, self.socket = self.socket, None  # must not be closed here
            super().handle_close()
            self.server.broadcasters.take(connection, *handed)
            return
        super().handle_close()
        if handed is not None:
            handed.body.close()

    def hang_up(self) -> None:
        """End the connection, whatever the client does; may be called from any thread."""
        self.hung_up = self.will_close = True
        # Waiting for a writable socket would mean waiting for the client to read.
        with suppress(OSError, AttributeError):  # it may be closed by now, or belong to another connection
            self.socket.shutdown(SHUT_RDWR)
        self.server.pull_trigger()

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Wait for the client to read if enough of the answer is ready; the application then continues."""
        if self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return
        with self.server.waiting_lock:
            self.waits_since = time.monotonic()
            self.server.waiting.append(self)
            slowest = self.server.waiting[0] if len(self.server.waiting) > WAITING else None
        if slowest is not None:
            slowest.hang_up()
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            with self.server.waiting_lock:
                self.server.waiting.remove(self)


def files() -> int:
    """Raise this program's limit on open files as far as the system allows and connections need, and return it."""
    return raise_limit(2 * STREAMS + 1000)


def settings(files: int) -> dict[str, int | bool]:
    """Return waitress's settings for connections, given the limit on open files."""
    return {
        # Beyond the system's limit, accepting fails again and again; large bodies and answers need files too.
        "connection_limit": min(MOST, files // 4),
        "channel_timeout": IDLE,
        "cleanup_interval": 1,
        "max_request_header_size": HEADERS,
        "outbuf_high_watermark": AHEAD,
        "asyncore_use_poll": True,  # select() cannot watch a file beyond the 1024th
    }


def hang_up_on_slowest(server: BaseWSGIServer) -> None:
    """Disconnect the client that has held up an answer for longest, if that is long: others wait for its place."""
    with server.waiting_lock:
        slowest = server.waiting[0] if server.waiting else None
    if slowest is not None and time.monotonic() - slowest.waits_since > LONG:
        slowest.hang_up()


def make_room(server: BaseWSGIServer) -> None:
    """Close an idle connection: of the client with the most connections, the one that is quiet for longest."""
    channels = [channel for channel in server.active_channels.values() if not channel.will_close]
    number = Counter(channel.addr[0] for channel in channels)
    quiet = [channel for channel in channels if not channel.requests and not channel.total_outbufs_len]
    if quiet:
        max(quiet, key=lambda channel: (number[channel.addr[0]], -channel.last_activity)).hang_up()


def watch(server: BaseWSGIServer, broadcasters: Broadcasters, patience: float = PATIENCE) -> None:
    """Let a server close slow connections, and hand live streams to the broadcaster."""
    server.channel_class = Channel
    server.broadcasters, server.leaving = broadcasters, False
    server.waiting, server.waiting_lock = [], threading.Lock()
    close_idle, accept = server.maintenance, server.handle_accept

    def handle_accept() -> None:
        # At the limit the server would accept no more: the client with the most connections would keep all others out.
        if len(server._map) + SPARE >= server.adj.connection_limit:
            make_room(server)
        accept()

    def maintenance(now: float) -> None:
        close_idle(now)
        clock = time.monotonic()
        for channel in [*server.active_channels.values()]:
            if channel.dawdles(clock, patience):
                channel.hang_up()

    server.maintenance = maintenance
    server.handle_accept = handle_accept
