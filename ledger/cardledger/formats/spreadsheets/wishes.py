"""Wishes: what the user adds to the files, such as the club, the game, and who is meant by a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from cardledger.rules.evenings.scoring import ON_BOARDS, Kind

SCORINGS: Final = tuple(kind for kind in get_args(Kind) if kind not in ON_BOARDS)
"""How an evening without boards can be scored."""

COLUMNS: Final = ("hands", "running")
"""What columns of numbers may be: hands, or running totals."""


class Wishes(NamedTuple):
    """What the user adds to the files: the evening, what the sheets leave out, and who is meant by names.

    `session` or `club` is an id, or its beginning, or the name of the club. `names` has for each name a player, or
    `new`; `*` stands for names that look like nobody's. `options` are those of the matches. `as_written` takes points
    that the game cannot give. `columns` says what the columns of numbers are: `hands` or `running` totals.
    `game` may be one without rules: then `wins` says whether the `most` or the `least` points win, and
    `partners` that those who sit opposite have their points together.
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
