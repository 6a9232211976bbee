"""Speed of the API beside bare Flask routes on the same server: a trivial answer, one hand, one durable append.

Run: python -m tests.bench.api
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import threading
from contextlib import ExitStack, closing, contextmanager
from itertools import count, repeat
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from flask import Blueprint, Flask
from flask import request as asked

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.tokens import Tokens
from cardledger_api.http.operations import Operations
from cardledger_api.http.schemas import MatchListSchema
from cardledger_web.app import access_of, create_app
from cardledger_web.serving.server import listen, run
from tests.bench.load import Caller, Load, load, request
from tests.bench.timing import loop_speed, row, scaled
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONNECTIONS = scaled(16, 4)
ROUNDS = scaled(11, 1)
ANSWERS = scaled(600, 20)
"""Answers of each side in a round."""
_JOINED = """SELECT * FROM hands JOIN seats USING (match, hand) JOIN matches USING (match)
    WHERE match = ? AND hand = ? AND seats.seat = 0"""
_OPENING = {"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}
_NOTE = {"type": "note", "text": "a remark"}


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
        sent = asked.get_json()
        with turn:
            db.execute("BEGIN IMMEDIATE")
            values = (sent["match"], 1, json.dumps(sent["events"]))
            cursor = db.execute("INSERT INTO events (match, seq, line) VALUES (?, ?, ?)", values)
            db.execute("COMMIT")
        return {"position": cursor.lastrowid}

    _serve(app)


def ours(path: str) -> None:
    """Serve the API, and an operation that has nothing to do."""
    app = create_app(path, limits=Limits.of(0))
    extra = Blueprint("extra", __name__, url_prefix="/api/v1")
    operations = Operations(extra, allow=access_of(app).require)
    operations.add("GET", "/trivial", answer=MatchListSchema)(lambda: {"matches": [], "next": None})
    app.register_blueprint(extra, name_prefix="api")  # within the API, as the others
    _serve(app)


def _serve(app: Flask) -> None:
    """Serve as the program does."""
    server = listen(app, 0)
    print(f"http://127.0.0.1:{server.effective_port}/", flush=True)
    run(server)


class Side(NamedTuple):
    """One of the two that are compared: where it is, and what gives a caller its requests."""

    address: str
    requests: Callable[[], Iterator[bytes]]

    def callers(self, number: int) -> list[Caller]:
        """Return so many callers."""
        return [Caller(self.address, self.requests()) for _ in range(number)]


def compare(what: str, mine: Side, other: Side, goal: float, connections: int = 1) -> None:
    """Load both in turns, and print how many of ours a second, and the medians of the ratios and of the latencies.

    The machine may be slower in one round than in the next: sides of the same round are compared. One caller waits for
    each answer, so the median answer tells how fast it is; of many callers, how many are answered.
    """
    sides = [side.callers(connections) for side in (mine, other)]
    for side in sides:
        load(side, ANSWERS // 2)
    rounds = [[load(side, ANSWERS) for side in sides] for _ in range(ROUNDS)]
    ratio = median(b.median / a.median if connections == 1 else a.rate / b.rate for a, b in rounds)
    a, b = (_told([loads[side] for loads in rounds]) for side in (0, 1))
    rate = median(loads[0].rate for loads in rounds)
    row(what, rate, "requests/s", None, f"ratio {ratio:.2f} (goal {goal}); {a}; bare {b}")


def _told(loads: list[Load]) -> str:
    return f"p50 {median(each.median for each in loads) * 1e3:.2f} ms, p99 {median(each.p99 for each in loads) * 1e3:.1f} ms"


@contextmanager
def servers(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the addresses of the API and the bare routes, a token, and a match with hands."""
    path = folder / "club.db"
    with Ledger(path) as ledger:
        for match in league("diversity", 4, 1, scaled(50, 2), max_hands=6):
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
        bearer = f"Authorization: Bearer {token}\r\n"

        def asking(address: str, path: str, headers: str = "") -> Side:
            return Side(address, lambda: repeat(request("GET", path, headers)))

        def appending() -> Iterator[bytes]:
            """Yield what opens a match, and then appends one event after the other."""
            opened = Caller(api, repeat(request("POST", "/api/v1/matches", bearer, _body({"events": [_OPENING]}))))
            path, body = f"/api/v1/matches/{json.loads(opened.body())['match']}/events", _body({"events": [_NOTE]})
            return (request("POST", path, f'{bearer}If-Match: "{seq}"\r\n', body) for seq in count(1))

        trivial = asking(routes, "/trivial")
        compare("a trivial answer", asking(api, "/api/v1/trivial"), trivial, 0.85)
        compare("the same with a token", asking(api, "/api/v1/trivial", bearer), trivial, 0.85)
        joined = asking(routes, f"/hand/{match}/2")
        compare("one hand / one joined row", asking(api, f"/api/v1/matches/{match}/hands/2"), joined, 0.7)
        compare("one hand of a search / one joined row", asking(api, "/api/v1/hands?limit=1"), joined, 0.7)
        inserting = Side(
            routes, lambda: repeat(request("POST", "/append", "", _body({"match": "m", "events": [_NOTE]})))
        )
        for connections in (1, CONNECTIONS):
            what = "one event appended / one row" if connections == 1 else f"the same from {connections} connections"
            compare(what, Side(api, appending), inserting, 0.8, connections)


def _body(value: object) -> bytes:
    return json.dumps(value).encode()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        ours(sys.argv[1])
    elif len(sys.argv) > 2:
        bare(*sys.argv[1:])
    else:
        main()
