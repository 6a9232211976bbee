"""The server: waitress on this computer only, which stops cleanly and leaves nobody with half an answer."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from waitress import create_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOST = "127.0.0.1"
_FLUSH_SECONDS = 5


def listen(app: Flask, port: int) -> Any:
    """Return a server that listens, its port as `effective_port`; port 0 takes a free one.

    Raises OSError when the port cannot be had.
    """
    return create_server(app, host=HOST, port=port, threads=8)  # a browser opens six connections at once


def run(server: Any) -> None:
    """Serve until SystemExit or KeyboardInterrupt comes from a signal, then finish the requests in flight."""
    server.run()  # catches both, and waits for the threads that make answers
    _flush(server)
    server.close()


def _flush(server: Any) -> None:
    """Send what is not sent yet of the answers: waitress stops sending when it stops."""
    server.accepting = False
    until = time.monotonic() + _FLUSH_SECONDS
    while time.monotonic() < until and any(channel.total_outbufs_len for channel in [*server.active_channels.values()]):
        server.asyncore.loop(timeout=0.1, map=server._map, count=1)
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
