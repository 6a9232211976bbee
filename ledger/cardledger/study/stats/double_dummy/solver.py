"""The solver: Bo Haglund's DDS by way of endplay, which the extra `cardledger[bridge]` installs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

EXTRA = "cardledger[bridge]"
EDITION = "dds-2.9"
"""Names the solver; raised if its results should ever differ."""
Tricks = tuple[tuple[int, ...], ...]
"""Tricks of a declarer by strain (clubs, diamonds, hearts, spades, no trump) and seat."""
_SUITS = "SHDC"
_STRAINS = (3, 2, 1, 0, 4)
"""The rows of DDS, spades first, by our strains."""


@cache
def installed() -> bool:
    """Tell whether the extra is installed."""
    return find_spec("endplay") is not None


def table_of(hands: Sequence[Sequence[str]]) -> Tricks:
    """Return the tricks that each seat takes as declarer in each strain, with all cards open and nobody erring."""
    from endplay.dds import calc_dd_table

    rows = calc_dd_table(_deal(hands)).to_list()
    return tuple(tuple(rows[row]) for row in _STRAINS)


def course(hands: Sequence[Sequence[str]], strain: int, declarer: int, cards: Sequence[str]) -> tuple[int, ...]:
    """Return the tricks that the declarer's side takes with best play: before the first card, and after each one."""
    from endplay.dds import analyse_play
    from endplay.types import Denom, Player

    deal = _deal(hands)
    deal.trump = Denom(_STRAINS.index(strain))
    deal.first = Player((declarer + 1) % 4)
    return tuple(analyse_play(deal, [card[1] + card[0] for card in cards]))


def _deal(hands: Sequence[Sequence[str]]) -> Any:
    from endplay.types import Deal

    held = (
        ".".join("".join(card[0] for card in reversed(hand) if card[1] == suit) for suit in _SUITS) for hand in hands
    )
    return Deal(f"N:{' '.join(held)}")
