"""Speed of the ledger: import, one event at a time, rebuild; beside bare sqlite3 and bare psycopg on the same disk.

Run: python -m tests.bench.store    (the part of PostgreSQL starts a server of its own)
"""

from __future__ import annotations

import gc
import sqlite3
import tempfile
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median, quantiles

from cardledger.crew import Crew, Processes
from cardledger.record.matches.matchfile import read_file, write
from cardledger.record.readmodels.filling import filling
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.verification import checked
from cardledger.record.store.codec import decode
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from tests.bench import postgres
from tests.bench.timing import loop_speed, row, scaled, seconds

MATCHES = scaled(30, 1)


def main() -> None:
    """Measure and print."""
    gc.set_threshold(50_000, 20, 20)
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.jsonl"
        matches = [match for game in games() for match in league(game, 4, 1, MATCHES, max_hands=6)]
        path.write_bytes(b"".join(write(match) for match in matches))
        events = sum(map(len, matches))
        row("events in the archive", events, "")
        number = count()

        def bulk() -> None:
            ledger = Ledger(Path(folder) / f"{next(number)}.db")
            for _ in ledger.import_matches(read_file(path)):
                pass
            ledger.close()

        row("import, judged and durable, tables caught up", events / seconds(bulk, 3), "events/s", 60_000)
        row("read and judge the file only", events / seconds(lambda: list(read_file(path)), 3), "events/s")
        ledger = Ledger(Path(folder) / "0.db")
        recordings, names = ledger.store.recordings, ledger.store.names
        row(
            "stored rows, decoded", events / seconds(lambda: [decode(r.lines, names) for r in recordings()]), "events/s"
        )
        folded = events / seconds(lambda: [Stream.of(decode(r.lines, names)) and None for r in recordings()])
        row("rebuild of every state from stored rows", folded, "events/s", 400_000)
        row("rebuild of the read models", events / seconds(lambda: list(ledger.rebuild()), 5), "events/s")
        row("verify: hashes, rules, tables", events / seconds(lambda: list(ledger.verify()), 3), "events/s")
        shared(Path(folder))
        single(Path(folder))
        postgres.measure(Path(folder), path, ledger)
        ledger.close()


def shared(folder: Path) -> None:
    """Rebuild and verify a large ledger alone and with two workers, taking turns; they are hired already."""
    path = folder / "large.db"
    with Ledger(path) as ledger, closing(Processes(filling, 2)) as fillers, closing(Processes(checked, 2)) as checkers:
        for seed in range(scaled(5, 1)):
            file = folder / "large.jsonl"
            leagues = (league(game, 4, 2 + seed, MATCHES, max_hands=6) for game in games())
            file.write_bytes(b"".join(write(match) for each in leagues for match in each))
            for _ in ledger.import_matches(read_file(file)):
                pass
        events = ledger.count()
        row("events in a large ledger", events, "")
        for what, work, crew in (("rebuilt", ledger.rebuild, fillers), ("verified", ledger.verify, checkers)):
            times: dict[Crew | None, list[float]] = {None: [], crew: []}
            for round_ in range(scaled(4, 1) + 1):
                for workers in times:
                    start = time.perf_counter()
                    list(work(workers))
                    if round_:
                        times[workers].append(time.perf_counter() - start)
            alone, together = (median(taken) for taken in times.values())
            row(f"{what} by this process", events / alone, "events/s")
            row(f"{what} by two workers", events / together, "events/s", None, f"{alone / together:.2f} × alone")


def single(folder: Path) -> None:
    """Append events one by one, through the ledger and through bare sqlite3, taking turns on the same disk."""
    ledger = Ledger(folder / "single.db")
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, match, seq, line, hash)")
    bare.execute("CREATE UNIQUE INDEX events_match_seq ON events (match, seq)")
    ours, theirs = [], []
    for number, match in enumerate(league("diversity", 4, 2, scaled(6, 1))):
        id = None
        for seq, event in enumerate(match):
            start = time.perf_counter()
            id = ledger.record(id, [event], seq).match
            middle = time.perf_counter()
            bare.execute("BEGIN IMMEDIATE")
            values = (str(number), seq, ev.encode(event), bytes(32))
            bare.execute("INSERT INTO events (match, seq, line, hash) VALUES (?, ?, ?, ?)", values)
            bare.execute("COMMIT")
            ours.append(middle - start)
            theirs.append(time.perf_counter() - middle)
    for what, times in (("one event through record", ours), ("one row through bare sqlite3", theirs)):
        row(what, 1 / median(times), "events/s", None, f"p99 {quantiles(times, n=100)[98] * 1e3:.2f} ms")
    print(f"record / bare sqlite3 (medians): {median(theirs) / median(ours):.2f} (goal 0.50)")
    ledger.close()
    bare.close()


if __name__ == "__main__":
    main()
