"""The header of a LIN file: what it says of all its boards, and the results of a team match."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cardledger.formats.bridge_files.boards import Broken, Extra, Notice

_RESULT = re.compile(r"([1-7])(NT?|[SHDC])([NESW])(x{0,2})(=|[+-]\d{1,2})", re.IGNORECASE | re.ASCII)
_SCORINGS = {"I": "IMP", "P": "MP", "B": "BAM"}
_NAMED = 8
"""Boards that a notice names; it counts the others."""


@dataclass(slots=True)
class LinHeader:
    """What the beginning of a file says of all its boards.

    `results` are those of both rooms from board `first` on, the open room first, and stand in line `line`; `played`
    are the places there of the boards that came.
    """

    title: str = ""
    extras: list[Extra] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    first: int = 1
    line: int = 1
    played: set[int] = field(default_factory=set)

    def place_of(self, number: int | None, closed: bool) -> int | None:
        """Return the place of a board in the results, None if they have none for it."""
        place = 2 * (number - self.first) + closed if number is not None else -1
        return place if 0 <= place < len(self.results) else None

    def result_of(self, number: int | None, closed: bool) -> re.Match[str] | str | None:
        """Return the result of a board: `PASS`, a match, or None."""
        place = self.place_of(number, closed)
        text = self.results[place].strip() if place is not None else ""
        return "PASS" if text.upper() in ("PASS", "P") else _RESULT.fullmatch(text)

    def without_board(self, game: int) -> Broken | None:
        """Return a notice of the results whose boards did not come, None if there are none."""
        boards = [
            f"board {self.first + place // 2} ({'closed' if place % 2 else 'open'} room)"
            for place, result in enumerate(self.results)
            if result.strip() and place not in self.played
        ]
        if not boards:
            return None
        named = ", ".join(boards[:_NAMED]) + (f" and {len(boards) - _NAMED} more" if len(boards) > _NAMED else "")
        text = f"the header has results of boards that are not in the file: {named}: they are left out"
        return Broken(self.line, game, Notice("lin.missing", self.line, text), skipped=True)


def header_of(value: str) -> LinHeader:
    """Return the header of a team match, without its names and results."""
    title, segment, scoring, first, _, home, _, visitors, *_ = [*value.split(","), *[""] * 9]
    header = LinHeader(title.strip())
    header.first = int(first) if first.strip().isascii() and first.strip().isdecimal() and len(first) < 7 else 1
    tags = {
        "Round": segment, "Scoring": _SCORINGS.get(scoring.strip().upper(), scoring), "HomeTeam": home, "VisitTeam": visitors,
    }  # fmt: skip
    header.extras = [("tag", name, text.strip()) for name, text in tags.items() if text.strip()]
    header.extras.append(("command", "", "vg", value))
    return header
