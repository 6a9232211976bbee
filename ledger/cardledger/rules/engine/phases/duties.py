"""Duties: the rules that bind a seat when it leads or follows, alone and together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

Duty = Callable[[Any, int], int]
"""Takes the hand and the cards held, and returns those that keep a rule; an empty set: nothing may be played."""
Duties = tuple[tuple[str, Duty], ...]
"""Duties with the ids of their rules, in the order of the rulebook."""


@cache
def joint(duties: Duties) -> Duty | None:
    """Return one duty for several: the cards that keep them all. None when there is no duty at all."""
    if len(duties) <= 1:
        return duties[0][1] if duties else None

    def keeps_all(hand: Any, held: int) -> int:
        legal = held
        for _, duty in duties:
            legal &= duty(hand, held)
        return legal

    return keeps_all
