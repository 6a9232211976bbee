"""Live streams, as server-sent events or as lines of JSON: their subjects, starting points and number."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from flask import Flask, Response, request

from cardledger.errors import BehindError, LostError
from cardledger.record.people import people
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.games import editions
from cardledger.rules.lessons import lesson_events as lessons
from cardledger_api.http.operations import EVENT_STREAM, NDJSON
from cardledger_api.http.shared_places import Places, TakenPlace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STREAM = "cardledger.stream"
"""Key in the WSGI environment for the stream of the answer."""
Kind = Literal["matches", "evenings", "lessons", "people"]
"""The kinds of streams of a ledger."""
KINDS: tuple[Kind, ...] = ("matches", "evenings", "lessons", "people")
editions()  # packages that bring games may bring events
TYPES = tuple(dict.fromkeys([*ev.TYPES, *evenings.TYPES, *lessons.TYPES, *people.TYPES]))
"""The types of all events."""
_KEY = "cardledger.streams"
STREAMS_AT_ONCE = 100
"""Live streams that may be open, unless a server says otherwise."""


class News(NamedTuple):
    """One event of a stream: the number to resume after, and its data on one line.

    None for one that is filtered out.
    """

    number: int
    data: str | None


class Filter(NamedTuple):
    """What a stream of the whole ledger shows: events of a game, of some types, of some kinds of streams.

    None: of all.
    """

    game: str | None = None
    types: frozenset[str] | None = None
    kinds: frozenset[Kind] | None = None


ALL = Filter()


class Topic(NamedTuple):
    """The subject of a stream: a match, or None for the whole ledger; `whole` includes the cards that only scorers see.

    Streams of one topic share what is read for them.
    """

    match: str | None
    whole: bool
    filter: Filter = ALL


class ServerSent:
    """Server-sent events: each has its number as id."""

    media = EVENT_STREAM

    @staticmethod
    def beginning(topic: Topic, after: int) -> str:
        """Return the opening text: an id without data, so that a client that is cut off knows where to resume."""
        return f"retry: 1000\nid: {after}\n\n"

    @staticmethod
    def events(topic: Topic, news: Sequence[News]) -> str:
        """Return events as text; empty if all are filtered out."""
        return "".join(f"id: {number}\ndata: {data}\n\n" for number, data in news if data is not None)

    @staticmethod
    def heartbeat(topic: Topic, after: int) -> str:
        """Return what shows that the stream is alive, and where to resume after events that were filtered out."""
        return f": still here\nid: {after}\n\n"


class EventLines:
    """EventLines of JSON: each event with its number, `position` or, in the stream of a match, `seq`.

    The number alone in between.
    """

    media = NDJSON

    @staticmethod
    def beginning(topic: Topic, after: int) -> str:
        """Return the opening line, with the number to resume after."""
        return EventLines.heartbeat(topic, after)

    @staticmethod
    def events(topic: Topic, news: Sequence[News]) -> str:
        """Return events as text; empty if all are filtered out."""
        shown = ((number, data) for number, data in news if data is not None)
        if topic.match is not None:
            return "".join(f"{data}\n" for _, data in shown)  # the seq is in each
        return "".join(f'{{"position":{number},{data[1:]}\n' for number, data in shown)

    @staticmethod
    def heartbeat(topic: Topic, after: int) -> str:
        """Return a line with the number to resume after."""
        return f'{{"{"position" if topic.match is None else "seq"}":{after}}}\n'


Form = type[ServerSent] | type[EventLines]
FORMS: dict[str, Form] = {form.media: form for form in (ServerSent, EventLines)}
"""The forms of streams by their media types; the first is the default."""


class Feed(Protocol):
    """The source of the events of streams."""

    def news(self, topic: Topic, after: int) -> list[News]:
        """Return the next events of a topic after a number; empty if there are none yet.

        If the last ones are filtered out, the last is without data: the stream has come so far.
        """
        ...

    def position(self) -> int:
        """Return the position of the last event of the ledger."""
        ...

    def touched(self, after: int) -> tuple[int, set[str]]:
        """Return the position of the last event of the ledger, and the matches with events after another position."""
        ...


class LiveStream:
    """One stream: its topic, its starting point, its form and its client.

    `holder` names the token or session that it depends on, and `allowed()` tells whether that is still valid. A
    server thread may iterate over it, or `web/cardledger_web/serving/broadcaster.py` sends it together with all others.
    """

    def __init__(
        self, streams: Streams, topic: Topic, after: int, form: Form, holder: str, allowed: Callable[[], bool]
    ) -> None:
        self.topic, self.after, self.form, self.holder, self.allowed = topic, after, form, holder, allowed
        self.over = False
        self.until = time.monotonic() + streams.lifetime
        self.place: TakenPlace | None = None
        self.streams = streams

    @property
    def beginning(self) -> str:
        """The opening text."""
        return self.form.beginning(self.topic, self.after)

    @property
    def heartbeat(self) -> str:
        """The text that is sent after some silence."""
        return self.form.heartbeat(self.topic, self.after)

    def leave(self) -> None:
        """End the stream soon: another client took its place."""
        self.over = True
        self.streams.wake()

    def close(self) -> None:
        """Give its place back."""
        self.over = True
        self.streams.left(self)

    def __iter__(self) -> Iterator[str]:
        """Yield the text of the stream as long as the ledger can be reached, and what may be seen is known."""
        with suppress(BehindError, LostError):
            yield self.beginning
            yield from self.streams.lines(self)


@dataclass
class Streams:
    """The streams of an application.

    The store is read every `poll` seconds, for the events of other processes, and at once after `wake`. A heartbeat is
    sent after `heartbeat` seconds of silence. After `lifetime` seconds a stream ends, and its client resumes with
    `Last-Event-ID`.
    """

    poll: float = 0.25
    heartbeat: float = 15.0
    lifetime: float = 900.0
    places: Places = field(default_factory=lambda: Places(STREAMS_AT_ONCE))
    feed: Feed | None = None
    stopped: bool = False
    woken: Callable[[], object] | None = None
    """Called with every `wake`, in any thread."""
    _open: set[LiveStream] = field(default_factory=set)
    _wakes: int = 0
    _change: threading.Condition = field(default_factory=threading.Condition)

    @property
    def listeners(self) -> int:
        """The number of open streams; `places` may be shared with other ledgers of the server."""
        return len(self._open)

    def left(self, stream: LiveStream) -> None:
        """Give the place of a stream back."""
        self._open.discard(stream)
        if stream.place is not None:
            self.places.give_back(stream.place)

    def wake(self) -> None:
        """Let every stream look for new events now."""
        with self._change:
            self._wakes += 1
            self._change.notify_all()
        if self.woken is not None:
            self.woken()

    def stop(self) -> None:
        """End all streams and open no new ones."""
        self.stopped = True
        self.wake()

    def open(
        self, topic: Topic, after: int, form: Form, client: str, rank: int, holder: str, allowed: Callable[[], bool]
    ) -> Response | None:
        """Return a stream of the events recorded after a number, or None when there is no place for it.

        It ends as soon as `allowed()` is false (the client's token ended) or the ledger cannot be reached.
        """
        stream = LiveStream(self, topic, after, form, holder, allowed)
        if request.method != "HEAD":
            stream.place = None if self.stopped else self.places.take(client, rank, stream.leave)
            if stream.place is None:
                return None
            self._open.add(stream)
            request.environ[STREAM] = stream
        answer = Response(stream, content_type=form.media)
        answer.vary.add("Accept")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"  # a proxy (nginx) must pass on every event at once
        answer.call_on_close(stream.close)
        return answer

    def lines(self, stream: LiveStream) -> Iterator[str]:
        """Yield the text of a stream, event by event, and wait in between."""
        assert self.feed is not None
        last_sent = time.monotonic()
        while not (self.stopped or stream.over) and stream.allowed():
            seen = self._wakes
            news = self.feed.news(stream.topic, stream.after)
            if news:
                stream.after = news[-1].number
                if text := stream.form.events(stream.topic, news):
                    yield text
                    last_sent = time.monotonic()
                continue
            now = time.monotonic()
            if now >= stream.until:
                yield stream.heartbeat  # the client resumes past what was filtered out since the last one
                return
            if now - last_sent >= self.heartbeat:
                yield stream.heartbeat
                last_sent = now
            with self._change:
                if self._wakes == seen:
                    self._change.wait(min(self.poll, stream.until - now, last_sent + self.heartbeat - now))


def streams_of(app: Flask) -> Streams:
    """Return the streams of an application."""
    streams: Streams | None = app.extensions.get(_KEY)
    if streams is None:
        streams = app.extensions[_KEY] = Streams()
    return streams
