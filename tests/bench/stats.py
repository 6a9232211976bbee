"""Speed of the statistics: a league of 100,000 hands asked for what pages ask for, and everything computed anew.

Run: python -m tests.bench.stats
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from ledger import events as ev
from ledger.bots.simulation import league
from ledger.corrections import Stream
from ledger.games import games
from ledger.ledger import Ledger
from ledger.matchfile import Match
from ledger.readmodels import ratings
from ledger.stats import Query, Statistics
from tests.bench.timing import loop_speed, row, seconds

PLAYERS, MATCHES, HANDS = 60, 25_000, 4


def claimed(rng: Random, number: int = MATCHES - 1) -> list[ev.Event]:
    """Return a match of diversity whose hands are lines of a score sheet."""
    players = tuple(f"player-{n:02}" for n in rng.sample(range(PLAYERS), 4))
    date = f"{2020 + number * 5 // MATCHES}-{number * 60 // MATCHES % 12 + 1:02}-{number % 28 + 1:02}"
    events: list[ev.Event] = [ev.Open(game="diversity", players=players, date=date, event=f"night {number % 200}")]
    for hand in range(HANDS):
        cuts = sorted(rng.sample(range(16), 3))
        taken = (cuts[0], cuts[1] - cuts[0] - 1, cuts[2] - cuts[1] - 1, 15 - cuts[2])
        events += [ev.Deal(dealer=hand % 4, hands=None), ev.Claim(tricks=taken)]
    return events


def matches(number: int) -> Iterator[Match]:
    """Yield the matches of the league."""
    rng = Random(1)
    for n in range(number):
        events = claimed(rng, n)
        yield Match("league", n, Stream.of(events), events)


def main() -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        played(Path(folder))
        ledger = Ledger(Path(folder) / "league.db")
        for _ in ledger.import_matches(matches(MATCHES)):
            pass
        asked(ledger)
        ledger.close()


def played(folder: Path) -> None:
    """Compute everything anew from hands that bots played card by card."""
    ledger = Ledger(folder / "played.db")
    for game in games():
        found = [Match("bots", 1, Stream.of(match), match) for match in league(game, 4, 1, 25, max_hands=8)]
        for _ in ledger.import_matches(found):
            pass
    hands = ledger.views.database["counts"].count

    def anew() -> None:
        for _ in ledger.rebuild():
            pass
        ratings.bring_up_to_date(ledger.views)

    row("all read models and ratings anew, all games", 60 * hands / seconds(anew, 5), "hands/min", 100_000)
    ledger.close()


def asked(ledger: Ledger) -> None:
    """Ask what pages ask, first of all, again, and after another hand."""
    start = time.perf_counter()
    ratings.bring_up_to_date(ledger.views)
    row("ratings anew, matches", MATCHES / (time.perf_counter() - start), "matches/s")
    stats = Statistics(ledger.views)
    questions = {
        "players of a game, compared": lambda: stats.players("diversity", Query()),
        "the same, a year of it": lambda: stats.players("diversity", Query(since="2023-01-01", until="2023-12-31")),
        "a measure by seat from the dealer": lambda: stats.players("diversity", Query(by="turn"), "tricks"),
        "one player": lambda: stats.player("player-07", Query()),
        "one player by month": lambda: stats.player("player-07", Query(by="month")),
        "one player by opponent": lambda: stats.player("player-07", Query(by="opponent")),
        "one player by hands taken": lambda: stats.player("player-07", Query(by="taken")),
        "head to head": lambda: stats.player("player-07", Query(against=("player-08",))),
        "a club night": lambda: stats.players("diversity", Query(event="night 7")),
        "ratings": lambda: stats.ratings("diversity"),
        "rating of one player": lambda: stats.ratings("diversity", "player-07"),
    }
    start = time.perf_counter()
    stats.players("diversity", Query())
    print(f"{'the first question of a process':<44} {1e3 * (time.perf_counter() - start):>12.0f} ms")
    rng = Random(2)
    for what, ask in questions.items():
        again, fresh = [], []
        for _ in range(5):
            ledger.record(None, claimed(rng), 0)
            start = time.perf_counter()
            ask()
            fresh.append(time.perf_counter() - start)
            start = time.perf_counter()
            ask()
            again.append(time.perf_counter() - start)
        print(
            f"{what:<44} {1e3 * median(again):>12.1f} ms  {1e3 * median(fresh):>8.0f} ms after another match",
            flush=True,
        )


if __name__ == "__main__":
    main()
