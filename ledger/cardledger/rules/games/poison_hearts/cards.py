"""The cards of poison-hearts: five suits, and optionally some cards of two suits."""

from functools import cache
from typing import Final

from cardledger.rules import Pack

FIVE_SUITS: Final = "RYGBP"
"""Suits: red, yellow, green, blue, purple."""
# Cards of two suits, so that each pair of suits comes once: 6s join neighbours in the cycle R-Y-G-B-P-R, 7s suits two
# apart.
_DOUBLE_SIXES = ("RY", "YG", "GB", "BP", "RP")
_DOUBLE_SEVENS = ("RG", "YB", "GP", "RB", "YP")


@cache
def five_suit_pack(double_suits: bool) -> Pack:
    """Return the 60 cards, in each suit 1 1 2 2 3 3 4 4 5 6 7 8 (optionally 6s and 7s of two suits)."""
    cards = []
    for s, suit in enumerate(FIVE_SUITS):
        for value in (1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8):
            letters = suit
            if double_suits and value == 6:
                letters = _DOUBLE_SIXES[s]
            elif double_suits and value == 7:
                letters = _DOUBLE_SEVENS[s]
            suits = sum(1 << FIVE_SUITS.index(letter) for letter in letters)
            cards.append((f"{letters}{value}", suits, value))
    return Pack(cards, FIVE_SUITS)
