"""The broadcaster: each event is read once for all listeners of a topic, and no more."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

from cardledger_api.http.streams import EventLines, Filter, LiveStream, News, Streams, Topic
from cardledger_web.serving.broadcaster import Broadcaster
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

TOPICS = [Topic(None, False, Filter(types=frozenset({"note", name}))) for name in ("play", "deal", "end")]


class CountingFeed:
    """A ledger of which each event is news to everybody; it counts how often it is asked."""

    def __init__(self) -> None:
        self.last = 0
        self.asked: list[tuple[Topic, int]] = []
        self.looks = 0

    def news(self, topic: Topic, after: int) -> list[News]:
        self.asked.append((topic, after))
        return [News(number, "{}") for number in range(after + 1, min(self.last, after + 2) + 1)]

    def position(self) -> int:
        return self.last

    def touched(self, after: int) -> tuple[int, set[str]]:
        self.looks += 1
        return self.last, {"a match"} if self.last > after else set()


class Body:
    """The answer of a stream."""

    sent = 0

    def close(self) -> None: ...


def lines(line: socket.socket, wanted: int) -> Iterator[bytes]:
    text = b""
    while text.count(b"\n") < wanted:
        text += line.recv(4096)
    yield from text.splitlines()


def rested(streams: Streams, feed: CountingFeed) -> None:
    """Let the broadcaster look for news, more often than there are topics: by then it has read whatever it was to read."""
    for _ in range(10):
        before = feed.looks
        streams.wake()
        wait_until(lambda before=before: feed.looks > before, "a look for news")


def test_an_event_is_read_once_for_each_topic() -> None:
    feed = CountingFeed()
    streams = Streams(feed=feed, poll=60.0, heartbeat=60.0)
    broadcaster = Broadcaster(streams)
    with ExitStack() as stack:
        stack.callback(broadcaster.stop)
        ends = []
        for topic in TOPICS * 2:
            ours, theirs = socket.socketpair()
            stack.enter_context(ours).settimeout(LIMIT)
            ends.append(ours)
            broadcaster.take(theirs, LiveStream(streams, topic, 0, EventLines, "", lambda: True), Body(), False)
        for end in ends:
            assert [*lines(end, 1)] == [b'{"position":0}']
        rested(streams, feed)
        for recorded in (1, 2, 5):
            feed.asked.clear()
            before, feed.last = feed.last, feed.last + recorded
            streams.wake()
            for end in ends:
                assert len([*lines(end, recorded)]) == recorded
            rested(streams, feed)
            reads = (recorded + 1) // 2  # two events come at once
            assert sorted(after for _, after in feed.asked) == sorted([*range(before, feed.last, 2)] * len(TOPICS))
            assert len(feed.asked) == reads * len(TOPICS)
