"""How long work shows how far it is: a bar on standard error, for people only."""

import sys
from collections.abc import Iterable
from typing import Any

import click


def progress(label: str, length: int, items: Iterable[Any] | None = None) -> Any:
    """Return a progress bar to be entered with `with`; hidden where standard error is no terminal, but read by programs."""
    return click.progressbar(items, length, label, file=sys.stderr, hidden=not sys.stderr.isatty())
