"""What every process of the comparison does: a fixed amount of work some times, and the median speed on a line."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from statistics import median

RUNS = 1 if "--tiny" in sys.argv else 7


def speed(name: str, amount: int, work: Callable[[], object]) -> None:
    """Print how much of `amount` is done in a second of this process's work, the median of several runs."""
    times = []
    for _ in range(RUNS):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    said(name, amount / median(times))


class Watch:
    """Times pieces of work by the clock, waiting for the disk included, and by what this process worked."""

    def __init__(self) -> None:
        self._clock: list[float] = []
        self._work: list[float] = []

    def time(self, work: Callable[[], object]) -> None:
        """Do a piece of work."""
        clock, worked = time.perf_counter(), time.process_time()
        work()
        self._clock.append(time.perf_counter() - clock)
        self._work.append(time.process_time() - worked)

    def say(self, name: str, amount: int) -> None:
        """Print how much is done in a second of either, medians, where each piece was `amount`."""
        said(name, amount / median(self._clock))
        said(f"{name}, work alone", amount / median(self._work))


def said(name: str, value: float) -> None:
    """Print a figure."""
    print(json.dumps([name, value]), flush=True)


gc.set_threshold(50_000, 20, 20)
