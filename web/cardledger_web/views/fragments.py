"""Texts that are much alike, sent once: a list of pieces, and for each text the places of its pieces in the list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from cardledger_web.languages import language

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from jinja2.runtime import Macro

    from cardledger_web.views.table import DrawnSeat, DrawnTable, Laid

_BEGINS = re.compile(r'(?=<(?:div|p|ol|ul|li|table|bdi)\b|<span class="(?:index|label)")')
"""Where a piece of HTML begins: a card and its face, the head of a seat, a rule and what it says of an event."""
_MOST_CARDS = 8192
"""Cards that are kept as they were drawn; a pack has some hundreds with all that is said of its cards."""
_CARDS: dict[tuple[str, str, Laid], str] = {}
"""Cards as they were drawn, by language, macro and card."""


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
    known: dict[str, list[int]] = field(default_factory=dict)
    """The places of the pieces of texts that were added."""

    @property
    def pieces(self) -> list[str]:
        """The pieces by their place."""
        return [*self.places]

    def add(self, html: str) -> list[int]:
        """Return the places of the pieces that make up a text."""
        found = self.known.get(html)
        if found is None:
            pieces = filter(None, _BEGINS.split(html))
            found = self.known[html] = [self.places.setdefault(piece, len(self.places)) for piece in pieces]
        return found


class DrawnAgain:
    """Draws one hand at moment after moment: a seat that has not changed, and what was drawn, are not drawn again."""

    def __init__(self, macros: Any) -> None:
        """Take the macros of the template of a table."""
        self._macros = macros
        self._seats: dict[int, tuple[DrawnSeat, str]] = {}
        self._language = language()
        self._drawn: dict[tuple[Hashable, ...], str] = {}

    def parts(self, table: DrawnTable) -> Iterator[str]:
        """Yield a table as HTML, in parts each of which begins a piece (`Fragments`)."""
        yield self._macros.table_begin(table)
        yield from map(self.seat, table.seats)
        yield self._macros.table_end(table, self)

    def seat(self, seat: DrawnSeat) -> str:
        """Return a seat as HTML."""
        last = self._seats.get(seat.number)
        if last is None or last[0] != seat:
            last = self._seats[seat.number] = seat, self._macros.table_seat(seat, self)
        return last[1]

    def once(self, macro: Callable[..., str], *given: Hashable) -> str:
        """Return what a macro draws of something."""
        drawn = self._drawn.get((macro, *given))
        if drawn is None:
            drawn = self._drawn[(macro, *given)] = macro(*given)
        return drawn

    def card(self, macro: Macro, laid: Laid) -> str:
        """Return what a macro draws of a card: the same at every table, so that it is kept for all."""
        key = self._language, macro.name, laid
        drawn = _CARDS.get(key)
        if drawn is None:
            if len(_CARDS) >= _MOST_CARDS:
                _CARDS.clear()
            drawn = _CARDS[key] = macro(laid)
        return drawn

    def held(self, macro: Macro, cards: Iterable[Laid]) -> Markup:
        """Return what a macro draws of each card of a hand, one after the other."""
        return Markup("".join([self.card(macro, laid) for laid in cards]))  # noqa: S704 - all of it is HTML
