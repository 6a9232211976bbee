"""Server time of the pages with 100,000 hands in the ledger, played by bots under the names of a club.

Run: python -m tests.bench.pages
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import date, timedelta
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING

import msgspec

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.bench.timing import loop_speed, scaled
from tests.conftest import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

    from cardledger.rules.engine import events as ev

HANDS = scaled(100_000, 600)
PLAYERS = [f"player {number:03}" for number in range(300)]
EACH = scaled(12, 1)
"""Matches of a game that bots play in earnest; the rest are the same courses under other names and dates."""
LONG = scaled(100, 20)
"""Hands of the longest match."""
GOAL_MS = 30
ROUNDS = scaled(200, 2)
WARMING = scaled(10, 0)


def courses() -> list[list[ev.Event]]:
    """Return matches of every game, the samples with broken rules and with corrections, and one long match."""
    found = [match for game in games() for match in league(game, 4, 1, EACH, max_hands=6)]
    samples = [match for path in sorted(SAMPLES.glob("*s*s.jsonl")) for match in read_file(path)]
    found += [match.events for match in samples if isinstance(match, MatchInFile)]
    return [*found, *league("diamonds-bid", 4, 2, 1, ["random"], options={"target": 10**6}, max_hands=LONG)]


def club(hands: int) -> Iterator[MatchInFile]:
    """Yield matches until there are enough hands: a few club nights a week, the same people at changing tables."""
    rng, played = Random(1), 0
    for number, (opening, *rest) in enumerate(cycle(courses())):
        if played >= hands:
            return
        night = date(2020, 1, 1) + timedelta(days=number // 10)
        named = msgspec.structs.replace(
            opening,
            players=tuple(rng.sample(PLAYERS, len(opening.players))),
            event=f"club night {number // 10}",
            table=f"table {number % 10}",
            place=("Old Mill", "Café Zoë", "Library")[number % 3],
            date=night.isoformat(),
        )
        events = [named, *rest]
        stream = Stream.of(events)
        played += len(stream.table.hands)
        yield MatchInFile("bench", number, stream, events)


def fill(path: Path, hands: int) -> None:
    """Import the club's matches."""
    start = time.perf_counter()
    with Ledger(path) as ledger:
        matches = sum(1 for _ in ledger.import_matches(club(hands), day="2026-01-01"))
    print(f"{matches:,} matches with {hands:,} hands imported in {time.perf_counter() - start:.0f} s", flush=True)


def milliseconds(client: FlaskClient, paths: list[str]) -> tuple[list[float], list[float]]:
    """Return how long the server took for each of so many answers, and how long it worked; the first ones left out."""
    took, worked = [], []
    for number in range(ROUNDS + WARMING):
        start, cpu = time.perf_counter(), time.thread_time()
        answer = client.get(paths[number % len(paths)])
        answer.get_data()
        took.append((time.perf_counter() - start) * 1e3)
        worked.append((time.thread_time() - cpu) * 1e3)
        assert answer.status_code == 200, paths
    return took[WARMING:], worked[WARMING:]


def addresses(ledger: Ledger) -> dict[str, list[str]]:
    """Return what to ask for by what it is: several of a kind, so that not all is remembered from the time before."""
    read = ledger.views.reader.execute
    matches = [row[0] for row in read("SELECT match FROM matches WHERE hands < 20 ORDER BY match LIMIT 400")]
    (long,) = read("SELECT match FROM matches WHERE hands >= ? LIMIT 1", (LONG,)).fetchone()
    busy = read("SELECT position FROM matches ORDER BY position LIMIT 1 OFFSET 50").fetchone()[0]
    return {
        "home": ["/"],
        "match": [f"/matches/{match}" for match in matches],
        f"match of {LONG} hands": [f"/matches/{long}"],
        "hand": [f"/matches/{match}/hands/1" for match in matches],
        "match as CSV": [f"/matches/{match}.csv" for match in matches],
        "matches": ["/matches"],
        "matches, last page": [f"/matches?after={busy}"],
        "matches of a player": [f"/matches?player=player+{number:03}" for number in range(50)],
        "matches of a player and game": [f"/matches?game=ruff&player=player+{number:03}" for number in range(50)],
        "matches of an event": [f"/matches?event=club+night+{number}" for number in range(50)],
        "matches of a week": ["/matches?since=2021-02-01&until=2021-02-08"],
        "matches ended early": ["/matches?status=ended"],
        "matches under way": ["/matches?status=open"],
        "matches with violations": ["/matches?violations=true"],
        "leaders": ["/games/ruff/leaders"],
        "search, a player": ["/search?q=player+17"],
        "search, an event": ["/search?q=night+111"],
        "search, a place": ["/search?q=zoe"],
        "search, nothing": ["/search?q=nobody+at+all"],
        "player": [f"/players/player%20{number:03}" for number in range(50)],
        "player by month": [f"/players/player%20{number:03}?game=ruff&by=month" for number in range(50)],
        "player by opponent": [f"/players/player%20{number:03}?game=ruff&by=opponent" for number in range(50)],
        "head to head": [f"/players/player%20{number:03}/against/player%20{number + 1:03}" for number in range(50)],
        "statistics of a game": [f"/stats/{game}" for game in games()],
        "statistics of a year": [f"/stats/{game}?since=2021-01-01&until=2021-12-31" for game in games()],
        "season": ["/season"],
        "season of an event": [f"/season?event=club+night+{number}" for number in range(50)],
        "hands worth seeing": ["/worth-seeing", *(f"/worth-seeing?game={game}" for game in games())],
        "who is who": ["/people"],
        "players": ["/players"],
        "violations": ["/violations"],
        "audit": [f"/matches/{match}/audit" for match in matches],
        "replay": [f"/matches/{match}/replay/20" for match in matches],
    }


def main(path: Path) -> None:
    """Measure and print."""
    print(f"empty loop {loop_speed():,.0f} turns/s", flush=True)
    if not path.exists():
        fill(path, HANDS)
    app = create_app(path, limits=Limits.of(0))
    client = app.test_client()
    for what, paths in addresses(ledger_of(app)).items():
        if client.get(paths[0]).status_code == 404:
            continue
        took, worked = milliseconds(client, paths)
        half, most = median(took), quantiles(took, n=20)[18]
        over = "" if half <= GOAL_MS else "   over the goal"
        print(
            f"{what:<30} p50 {half:6.1f} ms   p95 {most:6.1f} ms   of it at work {median(worked):5.1f} ms{over}",
            flush=True,
        )
    access_of(app).close()
    ledger_of(app).close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder) / "club.db")
