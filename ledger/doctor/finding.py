"""Findings: what was looked at, whether it is well, and what to do if not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from ledger.errors import LedgerError
from ledger.store.file import UNREADABLE

State = Literal["ok", "warning", "problem"]


class Finding(NamedTuple):
    """One line: `advice` says what to do, None where nothing is to be done."""

    name: str
    state: State
    text: str
    advice: str | None = None


Look = Callable[[], Iterator[Finding]]


def looked(name: str, look: Look) -> Iterator[Finding]:
    """Yield what a look finds; where it cannot look, that is the finding."""
    try:
        yield from look()
    except (LedgerError, OSError, *UNREADABLE) as error:
        yield Finding(name, "problem", str(error), "see what is said, mend it, and ask again")


def ago(seconds: float) -> str:
    """Return how long ago something was, in words."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
