"""Days as people write them."""

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
