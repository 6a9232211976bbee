"""Texts that are much alike, sent once: a list of pieces, and for each text the places of its pieces in the list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from cardledger_web.views.table import DrawnSeat

_BEGINS = re.compile(r'(?=<(?:div|p|ol|ul|li|table|bdi)\b|<span class="(?:index|label)")')
"""Where a piece of HTML begins: a card and its face, the head of a seat, a rule and what it says of an event."""


@dataclass(slots=True)
class Fragments:
    """Pieces of HTML, each once, in the order in which they first occur.

    >>> fragments = Fragments()
    >>> fragments.add("<ul><li>A</li><li>B</li></ul>"), fragments.add("<ul><li>B</li></ul>")
    ([0, 1, 2], [0, 2])
    >>> fragments.pieces
    ['<ul>', '<li>A</li>', '<li>B</li></ul>']
    """

    places: dict[str, int] = field(default_factory=dict)

    @property
    def pieces(self) -> list[str]:
        """The pieces by their place."""
        return [*self.places]

    def add(self, html: str) -> list[int]:
        """Return the places of the pieces that make up a text."""
        return [self.places.setdefault(piece, len(self.places)) for piece in _BEGINS.split(html) if piece]


@dataclass(slots=True)
class SeatsAgain:
    """Draws the seats of one table after another; one that has not changed since the table before is not drawn again."""

    draw: Callable[[DrawnSeat], str]
    before: dict[int, tuple[DrawnSeat, str]] = field(default_factory=dict)

    def __call__(self, seat: DrawnSeat) -> str:
        """Return a seat as HTML."""
        last = self.before.get(seat.number)
        if last is None or last[0] != seat:
            last = self.before[seat.number] = seat, self.draw(seat)
        return last[1]
