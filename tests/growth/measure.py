"""Whether the cost of reading grows with the size: counted in calls, and in processor time where C does the work.

Calls are counted exactly, so two doublings are compared as they are. Processor time is that of this thread, the least
of several runs; it counts only beyond a floor, and only if the growth goes on when the input is doubled again. Noise
makes a run longer, never shorter, so another try can only clear a reader of a suspicion.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from types import CodeType, FrameType
from typing import NamedTuple

Read = Callable[[bytes], object]
Shape = Callable[[int], bytes]
MOST: float = 2.5
"""How much more the second doubling may add than the first: as much again is 2, the square is 4."""
FLOOR_CALLS = 300
FLOOR_SECONDS = 0.02
_TRIES = 4


class Cost(NamedTuple):
    """What it cost to read sizes of which each is twice the one before."""

    what: str
    costs: list[float]

    def grows(self, floor: float) -> bool:
        """Tell whether every doubling added more than it may."""
        added = [after - before for before, after in zip(self.costs, self.costs[1:], strict=False)]
        return all(after > MOST * max(before, 0) + floor for before, after in zip(added, added[1:], strict=False))

    def __str__(self) -> str:
        return f"{self.what}: " + ", ".join(f"{cost:,.4g}" for cost in self.costs)


def calls_of(read: Read, data: bytes, codes: set[CodeType] | None = None) -> int:
    """Return the calls of functions, in Python and in C, that a reader makes."""
    count = 0

    def seen(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1
            if codes is not None and event == "call":
                codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        read(data)
    finally:
        sys.setprofile(before)
    return count


def seconds_of(read: Read, data: bytes) -> float:
    """Return the processor time that a reader takes."""
    gc.disable()
    try:
        began = time.thread_time()
        read(data)
        return time.thread_time() - began
    finally:
        gc.enable()


def too_much(read: Read, shape: Shape, size: int) -> Cost | None:
    """Return the cost of reading a shape if it grows faster than the size, seen at three doublings from a size on."""
    read(shape(size // 4))  # what is made once is made
    sizes = [size, 2 * size, 4 * size, 8 * size]
    calls = Cost("calls", [calls_of(read, shape(each)) for each in sizes[:3]])
    if calls.grows(FLOOR_CALLS):
        calls.costs.append(calls_of(read, shape(sizes[3])))
        if calls.grows(FLOOR_CALLS):
            return calls
    times = Cost("seconds", [])
    for each in sizes[:3]:
        times.costs.append(seconds_of(read, shape(each)))
    for _ in range(_TRIES):
        if not times.grows(FLOOR_SECONDS):
            return None
        for place, each in enumerate(sizes[: len(times.costs)]):
            times.costs[place] = min(times.costs[place], seconds_of(read, shape(each)))
        if len(times.costs) < len(sizes):
            times.costs.append(seconds_of(read, shape(sizes[3])))
    return times if times.grows(FLOOR_SECONDS) else None
