"""The first lead of poison-hearts: a player due to lead who holds no 1 passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardledger.rules import Choice, Match, Sentence, Take, TiedHand, Ties, by_seat
from cardledger.rules import events as ev
from cardledger.rules.games.poison_hearts.cards import five_suit_pack

NO_ONE = "pass.no-one"
ONES: Final = sum(1 << card for card, rank in enumerate(five_suit_pack(False).ranks) if rank == 1)
"""All cards of value 1."""


@dataclass
class PoisonHand(TiedHand):
    """Adds the cards each seat has won, and whether the first lead is still to come."""

    won: list[int] = by_seat()
    unled: bool = True


def may_pass(hand: PoisonHand) -> bool:
    """Nobody passes after the first lead."""
    return hand.unled and not hand.trick


def ones(hand: PoisonHand, held: int) -> int:
    """The 1s in a hand: who holds one leads it."""
    return held & ONES


class PoisonTies(Ties):
    """Adds the pass of a player who is due to lead first and holds no 1."""

    def takes(self) -> dict[type[ev.Event], Take]:
        """Passes."""
        return {ev.Pass: self.pass_on}

    def pass_on(self, match: Match[PoisonHand], hand: PoisonHand, event: ev.Pass) -> None:
        """Move the first lead on to the next player."""
        seat = event.seat
        match.expect("play" if may_pass(hand) else "", seat, but=Sentence("nobody passes after the first lead"))
        held = ones(hand, hand.held[seat])
        if held:
            match.irregular(
                seat, NO_ONE, match.pack.show(held), Sentence("{who} passes with a 1 in the hand", who=match.who(seat))
            )
            hand.exposed[seat] += 1
        else:
            match.cite(NO_ONE, Sentence("{who} holds no 1", who=match.who(seat)), "allowed")
        hand.turn = (seat + 1) % match.n

    def denied(self, match: Match[PoisonHand], hand: PoisonHand, event: ev.Event) -> int:
        """A pass says that there is no 1."""
        return ONES if isinstance(event, ev.Pass) else 0

    def kinds(self, match: Match[PoisonHand], hand: PoisonHand) -> tuple[str, ...]:
        """The choice between play and pass depends on the cards held, so it is judged by the hand."""
        return ("play", "pass") if may_pass(hand) else ()

    def choices(self, match: Match[PoisonHand], hand: PoisonHand, plays: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Plays, and the pass of a player who holds no 1."""
        passing = may_pass(hand) and (match.hidden or not ones(hand, hand.held[hand.turn or 0]))
        passes = (Choice("pass", hand.turn),) if passing else ()
        return passes if passing and not match.hidden else (*plays, *passes)
