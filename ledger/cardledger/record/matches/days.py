"""Days as people write them."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date


def likely_day(text: str) -> str | None:
    """Return the day that a text most likely means, None where it may mean several.

    >>> likely_day("22.11.2026"), likely_day("2026/1/5"), likely_day("11/22/2026"), likely_day("1/2/2026")
    ('2026-11-22', '2026-01-05', '2026-11-22', None)
    """
    numbers = [int(part) for part in re.findall(r"\d+", text, re.ASCII)]
    if len(numbers) != 3 or len(text) > 20:
        return None
    orders = [(0, 1, 2)] if numbers[0] > 31 else [(2, 1, 0)] if "." in text else [(2, 1, 0), (2, 0, 1)]
    days = set()
    for year, month, day in orders:
        with suppress(ValueError, OverflowError):
            days.add(date(numbers[year], numbers[month], numbers[day]).isoformat())
    return days.pop() if len(days) == 1 else None
