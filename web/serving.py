"""The server: waitress, on this computer only unless told otherwise, which stops cleanly and leaves nobody with half an answer."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import time
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NoReturn

from waitress import create_server

from api.streams import streams_of
from web.connections import settings, watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOST = "127.0.0.1"
THREADS = 8
"""Threads that answer, beside those that live streams hold: a browser opens six connections at once."""
MOST_BYTES = 128 * 1024 * 1024
"""The largest body that is taken in."""
_FLUSH_SECONDS = 5
_SWITCH_SECONDS = 0.001


def listen(app: Flask, port: int, host: str = HOST) -> Any:
    """Return a server that listens, its port as `effective_port`; port 0 takes a free one.

    Raises OSError when the port or the address cannot be had.
    """
    # A name may have several addresses, and each would get a server of its own; IPv4 comes first.
    found = sorted(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM), key=lambda each: each[0])
    address = str(found[0][4][0])
    streams = streams_of(app)
    # A line for every request that waits a moment would fill the log, and a pipe that nobody reads.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    # Looking one request ahead is how waitress notices that a client is gone while it is being answered.
    server = create_server(
        app,
        host=f"[{address}]" if ":" in address else address,
        port=port,
        threads=THREADS + streams.limit,
        channel_request_lookahead=1,
        # Above the limits of the application, which answer with words; this one is what a disk may be filled with.
        max_request_body_size=MOST_BYTES,
        # Nobody reads what proxies say unless told to (web/app.py); then it is not to be lost here.
        clear_untrusted_proxy_headers=False,
        **settings(),
    )
    watch(server)
    finish = server.task_dispatcher.shutdown

    def shutdown(*given: Any, **more: Any) -> Any:
        streams.stop()
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
    # Many short waits for the disk: whoever comes back from one is let go on sooner than after Python's 5 ms.
    sys.setswitchinterval(_SWITCH_SECONDS)
    server.run()  # catches both, and waits for the threads that make answers
    _flush(server)
    server.close()


def _flush(server: Any) -> None:
    """Send what is not sent yet of the answers: waitress stops sending when it stops."""
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
