"""Days and times as people write them."""

from __future__ import annotations

from datetime import date

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def in_words(day: str) -> str:
    """Return an ISO day in words; English whatever the locale of the server.

    >>> in_words("2026-11-21")
    '21 November 2026'
    """
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"


def moment(time: str) -> str:
    """Return an RFC 3339 time in UTC in words, to the minute.

    >>> moment("2026-11-21T19:04:31.120Z")
    '21 November 2026, 19:04 UTC'
    """
    return f"{in_words(time[:10])}, {time[11:16]} UTC"
