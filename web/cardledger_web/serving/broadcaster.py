"""The broadcaster: one thread that sends all live streams, and reads each event once for all its listeners."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections import defaultdict, deque
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import TYPE_CHECKING, Protocol

from cardledger.errors import BehindError, LostError
from cardledger_web.serving.logs import log_event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger_api.http.streams import Form, LiveStream, Streams, Topic

PATIENCE = 30.0
"""Seconds after which a listener that takes none of its waiting data is disconnected."""
FULL = 64 * 1024
"""Bytes that may wait for a listener before reading for it stops."""
_FLUSH_SECONDS = 2.0
_TURN = 1.0
"""Seconds between two checks whether listeners are still connected and allowed."""


class Body(Protocol):
    """The answer of a stream: it counts the bytes sent, and is closed at the end."""

    sent: int

    def close(self) -> None:
        """End the answer."""
        ...


class Listener:
    """One connection that follows a stream."""

    def __init__(self, connection: socket.socket, stream: LiveStream, body: Body, chunked: bool) -> None:
        """`chunked` means that every piece is sent with its length in front."""
        self.connection, self.stream, self.body, self.chunked = connection, stream, body, chunked
        self.waiting: deque[memoryview] = deque()
        self.size = 0
        self.moved = self.said = time.monotonic()
        self.ending = False
        self.paused = False

    def say(self, piece: bytes) -> None:
        """Send a piece, and queue what cannot be sent at once; raises OSError when the listener is gone."""
        self.said = time.monotonic()
        if not self.waiting:
            self.moved = self.said
        self.waiting.append(memoryview(piece))  # all listeners share it
        self.size += len(piece)
        if len(self.waiting) == 1:
            self.flush()

    def flush(self) -> None:
        """Send waiting data, as far as the listener takes it; raises OSError when it is gone."""
        while self.waiting:
            piece = self.waiting[0]
            try:
                sent = self.connection.send(piece)
            except BlockingIOError:
                return
            self.moved = time.monotonic()
            self.size -= sent
            self.body.sent += sent
            if sent < len(piece):
                self.waiting[0] = piece[sent:]
                return
            self.waiting.popleft()


class Broadcaster:
    """Sends the streams of an application from one thread, which runs from the first listener on.

    Listeners of one topic at the same event form a group: the next events are read once for all of them. Groups that
    are up to date go before those that catch up, and scorers before readers.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._new: deque[Listener] = deque()
        self._listeners: set[Listener] = set()
        self._groups: dict[Topic, dict[int, list[Listener]]] = {}
        self._behind: dict[tuple[Topic, int], None] = {}  # as a queue
        self._position = 0
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._selector = DefaultSelector()
        self._bell, self._clapper = socket.socketpair()
        for end in (self._bell, self._clapper):
            end.setblocking(False)
        self._selector.register(self._bell, EVENT_READ)
        streams.woken = self._ring

    # --- called from any thread

    def take(self, connection: socket.socket, stream: LiveStream, body: Body, chunked: bool) -> None:
        """Send a stream from now on; its headers have been sent."""
        with self._lock:
            if not self._stopping:
                self._new.append(Listener(connection, stream, body, chunked))
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="broadcaster", daemon=True)
                    self._thread.start()
                self._ring()
                return
        connection.close()
        body.close()

    def stop(self) -> None:
        """Send all recorded events, and end all streams; calling it twice does no harm."""
        with self._lock:
            self._stopping = True
        self._ring()
        if self._thread is not None:
            self._thread.join()
        else:
            self._close()

    def _ring(self) -> None:
        if self._thread is None:
            return  # nobody listens yet; the first who comes reads what is there
        with suppress(OSError):  # already notified, or closed
            self._clapper.send(b"!")

    # --- the thread

    def _run(self) -> None:
        look = turn = 0.0
        while not self._stopping:
            busy = self._listeners or self._new
            rung = self._move(max(0.0, min(look, turn) - time.monotonic()) if busy else None)
            try:
                self._admit()
                now = time.monotonic()
                if rung or now >= look:
                    self._look()
                    look = now + self._streams.poll
                if now >= turn:
                    self._tend(now)
                    turn = now + min(_TURN, self._streams.heartbeat / 4, self._streams.lifetime / 4)
                if self._behind:
                    began = time.monotonic()
                    self._tell(*self._next_behind())
                    # Listeners that catch up get at most half of the time.
                    look = min(look, 2 * time.monotonic() - began)
            except (BehindError, LostError):
                self._end_all(self._listeners)  # the listeners reconnect
            except Exception:  # noqa: BLE001 - after any error, new listeners must still be served
                log_event(logging.ERROR, "streams broken off", exc_info=True, streams=len(self._listeners))
                for listener in [*self._listeners]:
                    self._drop(listener)
        self._finish()

    def _move(self, seconds: float | None) -> bool:
        """Wait until data can be sent or received, and do that; tell whether there may be new events."""
        rung = False
        for key, events in self._selector.select(seconds):
            listener: Listener | None = key.data
            if listener is None:
                rung = True
                with suppress(BlockingIOError):
                    self._bell.recv(4096)
                continue
            try:
                if events & EVENT_READ and not listener.connection.recv(4096):
                    raise ConnectionResetError
                if events & EVENT_WRITE:
                    listener.flush()
                    self._watch(listener)
            except BlockingIOError:
                pass
            except OSError:
                self._drop(listener)
        return rung

    def _admit(self) -> None:
        """Take in new listeners."""
        while self._new:
            listener = self._new.popleft()
            first = not self._listeners
            self._listeners.add(listener)
            listener.connection.setblocking(False)
            self._selector.register(listener.connection, EVENT_READ, listener)
            if first:
                assert self._streams.feed is not None
                self._position = self._streams.feed.position()
            self._say([listener], listener.stream.beginning)
            self._join([listener])

    def _look(self) -> None:
        """Send new events to the groups that are up to date."""
        if not self._groups:
            return
        assert self._streams.feed is not None
        self._position, touched = self._streams.feed.touched(self._position)
        if not touched:
            return
        concerned = [topic for topic in self._groups if topic.match is None or topic.match in touched]
        for topic in sorted(concerned, key=lambda topic: not topic.whole):
            for after in [*self._groups.get(topic, ())]:
                if (topic, after) not in self._behind:
                    self._tell(topic, after)

    def _tell(self, topic: Topic, after: int) -> None:
        """Send the next events to a group."""
        group = self._groups.get(topic, {}).pop(after, [])
        if topic in self._groups and not self._groups[topic]:
            del self._groups[topic]
        group = [listener for listener in group if listener in self._listeners]
        if not group:
            return
        assert self._streams.feed is not None
        ready = []
        for listener in group:
            if listener.size <= FULL:
                ready.append(listener)
            else:
                listener.paused = True  # until the waiting data is taken
        if not ready:
            return
        try:
            news = self._streams.feed.news(topic, after)
        except (BehindError, LostError):
            raise
        except Exception:  # noqa: BLE001 - a match that cannot be read must not end other streams
            log_event(logging.ERROR, "stream broken off", exc_info=True, match=topic.match, streams=len(ready))
            self._end_all(ready)
            return
        if news:
            after = news[-1].number
            for listener in ready:
                listener.stream.after = after
            forms: dict[Form, list[Listener]] = defaultdict(list)
            for listener in self._allowed(ready):
                forms[listener.stream.form].append(listener)
            for form, some in forms.items():
                if text := form.events(topic, news):
                    self._say(some, text)
        # The position says whether the ledger has more; the events of a match have numbers of their own.
        self._join(ready, behind=bool(news) and (topic.match is not None or after < self._position))

    def _join(self, listeners: Iterable[Listener], behind: bool = True) -> None:
        """Put listeners into groups by the last event they have; `behind` means that there may be more for them."""
        for listener in listeners:
            if listener in self._listeners and not listener.ending:
                topic, after = listener.stream.topic, listener.stream.after
                self._groups.setdefault(topic, {}).setdefault(after, []).append(listener)
                if behind:
                    self._behind[topic, after] = None

    def _next_behind(self) -> tuple[Topic, int]:
        first = next(iter(self._behind))
        del self._behind[first]
        return first

    def _say(self, listeners: Iterable[Listener], text: str) -> None:
        data = text.encode()
        chunk = b"%X\r\n%s\r\n" % (len(data), data)
        for listener in listeners:
            try:
                listener.say(chunk if listener.chunked else data)
            except OSError:
                self._drop(listener)
            else:
                self._watch(listener)

    def _watch(self, listener: Listener) -> None:
        """Watch a listener for writing if data waits for it; otherwise continue with it."""
        if listener.waiting:
            self._selector.modify(listener.connection, EVENT_READ | EVENT_WRITE, listener)
            return
        self._selector.modify(listener.connection, EVENT_READ, listener)
        if listener.ending:
            self._drop(listener)
        elif listener.paused:
            listener.paused = False
            self._join([listener])

    def _allowed(self, listeners: list[Listener]) -> list[Listener]:
        """Return the listeners that are still allowed, and end the streams of the others."""
        holders = {listener.stream.holder: listener.stream.allowed for listener in listeners}
        good = {holder for holder, allowed in holders.items() if allowed()}
        there = [one for one in listeners if one.stream.holder in good and not one.stream.over]
        self._end_all(set(listeners) - set(there))
        return there

    def _tend(self, now: float) -> None:
        """Disconnect listeners that are gone, end streams that are over, and send heartbeats to idle ones."""
        gone = [one for one in self._listeners if one.waiting and now - one.moved > PATIENCE]
        for listener in gone:
            self._drop(listener)
        over = [one for one in self._listeners if now >= one.stream.until and not one.ending]
        self._beat(over)  # they resume past what was filtered out since the last one
        self._end_all(over)
        there = self._allowed([one for one in self._listeners if not one.ending])
        self._beat([one for one in there if now - one.said >= self._streams.heartbeat])

    def _beat(self, listeners: Iterable[Listener]) -> None:
        """Send heartbeats."""
        texts: dict[str, list[Listener]] = defaultdict(list)
        for listener in listeners:
            texts[listener.stream.heartbeat].append(listener)
        for text, some in texts.items():
            self._say(some, text)

    def _end_all(self, listeners: Iterable[Listener]) -> None:
        """End streams as soon as their waiting data is sent."""
        for listener in [*listeners]:
            if not listener.ending:
                listener.ending = True
                try:
                    if listener.chunked:
                        listener.say(b"0\r\n\r\n")
                except OSError:
                    self._drop(listener)
                else:
                    self._watch(listener)

    def _drop(self, listener: Listener) -> None:
        """Close a connection."""
        if listener not in self._listeners:
            return
        self._listeners.discard(listener)
        with suppress(KeyError, ValueError):
            self._selector.unregister(listener.connection)
        with suppress(OSError):
            listener.connection.shutdown(socket.SHUT_RDWR)
        listener.connection.close()
        try:
            listener.body.close()
        except Exception:  # noqa: BLE001 - an error at the end of one must not end the others
            log_event(logging.ERROR, "unexpected", exc_info=True)

    def _finish(self) -> None:
        """Send all recorded events, and end."""
        with suppress(Exception):
            self._admit()
            self._look()
        self._end_all(self._listeners)
        until = time.monotonic() + _FLUSH_SECONDS
        while self._listeners and (left := until - time.monotonic()) > 0:
            self._move(left)
        for listener in [*self._listeners]:
            self._drop(listener)
        self._close()

    def _close(self) -> None:
        self._selector.close()
        self._bell.close()
        self._clapper.close()
