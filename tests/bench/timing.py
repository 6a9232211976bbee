"""How the benchmarks measure: medians of several runs, beside the speed of this very core.

With `--tiny` every benchmark does very little of everything: its figures say nothing then, but that it still runs.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from statistics import median

TINY = "--tiny" in sys.argv
if TINY:
    sys.argv.remove("--tiny")  # what else stands there is for the benchmark


def scaled(full: int, tiny: int) -> int:
    """Return how much is to be done: so that figures say something, or so little that it takes no time."""
    return tiny if TINY else full


def seconds(work: Callable[[], object], runs: int = 7, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the median seconds of `work` over several runs, by the clock or by what this process worked."""
    times = []
    for _ in range(scaled(runs, 1)):
        gc.collect()
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)


def loop_speed() -> float:
    """Return turns a second of an empty Python loop (`while` with a counter) on this core."""
    turns = scaled(2_000_000, 20_000)

    def empty() -> None:
        i = 0
        while i < turns:
            i += 1

    return turns / seconds(empty, 5)


def row(what: str, speed: float, unit: str, goal: float | None = None, ratio: str = "") -> None:
    """Print a figure, with its goal and a ratio where there are such."""
    against = f"goal {goal:>12,.0f}" if goal else ""
    print(f"{what:<44} {speed:>12,.0f} {unit:<12} {against} {ratio}".rstrip(), flush=True)
