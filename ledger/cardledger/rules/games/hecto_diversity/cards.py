"""The Hectoedra cards: eighty of them, each with a colour and a value."""

from functools import cache
from typing import Final

from cardledger.rules import Pack

COLOURS: Final = ("red", "orange", "yellow", "green", "cyan", "blue", "violet", "pink", "brown", "grey")
"""Colours in the order of the hectoindex."""


@cache
def hecto_pack(layout: str) -> Pack:
    """Return the 80 cards; a suit is a colour, a rank the main index. `layout` is `8x10` or `10x8`."""
    colours, values = (8, 10) if layout == "8x10" else (10, 8)
    cards = []
    for h in range(80):
        colour, value = (h // values, h % values + 1) if colours == 8 else (h % colours, h // colours + 1)
        cards.append((str(h + 1), 1 << colour, value))
    return Pack(cards, COLOURS[:colours])
