"""Thousands of readers who follow the whole ledger with filters, on one small server: how soon each has an event, and what it costs.

Run: python -m tests.bench.followers
"""

from __future__ import annotations

import os
import resource
import tempfile
import threading
import time
import urllib.request
from contextlib import closing
from itertools import combinations, islice
from pathlib import Path
from statistics import median, quantiles

from cardledger.count_of import count_of
from cardledger.record.recording.ledger import Ledger
from cardledger_api.http.streams import TYPES
from tests.api.test_crowds import memory
from tests.api.test_live import serving
from tests.api.viewers import Viewers
from tests.bench.timing import loop_speed, row, scaled
from tests.web.club import opened

READERS = scaled(2000, 20)
EVENTS = scaled(50, 3)
PAUSE = 0.2
"""Seconds between two events."""
_CLIENTS = 50
_TICKS = os.sysconf("SC_CLK_TCK")


def filters(number: int) -> list[str]:
    """Return different filters, each of which lets notes of the game through."""
    others = [name for name in TYPES if name != "note"]
    chosen = islice((pair for size in (1, 2, 3) for pair in combinations(others, size)), number)
    return [f"/live?game=diversity&kind=matches&type=note,{','.join(names)}" for names in chosen]


def busy(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def followed(paths: list[str]) -> None:
    """Record events while readers follow, and print how soon they had them."""
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "club.db") as ledger:
        match = ledger.record(None, [opened()], 0).match
        with serving(ledger, places=READERS + 100) as (address, process, token):
            urllib.request.urlopen(f"{address}/api/v1/games").close()
            empty = memory(process.pid)
            with closing(Viewers(address, paths, READERS, _CLIENTS)) as crowd:
                began = time.monotonic()
                crowd.listen(lambda: len(crowd.begun) == READERS, 120)
                began = time.monotonic() - began
                assert len(crowd.begun) == READERS, f"{len(crowd.begun)} of {READERS} have a stream"
                took, worked, recorded = memory(process.pid) - empty, busy(process.pid), []

                def record() -> None:
                    for seq in range(1, EVENTS + 1):
                        headers = {"Authorization": f"Bearer {token}"}
                        note = urllib.request.Request(f"{address}/note/{match}/{seq}", b"", headers)
                        recorded.append(time.monotonic())
                        urllib.request.urlopen(note).close()
                        time.sleep(PAUSE)

                writer = threading.Thread(target=record)
                writer.start()
                crowd.listen(lambda: not writer.is_alive() and crowd.have(EVENTS + 1) == READERS, 120)
                writer.join()
                assert crowd.lost == 0
                assert all([*came] == [*range(2, EVENTS + 2)] for came in crowd.came), "each once and in order"
                worked = busy(process.pid) - worked
            waits = [came[position] - recorded[position - 2] for came in crowd.came for position in came]
    about = count_of(len(paths), "filter")
    row(f"{about}: readers begun", READERS / began, "a second")
    row(f"{about}: memory of a reader", took / READERS * 1000, "kB")
    row(f"{about}: an event is with half of them", median(waits) * 1000, "ms")
    row(f"{about}: with 99 of 100", quantiles(waits, n=100)[98] * 1000, "ms")
    row(f"{about}: with all", max(waits) * 1000, "ms")
    row(f"{about}: processor time of an event", worked / EVENTS * 1000, "ms")


def main() -> None:
    """Print figures for one filter that all share, for some, and for many."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * READERS + 1000, hard), hard))
    row("an empty loop", loop_speed(), "turns/s")
    print(f"{READERS} readers, {EVENTS} events, one every {PAUSE} s")
    for number in (1, 20, scaled(200, 2)):
        followed(filters(number))


if __name__ == "__main__":
    main()
