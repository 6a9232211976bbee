"""Times as stores beside a ledger write them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def written(time: datetime) -> str:
    """Return a time in its stored form; such texts sort like the times."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
