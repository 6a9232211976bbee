"""Recognitions: what was found on each sheet, in words."""

from __future__ import annotations

from typing import Final, NamedTuple

LAYOUTS: Final = {
    "hands": "a row for each player and hand",
    "columns": "a column for each hand",
    "totals": "the totals only",
    "season": "the points of several evenings",
    "winners": "the first of each evening",
}
"""The layouts, in words."""


class Recognition(NamedTuple):
    """What was found on a sheet: its layout, why, and what is ignored.

    The layout is None for a sheet without results.
    """

    file: str
    sheet: str | None
    layout: str | None
    why: str
    ignored: tuple[str, ...]

    def read_as(self, how: str) -> Recognition:
        """Return this with how its numbers are read, if that is not as they stand."""
        return self._replace(why=f"{self.why}; {how}") if how and self.layout else self

    @property
    def text(self) -> str:
        """The layout with its reason, in words."""
        return f"{LAYOUTS[self.layout]}: {self.why}" if self.layout else self.why
