"""Which formats of numbers show a day, a time or a length of time, and what a number is under one (ECMA-376, 18.8.30)."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Final

_DAY_MS: Final = 86_400_000
_BUILT_IN: Final = {
    14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "m/d/yy h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
}  # fmt: skip
"""The formats of days and times that a file may use without writing them down, by number."""
_WORD = re.compile(r'"[^"]*"?|[\\_].?|\[(?P<inside>[^\]]*)\]?|(?P<letter>[dmyhs])', re.IGNORECASE)
"""What is shown as it stands, a note in brackets, or a letter for a part of a day."""
_ELAPSED = re.compile(r"h{1,2}|m{1,2}|s{1,2}", re.IGNORECASE)
"""In brackets: hours, minutes or seconds that are counted beyond a day."""
_LOST_DAY: Final = 60
"""The spreadsheet of 1900 has a 29 February that never was: numbers before it are a day behind."""
_EPOCH_OF_1900: Final = datetime(1899, 12, 30)  # noqa: DTZ001 # spreadsheets know no time zones


def built_in(number: int) -> str | None:
    """Return the format with a number, if it is one of a day or time."""
    return _BUILT_IN.get(number)


def shows_days(code: str | None) -> tuple[bool, bool]:
    """Tell whether a format shows days or times, and whether it shows a length of time.

    >>> shows_days("dd.mm.yyyy"), shows_days('0 "days"'), shows_days("[h]:mm")
    ((True, False), (False, False), (True, True))
    """
    days = elapsed = False
    for word in _WORD.finditer((code or "").split(";")[0]):
        inside = word["inside"]
        elapsed |= inside is not None and _ELAPSED.fullmatch(inside) is not None
        days |= word["letter"] is not None
    return days or elapsed, elapsed


def day_of(value: float, epoch: datetime, *, elapsed: bool) -> datetime | date | time | timedelta:
    """Return what a number is as a day with its time, or a time of day, to the millisecond; or a length of time.

    Raises OverflowError, ValueError for a number that is no day.
    """
    whole, part = divmod(value, 1)
    milliseconds = timedelta(milliseconds=round(part * _DAY_MS))
    if elapsed:
        return timedelta(days=whole) + milliseconds
    if 0 <= value < 1 and milliseconds < timedelta(days=1):
        return (_EPOCH_OF_1900 + milliseconds).time()
    if epoch == _EPOCH_OF_1900 and 0 < value < _LOST_DAY:
        whole += 1
    return epoch + timedelta(days=whole) + milliseconds
