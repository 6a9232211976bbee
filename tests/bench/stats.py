"""Speed of the statistics: the queries of the pages over a league of 100,000 hands, and a rebuild of everything.

Run: python -m tests.bench.stats
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats import Query, Statistics
from tests.bench.timing import loop_speed, row, scaled, seconds

PLAYERS, MATCHES, HANDS = 60, scaled(25_000, 300), 4


def claimed(rng: Random, share: float = 1.0, players: int = PLAYERS) -> list[ev.Event]:
    """Return a match of diversity whose hands are lines of a score sheet; `share` of five years have passed."""
    who = tuple(f"player-{n:02}" for n in rng.sample(range(players), 4))
    month = min(int(share * 60), 59)
    date = f"{2020 + month // 12}-{month % 12 + 1:02}-{rng.randrange(28) + 1:02}"
    events: list[ev.Event] = [ev.Open(game="diversity", players=who, date=date, event=f"night {rng.randrange(200)}")]
    for hand in range(HANDS):
        cuts = sorted(rng.sample(range(16), 3))
        taken = (cuts[0], cuts[1] - cuts[0] - 1, cuts[2] - cuts[1] - 1, 15 - cuts[2])
        events += [ev.Deal(dealer=hand % 4, hands=None), ev.Claim(tricks=taken)]
    return events


def matches(number: int, players: int = PLAYERS) -> Iterator[MatchInFile]:
    """Yield complete matches of a league, month by month."""
    rng = Random(1)
    for n in range(number):
        events = claimed(rng, n / number, players)
        while (stream := Stream.of(events)).table.status != "complete":  # four hands can end in a tie
            events = claimed(rng, n / number, players)
        yield MatchInFile("league", n, stream, events)


def main() -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        played(Path(folder))
        ledger = Ledger(Path(folder) / "league.db")
        for _ in ledger.import_matches(matches(MATCHES), day="2026-01-01"):
            pass
        asked(ledger)
        ledger.close()


def played(folder: Path) -> None:
    """Rebuild everything from hands that bots played card by card."""
    ledger = Ledger(folder / "played.db")
    for game in games():
        found = [
            MatchInFile("bots", 1, Stream.of(match), match) for match in league(game, 4, 1, scaled(25, 1), max_hands=8)
        ]
        for _ in ledger.import_matches(found, day="2026-01-01"):
            pass
    hands = ledger.views.reader.execute("SELECT count(*) FROM counts").fetchone()[0]

    def rebuild() -> None:
        for _ in ledger.rebuild():
            pass
        ratings.bring_up_to_date(ledger.views)

    row("rebuild of all read models and ratings, all games", 60 * hands / seconds(rebuild, 5), "hands/min", 100_000)
    ledger.close()


def asked(ledger: Ledger) -> None:
    """Ask what pages ask, first of all, again, and after another hand."""
    start = time.perf_counter()
    ratings.bring_up_to_date(ledger.views)
    row("rebuild of ratings, matches", MATCHES / (time.perf_counter() - start), "matches/s")
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
