"""Recognitions: what was found on each sheet, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.sentence import Sentence, in_one

if TYPE_CHECKING:
    from collections.abc import Sequence

LAYOUTS: Final = {
    "hands": Sentence("a row for each player and hand"),
    "columns": Sentence("a column for each hand"),
    "totals": Sentence("the totals only"),
    "season": Sentence("the points of several evenings"),
    "winners": Sentence("the first of each evening"),
}
"""The layouts, in words."""


class Recognition(NamedTuple):
    """What was found on a sheet: its layout, why, and what is ignored.

    The layout is None for a sheet without results.
    """

    file: str
    sheet: str | None
    layout: str | None
    why: Sentence
    ignored: tuple[Sentence, ...]

    def read_as(self, how: Sequence[Sentence]) -> Recognition:
        """Return this with how its numbers are read, if that is not as they stand."""
        return self._replace(why=in_one(self.why, *how)) if self.layout else self

    @property
    def text(self) -> Sentence:
        """The layout with its reason, in words."""
        return Sentence("{layout}: {why}", layout=LAYOUTS[self.layout], why=self.why) if self.layout else self.why
