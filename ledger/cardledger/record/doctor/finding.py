"""Findings: the subject, its state, and advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.store.sqlite_errors import UNREADABLE

State = Literal["ok", "warning", "problem"]


class CheckResult(NamedTuple):
    """One line of the report; `advice` is None if there is nothing to do."""

    name: str
    state: State
    text: str
    advice: str | None = None


Look = Callable[[], Iterator[CheckResult]]


def looked(name: str, look: Look) -> Iterator[CheckResult]:
    """Yield the findings of a check; if it fails, that is the finding."""
    try:
        yield from look()
    except (LedgerError, OSError, *UNREADABLE) as error:
        yield CheckResult(name, "problem", str(error), "fix the problem named here, and run doctor again")


def ago(seconds: float) -> str:
    """Return an age in words."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
