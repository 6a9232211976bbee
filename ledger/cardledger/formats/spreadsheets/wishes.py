"""Wishes: what the user adds to the files, such as the club, the game, and who is meant by a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from cardledger.formats.spreadsheets.grids import Example, columns_of
from cardledger.rules.evenings.scoring import ON_BOARDS, Kind

SCORINGS: Final = tuple(kind for kind in get_args(Kind) if kind not in ON_BOARDS)
"""How an evening without boards can be scored."""

COLUMNS: Final = ("hands", "running")
"""What columns of numbers may be: hands, or running totals."""


class HowItLies(NamedTuple):
    """What the user says of how the results lie on the sheets: `columns`, cells to leave out, and an example."""

    columns: str | None = None
    ignore: tuple[str, ...] = ()
    example: Example | None = None


class Wishes(NamedTuple):
    """What the user adds to the files: the evening, what the sheets leave out, and who is meant by names.

    `session` or `club` is an id, or its beginning, or the name of the club. `names` has for each name a player, or
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
        return HowItLies(self.columns or columns_of(self.example), self.ignore, self.example)
