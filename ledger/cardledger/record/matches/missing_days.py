"""Matches of a file for which it has no day: the day that they get, how many they are, and what their titles propose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from cardledger.count_of import count_of
from cardledger.record.matches.matchfile import Warned
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import known_day, known_period

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.matches.matchfile import MatchInFile

CODE = "file.day"
"""The code of the notice that a file has no day."""
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", re.ASCII)
_MOST = 50
"""How many titles are told apart; a file of another one for each match has no use for more."""


def has_no_day(opening: ev.Open) -> bool:
    """Tell whether an opening says no day; one with its own time alone is of the day of its recording."""
    return known_day(opening.date) is None and (opening.date is not None or opening.at is None)


def dated(opening: ev.Open, day: str) -> ev.Open:
    """Return an opening from a file with a day in place of one that the file does not say.

    It was not played on the day that the file is read. A month or a year of the file gives way to a day within it.
    """
    if not has_no_day(opening) or not day.startswith(known_period(opening.date) or ""):
        return opening
    return msgspec.structs.replace(opening, date=day)


class MissingDays:
    """Counts the matches of files that have no day there; nothing is taken for their day."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str | None], tuple[MatchInFile, int]] = {}

    def take(self, match: MatchInFile) -> None:
        """Count a match of a file, if the file neither says its day nor its month or year."""
        opening = match.events[0]
        if not (isinstance(opening, ev.Open) and has_no_day(opening)) or known_period(opening.date):
            return
        years = {*_YEAR.findall(opening.event or "")}
        title = opening.event if len(years) == 1 else None
        if title and (match.file, title) not in self._found and len(self._found) >= _MOST:
            title = None
        first, number = self._found.get((match.file, title), (match, 0))
        self._found[match.file, title] = first, number + 1

    def notices(self) -> Iterator[Warned]:
        """Yield what is to be said: once for each title that has a year, and once for all others of a file."""
        for (file, title), (first, number) in self._found.items():
            matches = f"{count_of(number, 'match')} {'has' if number == 1 else 'have'} no day"
            if title is None:
                text = f"{matches}: it stays unknown unless you give it (--date 2026-01-31, or a month, or a year)"
            else:
                (year,) = {*_YEAR.findall(title)}
                text = f"{matches}; the title of the event says {year} ({title}): give --date {year} to use it"
            yield Warned(file, first.line, CODE, text)
