"""A time axis: days as numbers, so that a long pause is a long way, with months or days along it by name."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from cardledger_web.dates import month, short_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST = 4
"""The most names along the axis: so many fit on a telephone."""
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
"""How many months may lie between two names."""


def day_axis(days: Sequence[str]) -> dict[str, Any]:
    """Return the attributes of an axis for some days (ISO dates), of which there is at least one.

    >>> day_axis(["2026-01-20", "2026-11-02"])["ticktext"]
    ['Apr 2026', 'Jul 2026', 'Oct 2026']
    >>> day_axis(["2026-01-20", "2026-01-21"])["ticktext"]
    ['20 Jan', '21 Jan']
    """
    first, last = (date.fromisoformat(day) for day in (min(days), max(days)))
    span = (last - first).days
    named = [(day, month(day.isoformat())) for day in _month_starts(first, last)]
    if len(named) < 2:
        step = max(1, span // (_MOST - 1))
        some = [date.fromordinal(first.toordinal() + at) for at in range(0, span + 1, step)]
        named = [(day, short_day(day.isoformat())) for day in some]
    edge = max(0.5, 0.03 * span)
    return {
        "tickvals": [day.toordinal() for day, _ in named],
        "ticktext": [text for _, text in named],
        "range": [first.toordinal() - edge, last.toordinal() + edge],
    }


def ordinals(days: Sequence[str]) -> list[int]:
    """Return where days (ISO dates) lie on the axis."""
    return [date.fromisoformat(day).toordinal() for day in days]


def _month_starts(first: date, last: date) -> list[date]:
    """Return the first days of months between two days, at the least of the steps for which there is room."""
    return next(
        some
        for step in _MONTHS
        if len(some := [day for day in _starts(first, last, step) if first <= day <= last]) <= _MOST
    )


def _starts(first: date, last: date, step: int) -> Iterator[date]:
    for at in range((first.year * 12 + first.month - 1) // step * step, last.year * 12 + last.month, step):
        if at >= 12:  # there is no year 0
            yield date(at // 12, at % 12 + 1, 1)
