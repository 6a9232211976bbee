"""Event streams (server-sent events): as many as there are threads to spare, each ended when its time has come."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from flask import Flask, Response, request

from ledger.errors import LostError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MEDIA_TYPE = "text/event-stream"
_KEY = "cardledger.streams"


class News(NamedTuple):
    """One event of a stream: the number to resume after, and what it says, on one line."""

    number: int
    data: str


@dataclass
class Streams:
    """The streams of an application.

    Each holds a thread of the server, so no more than `limit` are open at once. The store is asked every `poll` seconds,
    for what other processes write, and at once after `wake`. A comment is sent after `heartbeat` seconds of silence.
    After `lifetime` seconds a stream ends; whoever listens comes back with `Last-Event-ID`.
    """

    limit: int = 4
    poll: float = 0.25
    heartbeat: float = 15.0
    lifetime: float = 900.0
    _open: int = 0
    _woken: int = 0
    _stopped: bool = False
    _change: threading.Condition = field(default_factory=threading.Condition)

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return self._open

    def wake(self) -> None:
        """Let every stream look for news now."""
        with self._change:
            self._woken += 1
            self._change.notify_all()

    def stop(self) -> None:
        """End all streams, and open none any more."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def answer(self, after: int, news: Callable[[int], list[News]], allowed: Callable[[], bool]) -> Response | None:
        """Return a stream of what `news(after)` returns from now on, or None when no more can be open.

        It ends as soon as `allowed()` is false, with the token of whoever listens, or when the ledger cannot be reached.
        """
        with self._change:
            if self._stopped or self._open >= self.limit:
                return None
            self._open += 1
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        lines = self._lines(after, news, lambda: allowed() and not gone())
        answer = Response(_reached(lines), content_type=MEDIA_TYPE)
        answer.headers["Cache-Control"] = "no-store"
        answer.call_on_close(self._closed)
        return answer

    def _closed(self) -> None:
        with self._change:
            self._open -= 1

    def _lines(self, after: int, news: Callable[[int], list[News]], wanted: Callable[[], bool]) -> Iterator[str]:
        """Yield the text of a stream."""
        # An id without data: whoever is cut off before the first event knows where to resume.
        yield f"retry: 1000\nid: {after}\n\n"
        until = time.monotonic() + self.lifetime
        said = time.monotonic()
        while not self._stopped and wanted():
            seen = self._woken
            found = news(after)
            for number, data in found:
                yield f"id: {number}\ndata: {data}\n\n"
                after = number
            now = time.monotonic()
            if found:
                said = now
                continue
            if now >= until:
                return
            if now - said >= self.heartbeat:
                yield ": still here\n\n"
                said = now
            wait = min(self.poll, until - now, said + self.heartbeat - now)
            with self._change:
                if not self._stopped and self._woken == seen:
                    self._change.wait(wait)


def _reached(lines: Iterator[str]) -> Iterator[str]:
    """Yield the text of a stream as long as the ledger can be reached; whoever listens comes back."""
    with suppress(LostError):
        yield from lines


def streams_of(app: Flask) -> Streams:
    """Return the streams of an application."""
    streams: Streams = app.extensions.setdefault(_KEY, Streams())
    return streams
