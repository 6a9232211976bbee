"""The director, a part of a game: rulings on a hand, and what the rules say about a violation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from cardledger.rules.engine.state import H

if TYPE_CHECKING:
    from cardledger.rules.engine.events import Adjust
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.rulebook import Violation


@dataclass(frozen=True, kw_only=True, eq=False)
class Director(Generic[H]):
    """What a director may rule on in a game; nothing by default: `adjust` is then no event of the game."""

    adjust: Callable[[Match[H], H, Adjust], tuple[str, bool]] | None = None
    """Checks a ruling on a hand; returns its rule, and whether it gives the hand its result. None: there are no
    rulings."""
    ruled: Callable[[Match[H], H, list[int]], list[int]] | None = None
    """Returns the points of a hand with the rulings on it, given those without; needed where there is `adjust`."""
    consequences: Callable[[Match[H], Violation], dict[str, Any]] | None = None
    """What the rules say about a violation besides the legal cards, ready for JSON; replays and audits show it."""
