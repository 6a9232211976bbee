"""Times as numbers and as texts: RFC 3339 in UTC, with up to six decimals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MINUTE = 60_000_000
_SHORTEST = len("2026-11-21T17:29:54Z")


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[int, int] | None:
    """Return the microseconds since 1970 and the number of decimals; None for a text that is not a time.

    Compare with `written` to see whether it would be written the same way again.

    >>> read("2026-11-21T17:29:54.887Z")
    (1795282194887000, 3)
    """
    try:
        return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND, min(max(len(text) - _SHORTEST - 1, 0), 6)
    except (ValueError, TypeError):
        return None


def written(value: int, digits: int) -> str:
    """Return a time as text; raises OverflowError outside of the years 1 to 9999.

    >>> written(1795282194887000, 3), written(1795282194000000, 0)
    ('2026-11-21T17:29:54.887Z', '2026-11-21T17:29:54Z')
    """
    minute, microseconds = divmod(value, _MINUTE)
    seconds = f"{microseconds:08}"
    fraction = f".{seconds[2 : 2 + digits]}" if digits else ""
    return f"{_minute(minute)}:{seconds[:2]}{fraction}Z"


@lru_cache(maxsize=1024)
def _minute(number: int) -> str:
    return (_EPOCH + timedelta(minutes=number)).isoformat()[:16]
