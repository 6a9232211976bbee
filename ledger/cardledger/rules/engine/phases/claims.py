"""Claims: how the table may agree on the remaining tricks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.state import Hand


@dataclass(frozen=True, slots=True)
class Claims:
    """How a hand may end by a claim, a number of the remaining tricks for each seat."""

    refused: Callable[[Any, tuple[int, ...]], str | None] | None = None
    """`refused(hand, tricks)` says why a claim is refused, None if it stands; by default every claim stands."""
    counted: Callable[[Any, tuple[int, ...]], None] | None = None
    """`counted(hand, tricks)` counts what else a claim gives, such as cards; tricks are counted anyway."""
    by_side: bool = False
    """Only the tricks of a side count: they are counted at its first seat."""

    def expect_fair(self, match: Match[Any], hand: Hand, tricks: tuple[int, ...]) -> None:
        """Refuse a claim (`table.range`).

        It gives away more or fewer tricks than are left, or one to a seat that sits out, or the game refuses it.
        """
        left, playing = hand.tricks_left, hand.rotation[0]
        if sum(tricks) != left:
            match.refuse(
                "table.range", Sentence("the tricks claimed are not {left}, as many as are not complete", left=left)
            )
        for seat, number in enumerate(tricks):
            if number and seat not in playing:
                match.refuse("table.range", Sentence("{who} sits out and takes no trick", who=match.who(seat)))
        why = self.refused(hand, tricks) if self.refused is not None else None
        if why is not None:
            match.refuse("table.range", why)
