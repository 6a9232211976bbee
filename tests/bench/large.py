"""Pages of a ledger of a million hands from score sheets: the first answer of a process, answers again, and after another match.

Run: python -m tests.bench.large [--hands N] [--players N] [FILE]

A file that does not exist is filled, which takes a few minutes; one that exists is used as it is, and grows by a few matches.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.ledger import Ledger
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.bench.stats import HANDS, claimed, matches
from tests.bench.timing import TINY, loop_speed, scaled

GAME = "diversity"
PAGES = (
    f"/stats/{GAME}",
    f"/stats/{GAME}?since=2023-01-01",
    f"/games/{GAME}/leaders",
    "/players",
    "/players/player-07",
    "/players/player-07?by=month",
    "/players/player-07/against/player-08",
    "/violations",
    "/worth-seeing",
    "/season",
    f"/api/v1/tables/players?game={GAME}",
    f"/api/v1/tables/player?player=player-07&game={GAME}",
    f"/api/v1/tables/ratings?game={GAME}",
)
ROUNDS = scaled(5, 1)


def fill(path: Path, hands: int, players: int) -> None:
    """Record the matches, bring all tables up to date, and compute all statistics from nothing."""
    start = time.perf_counter()
    with Ledger(path) as ledger:
        for _ in ledger.import_matches(matches(hands // HANDS, players), day="2026-01-01"):
            pass
        ledger.views.catch_up()
        filled = time.perf_counter()
        ratings.bring_up_to_date(ledger.views)
        rated = time.perf_counter()
        Statistics(ledger.views).players(GAME, Query())
        compared = time.perf_counter()
        with LuckStore(ledger) as store:
            store.catch_up()
    print(
        f"{hands:,} hands of {players:,} players recorded in {filled - start:.0f} s, rated in {rated - filled:.1f} s,"
        f" read and compared in {compared - rated:.1f} s, read for luck and review in {time.perf_counter() - compared:.0f} s",
        flush=True,
    )


def asked(path: Path, players: int) -> None:
    """Ask for the pages in this process."""
    start = time.perf_counter()
    app = create_app(path, limits=Limits.of(0))
    print(f"{'opened in':<44} {1e3 * (time.perf_counter() - start):>14.0f} ms", flush=True)
    client, ledger, rng = app.test_client(), ledger_of(app), Random(2)

    def milliseconds(page: str) -> float:
        start = time.perf_counter()
        answer = client.get(page)
        assert answer.status_code in (200, 503), (page, answer.status_code)
        answer.get_data()
        return 1e3 * (time.perf_counter() - start)

    def waiting(page: str) -> float:
        """Return the seconds until a page has its figures."""
        start = time.perf_counter()
        while client.get(page).status_code == 503:
            time.sleep(0.1)
        return time.perf_counter() - start

    for page in PAGES:
        first, ready, again, fresh = milliseconds(page), waiting(page), [], []
        for _ in range(ROUNDS):
            again.append(milliseconds(page))
            ledger.record(None, claimed(rng, players=players), 0)
            fresh.append(milliseconds(page))
        print(
            f"{page:<54} first {first:>5.0f} ms, figures {ready:>4.1f} s later"
            f"   again {median(again):>6.1f} ms   after another match {median(fresh):>6.1f} ms",
            flush=True,
        )
    print(f"memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB", flush=True)
    access_of(app).close()
    ledger.close()


def main(path: Path, hands: int, players: int) -> None:
    """Measure in two processes, one after the other, and print."""
    print(f"empty loop {loop_speed():,.0f} turns/s", flush=True)
    if not path.exists():
        fill(path, hands, players)
    for process in ("first", "second"):
        print(f"the {process} process", flush=True)
        command = [sys.executable, "-m", "tests.bench.large", "--ask", "--players", str(players), str(path)]
        subprocess.run([*command, *["--tiny"] * TINY], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=scaled(1_000_000, 800))
    parser.add_argument("--players", type=int, default=scaled(1_000, 60))
    parser.add_argument("--ask", action="store_true")
    parser.add_argument("file", type=Path, nargs="?")
    given = parser.parse_args()
    if given.ask:
        asked(given.file, given.players)
    elif given.file:
        main(given.file, given.hands, given.players)
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder) / "large.db", given.hands, given.players)
