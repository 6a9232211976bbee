"""Open files: how many this program has, and how many the system grants it."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

try:
    from resource import RLIMIT_NOFILE, getrlimit, setrlimit
except ImportError:  # not on Windows
    getrlimit = None  # type: ignore[assignment]

_TABLES = ("/proc/self/fd", "/dev/fd")


def limit() -> int | None:
    """Return how many files this program may have open, None without a limit."""
    soft = -1 if getrlimit is None else getrlimit(RLIMIT_NOFILE)[0]
    return soft if soft >= 0 else None


def raise_limit(wanted: int) -> int:
    """Raise the limit as far as the system allows, up to a number of files; return how many of them there may be."""
    now = limit()
    if now is not None and now < wanted:
        hard = getrlimit(RLIMIT_NOFILE)[1]
        with suppress(OSError, ValueError):
            setrlimit(RLIMIT_NOFILE, (wanted if hard < 0 else max(now, min(wanted, hard)), hard))
    now = limit()
    return wanted if now is None else now


def opened() -> int | None:
    """Return how many files this program has open, None if the system does not tell."""
    for table in _TABLES:
        try:
            return len(os.listdir(table))
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                return limit()  # counting them takes one more
    return None
