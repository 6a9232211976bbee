"""What clubs of one house notice of each other: the flood of one, and a dozen that score at once.

Run: python -m tests.bench.neighbours [READERS]    (40 readers; needs addresses in 127/8, as Linux has)
"""

from __future__ import annotations

import sys
import tempfile
import time
from http.client import HTTPConnection
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.bench.crowd import READERS, Scorer, addresses_of, crowd, filled, told
from tests.bench.timing import loop_speed, row, scaled
from tests.web.server import command, running

CLUBS = scaled(12, 2)
ANSWERS = scaled(600, 6)
EVENTS = scaled(150, 3)
"""Events that each scorer appends."""
GOALS = {"flood": 1.1, "scoring": 0.9}


def patient(address: str, paths: list[str], answers: int) -> list[float]:
    """Return how many seconds each answer to a reader took, who asks twenty times a second."""
    host, _, port = address.removeprefix("http://").partition(":")
    line, found = HTTPConnection(host, int(port), timeout=60), []
    for path, _ in zip(cycle(paths), range(answers), strict=False):
        begun = time.perf_counter()
        line.request("GET", path)
        line.getresponse().read()
        found.append(time.perf_counter() - begun)
        time.sleep(0.05)
    line.close()
    return found


def scoring(address: str, token: str, base: str, ready: Any, begin: Any) -> None:
    """Append events to a match of a club, as fast as the server takes them, from a common beginning on."""
    scorer = Scorer(address, token, base)
    ready.release()
    begin.wait()
    for _ in range(EVENTS):
        scorer.append()


def appended(address: str, tokens: list[tuple[str, str]]) -> float:
    """Return how many events a second the server takes from scorers, each with a token and the club's address."""
    context = get_context("fork")
    ready, begin = context.Semaphore(0), context.Event()
    scorers = [context.Process(target=scoring, args=(address, token, base, ready, begin)) for token, base in tokens]
    for each in scorers:
        each.start()
    for _ in scorers:
        ready.acquire()
    begun = time.perf_counter()
    begin.set()
    for each in scorers:
        each.join()
    assert not any(each.exitcode for each in scorers)
    return len(tokens) * EVENTS / (time.perf_counter() - begun)


def main(size: int) -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        made = [filled(Path(folder) / f"club-{number}.db") for number in range(CLUBS)]
        with running(command("serve", "--clubs", folder, "--port", "0", "--rate", "0")) as (address, _):
            first, other = ([f"/c/club-{club}{path}" for path in addresses_of(made[club][1])] for club in (0, 1))
            patient(address, other, len(other))
            alone = patient(address, other, ANSWERS)
            with crowd(size, address, first):
                beside = patient(address, other, ANSWERS)
            apart = [(token, f"/c/club-{number}") for number, (token, _) in enumerate(made)]
            together = [(made[0][0], "/c/club-0")] * CLUBS
            rates = [(appended(address, apart), appended(address, together)) for _ in range(scaled(3, 1))]
    times = quantiles(beside, n=100)[98] / quantiles(alone, n=100)[98]
    said = f"alone {told(alone)}; beside it {told(beside)}; p99 {times:.1f} × (goal {GOALS['flood']})"
    row(f"a reader beside a club that {size} ask", 1 / median(beside), "a second", None, said)
    clubs, one = (median(rate) for rate in zip(*rates, strict=True))
    said = f"{clubs / one:.2f} of those of {CLUBS} scorers in one club (goal {GOALS['scoring']})"
    row(f"events of {CLUBS} clubs at once", clubs, "a second", None, said)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else scaled(READERS, 3))
