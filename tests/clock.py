"""A clock in place of a module's `time`, which no slow machine makes go faster."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """The time of one module of the program; it passes only while that module sleeps, or a test adds to `now`."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept = 0.0
        self.sleeps = 0
        self.then: Callable[[], object] = lambda: None
        """What happens at every sleep."""

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass, at once."""
        self.now += seconds
        self.slept += seconds
        self.sleeps += 1
        self.then()
