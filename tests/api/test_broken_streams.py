"""Live streams that break at any byte, a thousand times, while events are written: resumed, each event comes once, in order."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from cardledger.rules.engine import events as ev
from tests.api.test_live import serving
from tests.waiting import LIMIT
from tests.web.club import opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.recording.ledger import Ledger

TEXTS = ("", "x", "Grüße – 🂡 \u2028 \r\n data: no\n\nid: 7\n", "long " * 300)


class Follower:
    """Follows a stream by the standard for event streams: a block without a blank line at the end does not count."""

    def __init__(self, address: str, path: str, start: int, rng: Random) -> None:
        split = urlsplit(address)
        self.address = (str(split.hostname), int(split.port or 0))
        self.path, self.last, self.rng = path, start, rng
        self.seen: list[tuple[int, dict[str, Any]]] = []
        self.broken = 0

    def follow(self, most: int | None, last: int = 0) -> None:
        """Follow from the last event until this many bytes have come, or (None) until event `last` has."""
        status = came = b""
        with closing(socket.create_connection(self.address, timeout=LIMIT)) as line, suppress(ConnectionError):
            head = f"GET /api/v1{self.path} HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: {self.last}\r\n\r\n"
            line.sendall(head.encode())
            while b"\r\n\r\n" not in came:
                one = line.recv(1)
                if not one:
                    return  # the server closed the connection before it answered
                came += one
            status, came = came[9:12], b""
            while len(came) < most if most is not None else not (b"id: %d\n" % last in came and came.endswith(b"\n\n")):
                more = line.recv(65536 if most is None else min(4096, most - len(came)))
                if not more:
                    break
                came += more
            if self.rng.random() < 0.5:
                # Gone without a word, as when a telephone leaves the house.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if status in (b"", b"503"):  # the connection was reset before an answer, or there are too many streams
            time.sleep(0.05)
            return
        assert status == b"200"
        self.broken += 1
        *blocks, _lost = came.split(b"\n\n")
        for block in blocks:
            fields = dict(part.split(b": ", 1) for part in block.split(b"\n"))
            self.last = int(fields.get(b"id", b"%d" % self.last))
            if b"data" in fields:
                self.seen.append((self.last, json.loads(fields[b"data"])))


def broken_streams(ledger: Ledger, times: int, seed: int) -> None:
    """Break a match's stream and the ledger's so often while two matches are written to."""
    matches = [ledger.record(None, [opened()], 0).match for _ in range(2)]
    start = ledger.store.last_position()
    done = threading.Event()

    def write(match: str) -> None:
        rng, seq = Random(f"{seed}/{match}"), 1
        while not done.is_set():
            notes = [ev.Note(text=rng.choice(TEXTS)) for _ in range(rng.choice([1, 1, 1, 5]))]
            seq = ledger.record(match, notes, seq).seq
            time.sleep(rng.random() / 40)

    def breaking(follower: Follower) -> Callable[[], None]:
        def run() -> None:
            while follower.broken < times:
                follower.follow(follower.rng.choice([0, 1, 60, 300, 3_000, 20_000]) + follower.rng.randrange(200))

        return run

    with serving(ledger) as (address, *_):
        followers = [
            Follower(address, f"/matches/{matches[0]}/live", 1, Random(seed)),
            Follower(address, "/live", start, Random(seed + 1)),
        ]
        with ThreadPoolExecutor() as pool:
            writers = [pool.submit(write, match) for match in matches]
            readers = [pool.submit(breaking(follower)) for follower in followers]
            try:
                for reader in readers:
                    reader.result()
            finally:
                done.set()
            for writer in writers:
                writer.result()
        own = [(row.seq, json.loads(row.line)) for row in ledger.cleared(ledger.store.read(matches[0], 1))]
        rows = ledger.cleared([*ledger.store.read_all(start)])
        whole = [(row.position, {"match": row.match} | json.loads(row.line)) for row in rows]
        for follower, expected in zip(followers, (own, whole), strict=True):
            while follower.last < expected[-1][0]:
                follower.follow(None, expected[-1][0])
            assert follower.seen == expected
            assert follower.broken >= times
            assert len(expected) > times / 10, "little was written meanwhile: this shows nothing"


@pytest.mark.long
def test_streams_that_break_at_any_byte_are_resumed_without_gap_or_repetition(ledger: Ledger) -> None:
    broken_streams(ledger, 8, 1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_broken_streams_are_resumed_without_gap_or_repetition(ledger: Ledger) -> None:
    broken_streams(ledger, 500, 2)
