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
from typing import TYPE_CHECKING, Any, NoReturn

from waitress import create_server
from waitress.task import ThreadedTaskDispatcher

from cardledger_api.http.gate import gate_of
from cardledger_api.http.streams import streams_of
from cardledger_web.serving.broadcaster import Broadcaster
from cardledger_web.serving.connections import STREAMS, files, hang_up_on_slowest, settings, watch, without_streams
from cardledger_web.serving.health import PATHS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOST = "127.0.0.1"
THREADS = 8
"""Threads for ordinary answers, beside those for expensive ones and their queue: a browser opens six connections at once."""
HEALTH_THREADS = 3
"""Threads for health requests only, which work even if one waits for a disk and all others are busy."""
MOST_BYTES = 128 * 1024 * 1024
"""The largest accepted body."""
_FLUSH_SECONDS = 5
_SWITCH_SECONDS = 0.001


def listen(app: Flask, port: int, host: str = HOST) -> Any:
    """Return a server that listens, its port as `effective_port`; port 0 takes a free one.

    Raises OSError when the port or the address is not available.
    """
    # A name may have several addresses, and each would get its own server; IPv4 comes first.
    addresses = sorted(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), key=lambda each: each[0])
    address = str(addresses[0][4][0])
    streams, gate, most = streams_of(app), gate_of(app), files()
    streams.places.count = min(STREAMS, most // 2)
    # A line for every request that waits would fill the log, or a pipe without a reader.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    # With one request of look-ahead, waitress notices during an answer that the client is gone.
    server = create_server(
        without_streams(app),
        host=f"[{address}]" if ":" in address else address,
        port=port,
        threads=THREADS + gate.most + gate.waiting,
        channel_request_lookahead=1,
        # Above the application's own limits, which answer with a message; this one protects the disk.
        max_request_body_size=MOST_BYTES,
        # The headers of proxies are read only if declared (web/cardledger_web/app.py); then they must not be removed
        # here.
        clear_untrusted_proxy_headers=False,
        **settings(most),
    )
    broadcaster = Broadcaster(streams)
    watch(server, broadcaster)
    gate.pressed = partial(hang_up_on_slowest, server)
    finish = server.task_dispatcher.shutdown
    health = ThreadedTaskDispatcher()
    health.set_thread_count(HEALTH_THREADS)

    def add_task(channel: Any) -> None:
        (health if channel.requests[0].path in PATHS else server.task_dispatcher).add_task(channel)

    server.add_task = add_task

    def shutdown(*given: Any, **more: Any) -> Any:
        streams.stop()
        gate.stop()
        broadcaster.stop()
        health.shutdown()
        return finish(*given, **more)

    server.task_dispatcher.shutdown = shutdown
    return server


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
def stopping_on_sigterm() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl+C does, cleaning up, but with status 0."""

    def stop(_number: int, _frame: object) -> NoReturn:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
