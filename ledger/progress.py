"""How long work shows how far it is, a bar on standard error for people only, and how it lets others have their turn."""

import sys
import time
from collections.abc import Iterable
from typing import Any

import click


def progress(label: str, length: int, items: Iterable[Any] | None = None) -> Any:
    """Return a progress bar to be entered with `with`; hidden where standard error is no terminal, but read by programs."""
    return click.progressbar(items, length, label, file=sys.stderr, hidden=not sys.stderr.isatty())


class Breather:
    """Called now and then by long work in the background: lets it rest as long as it worked."""

    def __init__(self, seconds: float = 0.02) -> None:
        """Rest after so many seconds of work."""
        self._seconds = seconds
        self._rested = time.monotonic()

    def __call__(self) -> None:
        """Rest, if it is time to."""
        if time.monotonic() - self._rested > self._seconds:
            time.sleep(self._seconds)
            self._rested = time.monotonic()
