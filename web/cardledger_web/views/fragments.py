"""Texts that are much alike, sent once: a list of pieces, and for each text the places of its pieces in the list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardledger_web.views.table import DrawnSeat, Laid

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


class DrawnAgain:
    """Draws one table at moment after moment: a seat that has not changed, and a card that was drawn, are not drawn again."""

    def __init__(self, macros: Any) -> None:
        """Take the macros `table_card` and `table_seat` of a template."""
        self._macros = macros
        self._seats: dict[int, tuple[DrawnSeat, str]] = {}
        self._cards: dict[Laid, str] = {}

    def seat(self, seat: DrawnSeat) -> str:
        """Return a seat as HTML."""
        last = self._seats.get(seat.number)
        if last is None or last[0] != seat:
            last = self._seats[seat.number] = seat, self._macros.table_seat(seat, self)
        return last[1]

    def card(self, laid: Laid) -> str:
        """Return a card as HTML."""
        drawn = self._cards.get(laid)
        if drawn is None:
            drawn = self._cards[laid] = self._macros.table_card(laid)
        return drawn
