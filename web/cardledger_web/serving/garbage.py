"""What lives long is not searched for cycles again and again.

A server keeps folded matches, pages and tables: a million objects and more. Python's full collections look at all of
them, 50 ms each time, a few times in ten busy seconds; nobody is answered meanwhile. So what a full collection leaves
is set aside (`gc.freeze`), and the next one looks at what came since. What is set aside is still freed when nobody
refers to it; only cycles among it wait until all is searched again.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEARCHED = 600.0
"""Seconds after which a full collection looks at everything again."""
_OLDEST = 2


def search_everything() -> None:
    """Free what is no longer used now, what was set aside included: a ledger that was closed is full of cycles."""
    gc.unfreeze()
    gc.collect()


@contextmanager
def long_lives_set_aside(clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Set aside what full collections leave, as long as the block runs.

    Args:
        clock: Seconds, as `time.monotonic` gives them.
    """
    searched = clock()

    def collecting(phase: str, told: dict[str, int]) -> None:
        nonlocal searched
        if told["generation"] != _OLDEST:
            return
        if phase == "stop":
            gc.freeze()
        elif clock() - searched >= SEARCHED:
            searched = clock()
            gc.unfreeze()

    gc.collect()
    gc.freeze()
    gc.callbacks.append(collecting)
    try:
        yield
    finally:
        gc.callbacks.remove(collecting)
        gc.unfreeze()
