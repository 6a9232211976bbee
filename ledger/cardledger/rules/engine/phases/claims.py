"""Claims: how the table may agree on the remaining tricks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claims:
    """How a hand may end by a claim, a number of the remaining tricks for each seat."""

    refused: Callable[[Any, tuple[int, ...]], str | None] | None = None
    """`refused(hand, tricks)` says why a claim is refused, None if it stands; by default every claim stands."""
    counted: Callable[[Any, tuple[int, ...]], None] | None = None
    """`counted(hand, tricks)` counts what else a claim gives, such as cards; tricks are counted anyway."""
    by_side: bool = False
    """Only the tricks of a side count: they are counted at its first seat."""
