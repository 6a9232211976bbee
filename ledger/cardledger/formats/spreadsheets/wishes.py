"""Wishes: what the user adds to the files, such as the club, the game, and who is meant by a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from cardledger.formats.spreadsheets.grids import Example, columns_of
from cardledger.rules.evenings.scoring import ON_BOARDS, Kind

SCORINGS: Final = tuple(kind for kind in get_args(Kind) if kind not in ON_BOARDS)
"""How an evening without boards can be scored."""

COLUMNS: Final = ("hands", "running")
"""What columns of numbers may be: hands, or running totals."""


_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)


class HowItLies(NamedTuple):
    """What the user says of how the results lie on the sheets: `columns`, cells to leave out, and an example.

    `year` is that of days without one.
    """

    columns: str | None = None
    ignore: tuple[str, ...] = ()
    example: Example | None = None
    year: int | None = None


class Wishes(NamedTuple):
    """What the user adds to the files: the evening, what the sheets leave out, and who is meant by names.

    `date` is the day of all, or only the year of days that are written without one. `session` or `club` is an id, or its beginning, or the name of the club. `names` has for each name a player, or
    `new`; `*` stands for names that resemble no known one. `options` are those of the matches. `as_written` takes points
    that the game cannot give. `layout` is one that the club keeps, and `keep_layout` a name under which what is said
    here of how the results lie is kept. `columns` says what the columns of numbers are: `hands` or `running` totals.
    `game` may be one without rules: then `wins` says whether the `most` or the `least` points win, and
    `partners` that those who sit opposite have their points together. `ignore` are cells that nothing has read and that
    do not belong to the results. `example` shows a name and a number.
    """

    club: str | None = None
    session: str | None = None
    name: str | None = None
    date: str | None = None
    game: str | None = None
    scoring: str | None = None
    options: Mapping[str, Any] = {}
    names: Mapping[str, str] = {}
    as_written: bool = False
    columns: str | None = None
    wins: str | None = None
    partners: bool = False
    ignore: tuple[str, ...] = ()
    example: Example | None = None
    layout: str | None = None
    keep_layout: str | None = None

    @property
    def said(self) -> HowItLies:
        """What is said of how the results lie."""
        return HowItLies(self.columns or columns_of(self.example), self.ignore, self.example, self.year_of_days)

    @property
    def year(self) -> int | None:
        """The year of days without one, if `date` is only a year."""
        return int(self.date) if self.date is not None and _YEAR.fullmatch(self.date) else None

    @property
    def year_of_days(self) -> int | None:
        """The year of days without one: that of the `date`, be it a year or a day."""
        parts = _YEAR.match(self.date or "")
        return int(parts[0]) if parts else None

    @property
    def day(self) -> str | None:
        """The day of all that is on the sheets, whatever they say; None if `date` is only a year."""
        return None if self.year is not None else self.date
