"""Speed of the API beside bare Flask routes on the same server: a trivial answer, one hand, one durable append.

Run: python -m tests.bench.api
"""

from __future__ import annotations

import json
import logging
import socket
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, request
from waitress import create_server

from api.limits import Limits
from api.operations import Operations
from api.schemas import MatchListSchema
from api.tokens import Tokens
from ledger import events as ev
from ledger.bots.simulation import league
from ledger.ledger import Ledger
from tests.bench.timing import loop_speed, row
from tests.web.server import program, running
from web.app import access_of, create_app
from web.serving import listen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONNECTIONS = 16
ROUNDS = 7
_JOINED = """SELECT * FROM hands JOIN seats USING (match, hand) JOIN matches USING (match)
    WHERE match = ? AND hand = ? AND seats.seat = 0"""


def bare(views: str, rows: str) -> None:
    """Serve the same things in the barest way."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    turn, threads = threading.Lock(), threading.local()
    db = sqlite3.connect(rows, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, match, seq, line)")

    @app.get("/trivial")
    def trivial() -> dict[str, object]:
        return {"matches": [], "next": None}

    @app.get("/hand/<match>/<int:hand>")
    def one_hand(match: str, hand: int) -> dict[str, object]:
        if not hasattr(threads, "db"):
            threads.db = sqlite3.connect(f"file:{views}?mode=ro", uri=True)
            threads.db.row_factory = sqlite3.Row
        return dict(threads.db.execute(_JOINED, (match, hand)).fetchone())

    @app.post("/append")
    def append() -> dict[str, object]:
        sent = request.get_json()
        with turn:
            db.execute("BEGIN IMMEDIATE")
            values = (sent["match"], 1, json.dumps(sent["events"]))
            cursor = db.execute("INSERT INTO events (match, seq, line) VALUES (?, ?, ?)", values)
            db.execute("COMMIT")
        return {"position": cursor.lastrowid}

    server = create_server(app, host="127.0.0.1", port=0, threads=8)
    print(f"http://127.0.0.1:{server.effective_port}/", flush=True)
    server.run()


def ours(path: str) -> None:
    """Serve the API, and an operation that has nothing to do."""
    app = create_app(path, limits=Limits.of(0))
    extra = Blueprint("extra", __name__, url_prefix="/api/v1")
    operations = Operations(extra, allow=access_of(app).require)
    operations.add("GET", "/trivial", answer=MatchListSchema)(lambda: {"matches": [], "next": None})
    app.register_blueprint(extra)
    server = listen(app, 0)
    print(f"http://127.0.0.1:{server.effective_port}/", flush=True)
    server.run()


class Line:
    """A connection kept open; as little client as there can be, so that the servers are measured."""

    def __init__(self, address: str, token: str = "") -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.always = f"Host: {host}:{port}\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "")

    def ask(self, method: str, path: str, body: bytes = b"", headers: str = "") -> bytes:
        """Send a request and return the body of its answer, which must say that all is well."""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\n{self.always}{kind}{headers}\r\n".encode() + body)
        status = self.file.readline()
        assert b" 20" in status, status
        length = 0
        while (line := self.file.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return self.file.read(length)


def latencies(work: Callable[[], object], times: int = 300) -> list[float]:
    """Return seconds each of so many calls."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return found


def compare(what: str, ours: Callable[[], object], theirs: Callable[[], object], goal: float) -> None:
    """Time both in turns, and print how many of ours a second and the ratio of the medians."""
    latencies(ours, 100)
    latencies(theirs, 100)
    pairs = [(median(latencies(ours)), median(latencies(theirs))) for _ in range(ROUNDS)]
    mine, other = (median(side) for side in zip(*pairs, strict=True))
    row(what, 1 / mine, "requests/s", None, f"bare {1 / other:,.0f}, ratio {other / mine:.2f} (goal {goal})")


def crowd(make: Callable[[], Callable[[], object]], seconds: float) -> tuple[float, float]:
    """Let connections ask at once; return requests a second, and the 99th percentile of their seconds."""
    works, found = [make() for _ in range(CONNECTIONS)], []
    until = time.perf_counter() + seconds

    def keep_on(work: Callable[[], object]) -> None:
        while time.perf_counter() < until:
            found.extend(latencies(work, 1))

    threads = [threading.Thread(target=keep_on, args=(work,)) for work in works]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(found) / (time.perf_counter() - start), quantiles(found, n=100)[98]


@contextmanager
def servers(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the addresses of the API and the bare routes, a token, and a match with hands."""
    path = folder / "club.db"
    with Ledger(path) as ledger:
        for match in league("diversity", 4, 1, 50, max_hands=6):
            id = ledger.record(None, match, 0).match
    with closing(Tokens(path)) as tokens:
        token = tokens.create("bench", "scorer", 1)
    with ExitStack() as stack:
        api = ("-m", "tests.bench.api", str(path))
        routes = ("-m", "tests.bench.api", str(folder / "club.views.db"), str(folder / "bare.db"))
        first, second = (stack.enter_context(running(program(*words)))[0] for words in (api, routes))
        yield first, second, token, id


def main() -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder, servers(Path(folder)) as (api, routes, token, match):
        a, b = Line(api), Line(routes)
        compare(
            "a trivial answer", lambda: a.ask("GET", "/api/v1/trivial"),
            lambda: b.ask("GET", "/trivial"), 0.85,
        )  # fmt: skip
        compare(
            "one hand / one joined row", lambda: a.ask("GET", "/api/v1/hands?limit=1"),
            lambda: b.ask("GET", f"/hand/{match}/2"), 0.7,
        )  # fmt: skip
        ours_one, theirs_one = appending(api, token), inserting(routes)
        compare("one event appended / one row", ours_one, theirs_one, 0.8)
        pairs = [
            (crowd(lambda: appending(api, token), 2), crowd(lambda: inserting(routes), 2)) for _ in range(ROUNDS // 2)
        ]
        mine, other = (median(rate for rate, _ in side) for side in zip(*pairs, strict=True))
        late, late_other = (median(p99 for _, p99 in side) * 1e3 for side in zip(*pairs, strict=True))
        row(
            f"the same from {CONNECTIONS} connections", mine, "requests/s", None,
            f"bare {other:,.0f}, ratio {mine / other:.2f} (goal 0.8), p99 {late:.1f} ms (goal 20; bare {late_other:.1f})",
        )  # fmt: skip


def appending(address: str, token: str) -> Callable[[], object]:
    """Return what appends one event to a match of its own."""
    line = Line(address, token)
    opening = {"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}
    told = json.loads(line.ask("POST", "/api/v1/matches", json.dumps({"events": [opening]}).encode()))
    path, seqs = f"/api/v1/matches/{told['match']}/events", count(1)
    body = json.dumps({"events": [{"type": "note", "text": "a remark"}]}).encode()
    return lambda: line.ask("POST", path, body, f'If-Match: "{next(seqs)}"\r\n')


def inserting(address: str) -> Callable[[], object]:
    """Return what inserts one row."""
    line = Line(address)
    body = json.dumps({"match": "m", "events": [ev.type_of(ev.Note(text=""))]}).encode()
    return lambda: line.ask("POST", "/append", body)


if __name__ == "__main__":
    # Nobody reads what a full queue says of itself: the pipe would fill, and the server stop.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    if len(sys.argv) == 2:
        ours(sys.argv[1])
    elif len(sys.argv) > 2:
        bare(*sys.argv[1:])
    else:
        main()
