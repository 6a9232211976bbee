"""The day of play of a match: a day, or only a month or a year, or nothing at all."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, TypeAlias

UNKNOWN: Final = "unknown"
"""What an opening says in place of a day that nobody knows."""
DayOfPlay: TypeAlias = str | None
"""A whole day (ISO 8601), None if it is not known. What counts by days must say what it does without one."""
_DAY = re.compile(r"\d{4}(-\d\d(-\d\d)?)?", re.ASCII)
_FIRST = "0001-01-01"


def is_day(said: str) -> bool:
    """Tell whether a text may stand as the day of an opening: `2026-01-31`, `2026-01`, `2026` or `unknown`.

    >>> is_day("1977"), is_day("1977-05"), is_day("unknown"), is_day("1977-13"), is_day("2026-02-30"), is_day("77")
    (True, True, True, False, False, False)
    """
    if not _DAY.fullmatch(said):
        return said == UNKNOWN
    try:
        date.fromisoformat(said + _FIRST[len(said) :])
    except ValueError:
        return False
    return True


def known_day(said: str | None) -> DayOfPlay:
    """Return the day that an opening says, None if it says none, or a month or a year alone.

    >>> known_day("2026-01-31"), known_day("2026-01"), known_day("unknown"), known_day(None)
    ('2026-01-31', None, None, None)
    """
    return said if said is not None and len(said) == len(_FIRST) else None


def known_period(said: str | None) -> str | None:
    """Return the month or the year that an opening says in place of a day.

    >>> known_period("1977"), known_period("1977-05"), known_period("1977-05-03"), known_period("unknown")
    ('1977', '1977-05', None, None)
    """
    return said if said is not None and said != UNKNOWN and len(said) < len(_FIRST) else None
