"""Whether the cost of reading grows with the size: counted in calls, and in processor time where C does the work.

Calls are counted exactly, and small inputs show them. Processor time is that of this thread, the least of several runs,
beyond a floor: it sees what C does alone, and needs large inputs. Two doublings are compared; a growth counts only if it
goes on when the input is doubled again, so that a limit or a block which is just full is none. Noise makes a run longer,
never shorter: another try can only clear a reader of a suspicion.
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
_MOST_SIZES = 7


class Cost(NamedTuple):
    """What it cost to read sizes of which each is twice the one before."""

    what: str
    floor: float
    costs: list[float]

    @property
    def grows(self) -> bool:
        """Whether the last doubling added more than it may."""
        one, two, four = self.costs[-3:]
        return four - two > MOST * max(two - one, 0) + self.floor

    def __str__(self) -> str:
        return f"{self.what}: " + ", ".join(f"{cost:,.4g}" for cost in self.costs)


def calls_of(read: Read, data: bytes, codes: set[CodeType] | None = None) -> int:
    """Return the calls of functions, in Python and in C, that a reader makes, and what it says that it has made."""
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
        made = read(data)
    finally:
        sys.setprofile(before)
    return count + (made if isinstance(made, int) else 0)


def seconds_of(read: Read, data: bytes) -> float:
    """Return the processor time that a reader takes."""
    gc.disable()
    try:
        began = time.thread_time()
        read(data)
        return time.thread_time() - began
    finally:
        gc.enable()


def grown(read: Read, shape: Shape, size: int) -> Cost | None:
    """Return the calls that reading a shape takes if they grow faster than its size, at every one of some doublings."""
    read(shape(size // 4))  # what is made once is made
    calls = Cost("calls", FLOOR_CALLS, [calls_of(read, shape(times * size)) for times in (1, 2, 4)])
    while calls.grows and len(calls.costs) < _MOST_SIZES:
        calls.costs.append(calls_of(read, shape(size << len(calls.costs))))
    return calls if calls.grows else None


def slowed(read: Read, shape: Shape, size: int) -> Cost | None:
    """Return the processor time that reading a shape takes if it grows faster than its size, in the same way."""
    read(shape(size // 4))
    times = Cost("seconds", FLOOR_SECONDS, [seconds_of(read, shape(times * size)) for times in (1, 2, 4)])
    for _ in range(_TRIES):
        if not times.grows:
            return None
        times.costs[:] = [min(cost, seconds_of(read, shape(size << place))) for place, cost in enumerate(times.costs)]
    while times.grows and len(times.costs) < _MOST_SIZES:  # beyond a limit the first doublings show less than all
        times.costs.append(min(seconds_of(read, shape(size << len(times.costs))) for _ in range(_TRIES)))
    return times if times.grows else None
