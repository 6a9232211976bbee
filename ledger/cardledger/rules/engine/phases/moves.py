"""Moves: what an event before the play does with cards, whichever cards it names."""

from __future__ import annotations

from typing import Final, NamedTuple

TAKES_UP: Final = 1
DISCARDS: Final = 2
GIVES: Final = 3
PAYS: Final = 4
ASKS: Final = 5
PASSES_ON: Final = 6
ARRIVES: Final = 7


class Move(NamedTuple):
    """A move of a seat in a known hand.

    It TAKES_UP the set `cards`; DISCARDS a card that is not in `cards`; GIVES what it names to another seat, or PAYS it
    under the duty of the phase (`Phase.pays`), after somebody ASKS for a suit; PASSES_ON what it names, which all
    ARRIVES together later.
    """

    kind: int
    seat: int
    to: int = -1
    cards: int = 0
