"""Days and times as people write them; times are in the server's zone until a script shows them in the reader's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from cardledger.rules.engine.days import DayOfPlay
from cardledger_web.languages import _, language


@lru_cache(4096)
def _written(day: str, pattern: str, language: str) -> str:
    from babel.dates import format_date  # takes a moment, and only pages need it

    return format_date(date.fromisoformat(day), pattern, language)


def in_words(day: DayOfPlay, period: str | None = None) -> str:
    """Return an ISO day in words, in the language of the page; without a day the month or year of play, if it is known.

    >>> in_words("2026-11-21"), in_words(None), in_words(None, "1977-05"), in_words(None, "1977")
    ('21 November 2026', 'day unknown', 'May 1977', '1977')
    """
    if day is not None:
        return _written(day, _("d MMMM y"), language())
    if period is None:
        return _("day unknown")
    return _written(f"{period}-01", "MMMM y", language()) if "-" in period else period


def played(of: Any) -> Markup:
    """Return the day of play of a match, or of what is in it, as an element of a page."""
    known = of if isinstance(of, Mapping) else {name: getattr(of, name, None) for name in ("date", "period")}
    day, words = known["date"], in_words(known["date"], known.get("period"))
    return (
        Markup('<span class="undated">{}</span>').format(words)
        if day is None
        else Markup('<time datetime="{}">{}</time>').format(day, words)
    )


def short_day(day: str) -> str:
    """Return an ISO day in few letters, for the head of a table.

    >>> short_day("2026-11-21")
    '21 Nov'
    """
    return _written(day, _("d MMM"), language())


def month(day: str) -> str:
    """Return the month of an ISO day, in few letters.

    >>> month("2026-11-21")
    'Nov 2026'
    """
    return _written(day, "MMM y", language())


def today() -> str:
    """Return the server's day."""
    return f"{datetime.now().astimezone():%Y-%m-%d}"


def local(time: str) -> datetime:
    """Return an RFC 3339 time in the server's own zone; raises ValueError."""
    return datetime.fromisoformat(time).astimezone()


def moment(time: str) -> Markup:
    """Return an RFC 3339 time as an element of a page: the day in words, the time to the minute, and the zone."""
    try:
        here = local(time)
    except ValueError:
        return escape(time)
    words = f"{in_words(here.date().isoformat())}, {here:%H:%M %Z}"
    return Markup('<time datetime="{}" data-time>{}</time>').format(time, words)


def ago(seconds: float) -> str:
    """Return an age in words, in the language of the page.

    >>> ago(6 * 3600 + 41)
    '6 hours ago'
    """
    from babel.dates import format_timedelta

    return format_timedelta(-int(seconds), threshold=1, add_direction=True, locale=language())


def zone() -> str:
    """Return the name of the server's zone at this time of the year."""
    return f"{datetime.now().astimezone():%Z}"
