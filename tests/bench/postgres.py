"""Speed of the ledger on PostgreSQL: import beside bare COPY, one event at a time beside a bare insert and commit.

Both take turns on one server, which writes what is committed to the disk. Run: python -m tests.bench.store
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median, quantiles

import psycopg

from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.address import Address
from cardledger.record.store.chain import START, chain
from cardledger.record.store.postgres import PostgresStore
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from tests.bench.timing import row, scaled
from tests.store.cluster import Cluster, programs

_RUNS = scaled(7, 1)
_BATCH = 5_000
_BARE = """CREATE TABLE bare (match text COLLATE "C", seq integer, position bigint, line text, hash bytea,
    PRIMARY KEY (match, seq));
    CREATE INDEX ON bare (position)"""


def measure(folder: Path, path: Path, source: Ledger) -> None:
    """Measure and print, with a match file and a ledger that holds its matches."""
    found = programs()
    if found is None:
        print("PostgreSQL is not here: no figures of it")
        return
    with closing(Cluster(found, synced=True)) as cluster:
        bulk(cluster, folder, path, source)
        single(cluster, folder)


def bulk(cluster: Cluster, folder: Path, path: Path, source: Ledger) -> None:
    """Store all events in transactions of a few thousand: bare, by the store alone, and judged by the ledger."""
    appends = [Append(match, 0, chain(START, lines)) for match, _, lines, *_ in source.store.recordings()]
    events = sum(len(append.lines) for append in appends)
    number = count()

    def bare(url: str) -> float:
        positions = count(1)
        with psycopg.connect(url) as db:
            db.execute(_BARE)
            db.commit()
            start = time.perf_counter()
            for batch in batches(appends):
                with db.cursor().copy("COPY bare FROM STDIN") as into:
                    for append in batch:
                        for seq, (line, digest) in enumerate(append.lines, 1):
                            into.write_row((append.match, seq, next(positions), line, digest))
                db.commit()
            return time.perf_counter() - start

    def store(url: str) -> float:
        with closing(PostgresStore(Address(url))) as opened:
            start = time.perf_counter()
            for batch in batches(appends):
                opened.append(batch)
            return time.perf_counter() - start

    def ledger(url: str) -> float:
        with Ledger(url, views=folder / f"pg-{next(number)}.views.db") as opened:
            start = time.perf_counter()
            for _ in opened.import_matches(read_file(path)):
                pass
            return time.perf_counter() - start

    speeds = turns({"bare": bare, "store": store, "ledger": ledger}, cluster.fresh, events)
    row("PostgreSQL: rows through bare COPY", speeds["bare"], "events/s")
    row("PostgreSQL: the store alone", speeds["store"], "events/s")
    row("PostgreSQL: import, judged, tables caught up", speeds["ledger"], "events/s")
    print(f"store / bare COPY (medians): {speeds['store'] / speeds['bare']:.2f} (goal 0.60)")
    print(f"import / bare COPY (medians): {speeds['ledger'] / speeds['bare']:.2f} (goal 0.60)")


def turns(works: dict[str, Callable[[str], float]], fresh: Callable[[], str], events: int) -> dict[str, float]:
    """Return the median speed of pieces of work that take turns, each with the tables made and empty."""
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(_RUNS):
        for name, work in works.items():
            speeds[name].append(events / work(fresh()))
    return {name: median(measured) for name, measured in speeds.items()}


def batches(appends: list[Append]) -> Iterator[list[Append]]:
    """Yield appends in groups of a few thousand events."""
    batch: list[Append] = []
    for append in appends:
        batch.append(append)
        if sum(len(each.lines) for each in batch) >= _BATCH:
            yield batch
            batch = []
    yield batch


def single(cluster: Cluster, folder: Path) -> None:
    """Append events one by one, through the ledger and through bare psycopg, taking turns on the same server."""
    ours, theirs = [], []
    url = cluster.fresh()
    with Ledger(url, views=folder / "pg-single.views.db") as ledger, psycopg.connect(url) as bare:
        bare.execute(_BARE)
        bare.commit()
        for number, match in enumerate(league("diversity", 4, 2, scaled(6, 1))):
            id = None
            for seq, event in enumerate(match):
                start = time.perf_counter()
                id = ledger.record(id, [event], seq).match
                middle = time.perf_counter()
                values = (str(number), seq, seq, ev.encode(event).decode(), bytes(32))
                bare.execute("INSERT INTO bare VALUES (%s, %s, %s, %s, %s)", values)
                bare.commit()
                ours.append(middle - start)
                theirs.append(time.perf_counter() - middle)
    for what, times in (("PostgreSQL: one event through record", ours), ("PostgreSQL: one row, bare psycopg", theirs)):
        row(what, 1 / median(times), "events/s", None, f"p99 {quantiles(times, n=100)[98] * 1e3:.2f} ms")
    print(f"record / bare psycopg (medians): {median(theirs) / median(ours):.2f}")
