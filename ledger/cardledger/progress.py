"""Progress of long work: a bar on standard error for people, and pauses that let other work go on."""

import sys
import time
from collections.abc import Iterable
from typing import Any

import click


def progress(label: str, length: int, items: Iterable[Any] | None = None) -> Any:
    """Return a progress bar for a `with` block; hidden if standard error is not a terminal."""
    return click.progressbar(items, length, label, file=sys.stderr, hidden=not sys.stderr.isatty())


class Breather:
    """Called now and then by long work in the background: makes it rest as long as it worked."""

    def __init__(self, seconds: float = 0.02) -> None:
        """Rest after a number of seconds of work."""
        self._seconds = seconds
        self._rested = time.monotonic()

    def __call__(self) -> None:
        """Rest if it is time."""
        if time.monotonic() - self._rested > self._seconds:
            time.sleep(self._seconds)
            self._rested = time.monotonic()
