"""Claims: how the table may agree on the remaining tricks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.judging import judge_cut
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

    def agree(self, match: Match[Any], hand: Hand, event: ev.Claim) -> None:
        """The table agrees on the remaining tricks (`claim.agreed`); the hand ends."""
        if hand.moment not in ("play", "claim"):
            match.expect("", but=Sentence("a claim needs a hand in play"))
        self.expect_fair(match, hand, event.tricks)
        tricks, left = event.tricks, hand.tricks_left
        judge_cut(match)
        hand = match.hand
        if self.counted is not None:
            self.counted(hand, tricks)
        hand.claimed, hand.claimant = list(tricks), event.seat
        if self.by_side:
            sums = match.by_side([*tricks])
            tricks = tuple(sums[seat] if hand.side.index(side) == seat else 0 for seat, side in enumerate(hand.side))
        hand.taken = [taken + more for taken, more in zip(hand.taken, tricks, strict=True)]
        match.cite(
            "claim.agreed",
            Sentence.counted("the last trick falls as agreed", "the last {num} tricks fall as agreed", left),
        )
        match.hidden = False
        match.next_phase()


def expect_claim(match: Match[Any], event: ev.Claim) -> None:
    """Refuse a claim without a number of tricks for each seat, or with one below 0."""
    if event.seat is not None and not 0 <= event.seat < match.n:
        match.expect("claim", event.seat)
    match.expect_list("tricks", event.tricks)
    if min(event.tricks) < 0:
        match.refuse("table.range", Sentence("a number of tricks is below 0"))
