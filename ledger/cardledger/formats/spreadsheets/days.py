"""Days as people write them, in the languages of the pages: `20 Nov 2026`, `20-Jan-26`, `Dienstag, 20. Januar 2026`."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.calendar_names import MONTHS, WEEKDAYS
from cardledger.rules.games.names import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIME = re.compile(
    r"[T, ] ?\d\d?[:.]\d\d(?:[:.]\d\d(?:\.\d{1,9})?)? ?(?:[ap]\.?m\.?|uhr|z)?$", re.ASCII | re.IGNORECASE
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)", re.ASCII)
_DAY_FIRST = re.compile(r"(\d\d?)([-./])\s?(\d\d?)\2\s?(\d{4})", re.ASCII)
_SLASHED = re.compile(r"(\d\d?)/(\d\d?)/(\d\d)", re.ASCII)
_SHORT = re.compile(r"(\d\d?)\.\s?(\d\d?)\.\s?(\d\d)", re.ASCII)
_NO_YEAR = re.compile(r"(\d\d?)\.\s?(\d\d?)\.", re.ASCII)
SOME_YEAR: Final = 2024
"""A year that has all days, to see whether a text is a day."""
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|er|eme|e)")
_AROUND: Final = frozenset(("the", "of", "le", "la", "der", "den", "am", "du", "on"))
_LONGEST = 60


@lru_cache(1000)
def day_in(text: str, year: int | None = None) -> date | None:
    """Return the day that a text says, None if it says none, or may say two (`3/4/2026`), or the weekday is another.

    A year of two digits is one of this century. A day that is written without one is of `year`; without that it is none.

    >>> day_in("20-Jan-26"), day_in("Dienstag, 20. Januar 2026"), day_in("3/4/2026")
    (datetime.date(2026, 1, 20), datetime.date(2026, 1, 20), None)
    """
    if len(text) > _LONGEST or not any(char.isdecimal() for char in text):
        return None
    text = _TIME.sub("", " ".join(text.split()))
    weekday, _, rest = text.partition(" ")
    if (numbers := _WEEKDAYS.get(plain(weekday))) is not None:
        found = day_in(rest.strip(" ,"), year)
        return found if found is not None and found.weekday() in numbers else None
    if parts := _YEAR_FIRST.fullmatch(text):
        return _day(int(parts[1]), int(parts[3]), int(parts[4]))
    if parts := _SHORT.fullmatch(text):
        return _day(2000 + int(parts[3]), int(parts[2]), int(parts[1]))
    if len(slashed := _slashed(text)) == 1:
        return slashed.pop()
    if parts := _DAY_FIRST.fullmatch(text):
        first, second, year = int(parts[1]), int(parts[3]), int(parts[4])
        if parts[2] != "." and first != second and max(first, second) <= 12:
            return None
        return _day(year, first, second) if parts[2] != "." and second > 12 else _day(year, second, first)
    if parts := _NO_YEAR.fullmatch(text):
        return None if year is None else _day(year, int(parts[2]), int(parts[1]))
    return _with_month(plain(text).split(), year)


def may_be_two_days(text: str) -> bool:
    """Tell whether a text may say two days.

    >>> may_be_two_days("3/4/2026"), may_be_two_days("13/4/2026")
    (True, False)
    """
    parts = _DAY_FIRST.fullmatch(text := _TIME.sub("", " ".join(text.split())))
    if parts is None:
        return len(_slashed(text)) > 1
    return parts[2] != "." and parts[1] != parts[3] and max(int(parts[1]), int(parts[3])) <= 12


def has_no_year(text: str) -> bool:
    """Tell whether a text is a day without its year: `6.1.`, `20 Nov`.

    >>> has_no_year("6.1."), has_no_year("20 Nov"), has_no_year("20 Nov 2026"), has_no_year("Nov")
    (True, True, False, False)
    """
    weekday, _, rest = " ".join(text.split()).partition(" ")
    if plain(weekday) in _WEEKDAYS:
        return has_no_year(rest.strip(" ,"))
    return day_in(text) is None and day_in(text, SOME_YEAR) is not None


def _slashed(text: str) -> set[date]:
    """Return the days that three numbers between strokes may be, the year of two digits first or last."""
    parts = _SLASHED.fullmatch(text)
    if parts is None:
        return set()
    first, second, third = map(int, parts.groups())
    last, whole = 2000 + third, len(parts[1]) == 2
    may = (_day(last, second, first), _day(last, first, second), _day(2000 + first, second, third) if whole else None)
    return {day for day in may if day is not None}


def _with_month(words: list[str], year: int | None) -> date | None:
    """Return the day of a month by its name, a day and a year; None if there are other words or numbers.

    Without a number for the year it is that of `year`.
    """
    months = [month for word in words if (month := _MONTHS.get(word)) is not None]
    numbers = [parts[1] if (parts := _ORDINAL.fullmatch(word)) else word for word in words if word not in _MONTHS]
    numbers = [word for word in numbers if word not in _AROUND]
    if len(numbers) == 1 and year is not None:
        numbers.append(str(year))
    if len(months) != 1 or len(numbers) != 2 or not all(word.isascii() and word.isdecimal() for word in numbers):
        return None
    first, second = numbers
    number, written = (second, first) if len(first) == 4 else (first, second)
    if len(number) > 2 or len(written) not in (2, 4):
        return None
    return _day(int(written) + (2000 if len(written) == 2 else 0), months[0], int(number))


def _numbers(names: Sequence[str], first: int) -> dict[str, set[int]]:
    """Return the numbers of months or weekdays by their names."""
    found: dict[str, set[int]] = {}
    for number, called in enumerate(names, first):
        for name in called.split():
            found.setdefault(name, set()).add(number)
    return found


_MONTHS: Final = {name: number for name, (number, *_) in _numbers(MONTHS, 1).items()}
_WEEKDAYS: Final = _numbers(WEEKDAYS, 0)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
