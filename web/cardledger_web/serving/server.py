"""The server: waitress, on this computer only by default; it stops cleanly, after finishing its answers."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import time
from contextlib import contextmanager
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from flask import Flask
from waitress import create_server
from waitress.task import ThreadedTaskDispatcher

from cardledger_api.http.fair_queue import FairQueue
from cardledger_api.http.streams import streams_of
from cardledger_api.http.turns import Turn
from cardledger_web.serving.broadcasters import Broadcasters
from cardledger_web.serving.connections import STREAMS, files, hang_up_on_slowest, settings, watch, without_streams
from cardledger_web.serving.health import PATHS
from cardledger_web.serving.server_parts import ServerParts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed.wsgi import StartResponse, WSGIEnvironment

    from cardledger_api.http.turns import WorkTurns

HOST = "127.0.0.1"
THREADS = 8
"""Threads for ordinary answers, beside those for expensive ones and their queue: a browser opens six connections at
once.

Scorers have so many, and everybody else as many.
"""
HEALTH_THREADS = 3
"""Threads for health requests only, which work even if one waits for a disk and all others are busy."""
MOST_BYTES = 128 * 1024 * 1024
"""The largest accepted body."""
_FLUSH_SECONDS = 5
_LAST_SECONDS = 1
"""Seconds that readers' answers get after those of scorers are done or given up."""
_SWITCH_SECONDS = 0.001


class ReadingThreads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads for everybody who is not known as a scorer.

    Each waits for its turn before it does anything at all. Clubs take turns.
    """

    def __init__(self, turns: WorkTurns, party: Callable[[Any], str]) -> None:
        super().__init__()
        self._turns, self._party = turns, party
        self.queue: FairQueue[InTurn] = FairQueue(lambda task: task.party)

    def add_task(self, task: Any) -> None:
        """Serve a connection when its turn comes."""
        super().add_task(InTurn(task, self._turns, self._party(task)))


class InTurn(NamedTuple):
    """A connection with a request to answer in turn."""

    channel: Any
    turns: WorkTurns
    party: str

    def service(self) -> None:
        """Answer."""
        with Turn(self.turns, self.party):
            self.channel.service()

    def cancel(self) -> None:
        """Give up."""
        self.channel.cancel()


class Served(Protocol):
    """What a server serves: one ledger, or a house of many."""

    @property
    def shared(self) -> ServerParts:
        """What all its ledgers share."""
        ...

    @property
    def broadcasters(self) -> Broadcasters:
        """What sends its live streams."""
        ...

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        ...

    def party(self, path: str, host: str) -> str:
        """Return the ledger that a request is for, by its path and the host that it names."""
        ...

    def stop(self) -> None:
        """Open no new streams."""
        ...


class OneLedger:
    """An application of one ledger, as a server serves it."""

    def __init__(self, app: Flask) -> None:
        self.shared, self.broadcasters, self._app = ServerParts.of(app), Broadcasters(), app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._app(environ, start_response)

    def party(self, path: str, host: str) -> str:
        """Return the one ledger."""
        return ""

    def stop(self) -> None:
        """Open no new streams."""
        streams_of(self._app).stop()


def listen(app: Flask | Served, port: int, host: str = HOST, given: socket.socket | None = None) -> Any:
    """Return a server that listens, its port as `effective_port`; port 0 takes a free one.

    A socket that is `given` listens already, and is used instead.

    Raises OSError when the port or the address is not available.
    """
    served = OneLedger(app) if isinstance(app, Flask) else app
    shared, most = served.shared, files()
    gate, known, turns, threads = (
        shared.gate,
        shared.known,
        shared.turns,
        THREADS + shared.gate.most + shared.gate.waiting,
    )
    shared.places.count = min(STREAMS, most // 2)
    # A line for every request that waits would fill the log, or a pipe without a reader.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    # With one request of look-ahead, waitress notices during an answer that the client is gone.
    server = create_server(
        without_streams(served),
        **({"sockets": [given]} if given is not None else _place(host, port)),
        threads=threads,
        channel_request_lookahead=1,
        # Above the application's own limits, which answer with a message; this one protects the disk.
        max_request_body_size=MOST_BYTES,
        # The headers of proxies are read only if declared (web/cardledger_web/app.py); then they must not be removed
        # here.
        clear_untrusted_proxy_headers=False,
        **settings(most),
    )
    watch(server, served.broadcasters)
    gate.pressed = partial(hang_up_on_slowest, server)
    finish = server.task_dispatcher.shutdown
    health = ThreadedTaskDispatcher()
    health.set_thread_count(HEALTH_THREADS)

    def party(channel: Any) -> str:
        first = channel.requests[0]
        return served.party(first.path, first.headers.get("HOST", ""))

    server.task_dispatcher.queue = FairQueue(party)
    readers = ReadingThreads(turns.short, party)
    readers.set_thread_count(threads)

    def add_task(channel: Any) -> None:
        first = channel.requests[0]
        scores = known.sent(first.headers)
        (health if first.path in PATHS else server.task_dispatcher if scores else readers).add_task(channel)

    server.add_task = add_task

    def shutdown(*given: Any, **more: Any) -> Any:
        served.stop()
        gate.stop()
        turns.stop()
        served.broadcasters.stop()
        readers.set_thread_count(0)  # both end at the same time
        health.shutdown()
        done = finish(*given, **more)
        return readers.shutdown(timeout=_LAST_SECONDS) or done

    server.task_dispatcher.shutdown = shutdown
    return server


def _place(host: str, port: int) -> dict[str, Any]:
    """Return waitress's settings for a place to listen at; raises OSError."""
    # A name may have several addresses, and each would get its own server; IPv4 comes first.
    addresses = sorted(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), key=lambda each: each[0])
    address = str(addresses[0][4][0])
    return {"host": f"[{address}]" if ":" in address else address, "port": port}


def reachable(host: str) -> str:
    """Return an address at which this computer reaches a server, as addresses of pages write it."""
    if ip_address(host).is_unspecified:
        host = "::1" if ":" in host else HOST
    return f"[{host}]" if ":" in host else host


def run(server: Any) -> None:
    """Serve until SystemExit or KeyboardInterrupt comes from a signal, then finish the requests in flight."""
    # There are many short waits for the disk: after one, a thread continues sooner than after Python's 5 ms.
    sys.setswitchinterval(_SWITCH_SECONDS)
    server.run()  # catches both, and waits for the threads that make answers
    _flush(server)
    server.close()


def _flush(server: Any) -> None:
    """Send the rest of unfinished answers: waitress itself stops sending when it stops."""
    server.accepting = False
    until = time.monotonic() + _FLUSH_SECONDS
    while time.monotonic() < until and any(channel.total_outbufs_len for channel in [*server.active_channels.values()]):
        server.asyncore.loop(timeout=0.1, map=server._map, count=1, use_poll=True)
    for channel in [*server.active_channels.values()]:
        channel.handle_close()


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl+C does, cleaning up, but with status 0; so does a terminal that is closed.

    SIGHUP is left alone if it is ignored, as `nohup` wants.
    """

    def stop(_number: int, _frame: object) -> NoReturn:
        raise SystemExit(0)

    hang_up = getattr(signal, "SIGHUP", None)  # Windows has none
    ends = [signal.SIGTERM, *([hang_up] if hang_up and signal.getsignal(hang_up) == signal.SIG_DFL else [])]
    before = {each: signal.signal(each, stop) for each in ends}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
