"""What a scorer waits for while a crowd of readers asks without a pause, beside a server that does nothing else.

Run: python -m tests.bench.crowd [READERS]    (40 readers; needs addresses in 127/8, as Linux has)

Server, readers and scorer are processes of their own. Each reader has an address, so that no limit of one client holds.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count, cycle
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger_api.auth.tokens import Tokens
from tests.bench.timing import loop_speed, row, scaled
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READERS = 40
ANSWERS = scaled(300, 10)
"""Answers to the scorer, of each kind."""
WARMING = scaled(5.0, 0.2)
"""Seconds that the crowd asks before the scorer does."""
WARMING_UP = scaled(50, 2)
"""Answers to the scorer before any is measured."""
GOAL = 5
_GAMES = ("diversity", "spades", "bridge")
_REST = 0.022
"""Seconds that a scorer rests between two requests: a limit on writing holds for scorers too."""
_NOTE = {"type": "note", "text": "a remark"}


def filled(path: Path) -> tuple[str, list[str]]:
    """Fill a ledger; return the token of a scorer, and the matches."""
    with Ledger(path) as ledger:
        played = [match for game in _GAMES for match in league(game, 4, 1, scaled(60, 2), max_hands=4)]
        matches = [ledger.record(None, events, 0).match for events in played]
    with closing(Tokens(path)) as tokens:
        return tokens.create("scorer", "scorer", 1), matches


def addresses_of(matches: list[str]) -> list[str]:
    """Return what readers ask for: home, pictures, lists, and the pages of matches and hands."""
    some = matches[:: max(len(matches) // 20, 1)]
    found = ["/", "/matches", "/players", "/api/v1/matches?limit=50", "/api/v1/hands?limit=50", "/evenings", "/season"]
    for match in some:
        found += [
            f"/matches/{match}.png",
            f"/matches/{match}/hands/1.png",
            f"/matches/{match}",
            f"/matches/{match}/replay/9",
        ]
    return [*found, *["/"] * len(some), *["/api/v1/matches?limit=50"] * len(some)]


def reader(number: int, address: str, paths: list[str], stop: Any, told: Any) -> None:
    """Ask one thing after the other from an own address until told to stop; tell how often each status came."""
    host, _, port = address.removeprefix("http://").partition(":")
    statuses: Counter[int] = Counter()
    Random(number).shuffle(paths)
    line = HTTPConnection(host, int(port), timeout=60, source_address=(f"127.0.1.{number + 1}", 0))
    for path in cycle(paths):
        if stop.is_set():
            break
        try:
            line.request("GET", path)
            answer = line.getresponse()
            answer.read()
            statuses[answer.status] += 1
        except (HTTPException, OSError):
            statuses[0] += 1
            line.close()
    line.close()
    told.put(statuses)


@contextmanager
def crowd(size: int, address: str, paths: list[str]) -> Iterator[Counter[int]]:
    """Let so many readers ask; yield how often each status came, which is known in the end."""
    context = get_context("fork")
    stop, told = context.Event(), context.Queue()
    readers = [context.Process(target=reader, args=(number, address, [*paths], stop, told)) for number in range(size)]
    for each in readers:
        each.start()
    statuses: Counter[int] = Counter()
    try:
        time.sleep(WARMING)
        yield statuses
    finally:
        stop.set()
        for _ in readers:
            with suppress(Exception):
                statuses += told.get(timeout=90)
        for each in readers:
            each.join(10)
            each.kill()


def timed(ask: Callable[[], object], answers: int = ANSWERS) -> list[float]:
    """Return how many seconds each answer took; a scorer rests a moment between two."""
    found = []
    for _ in range(answers):
        begun = time.perf_counter()
        ask()
        found.append(time.perf_counter() - begun)
        time.sleep(_REST)
    return found


class Scorer:
    """Somebody who records a match."""

    def __init__(self, address: str, token: str, base: str = "") -> None:
        """`base` is the path below which the club is, in a house of clubs."""
        host, _, port = address.removeprefix("http://").partition(":")
        self.line = HTTPConnection(host, int(port), timeout=120)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        opening = {"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}
        self.base = base
        self.match = self.ask("POST", "/api/v1/matches", {"events": [opening]})["match"]
        self.seqs = count(1)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Return what the server says; all must be well."""
        self.line.request(method, self.base + path, json.dumps(body) if body else None, self.headers | headers)
        answer = self.line.getresponse()
        said = answer.read()
        assert answer.status in (200, 201), (answer.status, said)
        return json.loads(said)

    def trivial(self) -> None:
        """Ask for something that costs nothing."""
        self.ask("GET", "/api/v1/me")

    def append(self) -> None:
        """Record an event."""
        self.ask(
            "POST", f"/api/v1/matches/{self.match}/events", {"events": [_NOTE]}, **{"If-Match": f'"{next(self.seqs)}"'}
        )


def told(seconds: list[float]) -> str:
    """Return the median and the 99th percentile in words."""
    return f"p50 {median(seconds) * 1e3:.1f} ms, p99 {quantiles(seconds, n=100)[98] * 1e3:.1f} ms"


def main(size: int) -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        token, matches = filled(path)
        with running(command("serve", "--db", str(path), "--port", "0")) as (address, _):
            scorer = Scorer(address, token)
            kinds = {"a trivial answer": scorer.trivial, "an event appended": scorer.append}
            for ask in kinds.values():
                timed(ask, WARMING_UP)
            idle = {kind: timed(ask) for kind, ask in kinds.items()}
            begun = time.perf_counter()
            with crowd(size, address, addresses_of(matches)) as statuses:
                crowded = {kind: timed(ask) for kind, ask in kinds.items()}
                spent = time.perf_counter() - begun
    for kind in kinds:
        times = quantiles(crowded[kind], n=100)[98] / quantiles(idle[kind], n=100)[98]
        row(
            f"{kind}, {size} readers",
            1 / median(crowded[kind]),
            "a second",
            None,
            f"idle {told(idle[kind])}; crowded {told(crowded[kind])}; p99 {times:.1f} × (goal {GOAL})",
        )
    row("readers' answers", sum(statuses.values()) / spent, "a second", None, f"{dict(statuses)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else scaled(READERS, 3))
