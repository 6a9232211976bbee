"""The pick-up: a player takes cards from the table into the hand, and discards the same number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import lacks
from cardledger.rules.engine.judging import stand
from cardledger.rules.engine.phases.moves import DISCARDS, TAKES_UP, Move
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class PickUp(Phase):
    """A player openly takes a card from the table into the hand, and discards one face down.

    In a hidden hand the discarded card may be null (unseen). The hands are judged as they stand after that.
    """

    who: Callable[[Match[Any], Any], int]
    """The player, -1 for none."""
    card: Callable[[Any], int]
    """The card picked up, as a set."""
    rule: str
    """The rule of the pick-up, and of the discard."""
    forbids: Callable[[Match[Any], Any, int], bool] | None = None
    """`forbids(match, hand, bit)` tells whether discarding a card breaks `rule`; by default any card may go."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "discard"

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """These cards lie face down."""
        return frozenset({ev.Discard})

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    def takes(self) -> dict[type[ev.Event], Take]:
        """The discard."""
        return {ev.Discard: self.discard}

    def cites(self) -> tuple[str, ...]:
        """The rule of the pick-up."""
        return (self.rule,)

    def begin(self, match: Match[Any], hand: Hand) -> bool:
        """The player takes the card into the hand, if there is one."""
        seat, cards = self.who(match, hand), self.card(hand)
        if seat < 0 or not cards:
            return False
        if match.hidden:
            match.worlds = [world.copy() for world in match.worlds]
            for world in match.worlds:
                for card in cards_in(cards):
                    world.receive(seat, 1 << card)
        else:
            hand.held[seat] |= cards
        hand.moment, hand.turn = "discard", seat
        return True

    def discard(self, match: Match[Any], hand: Hand, event: ev.Discard) -> None:
        """Apply the discard."""
        seat, face = event.seat, event.card
        if face is None and not match.hidden:
            raise FormatError("format.value", "card is null, but the hands are known: name the card")
        match.expect("discard", seat)
        if face is not None:
            bit = match.pack.mask.get(face, 0) & match.may_hold(seat)
            if not bit:
                lacks(match, seat, face)
            if self.forbids is not None and self.forbids(match, hand, bit):
                match.refuse(self.rule, Sentence("{who} may not discard {face}", who=match.who(seat), face=face), seat)
            if match.hidden:
                match.show(seat, face)
            else:
                hand.held[seat] ^= bit & -bit
        else:
            match.worlds = [world.copy() for world in match.worlds]
            for world in match.worlds:
                known = cards_in(world.known[seat])
                world.bury(seat, 1)
                for card in known:
                    if self.forbids is not None and self.forbids(match, hand, 1 << card):
                        world.turn_up(seat, 1 << card)  # it cannot be the discarded one
        if match.trail is not None:
            match.cite(self.rule, Sentence("{who} discards a card", who=match.who(seat)), "allowed")
        if match.hidden:
            stand(match)
        match.next_phase()

    def arrivals(self, match: Match[Any], hand: Hand, event: ev.Event) -> tuple[ev.Arrival, ...]:
        """The card picked up came into the hand of the player who discards."""
        if not isinstance(event, ev.Discard):
            return ()
        return (ev.Arrival(event.seat, "picked up", tuple(match.pack.list(self.card(hand)))),)

    def moves(self, match: Match[Any], hand: Hand, event: ev.Event) -> tuple[Move, ...]:
        """The player takes the card up, and discards one that is not forbidden."""
        if not isinstance(event, ev.Discard):
            return ()
        forbidden = 0
        for card in cards_in(hand.deck):
            if self.forbids is not None and self.forbids(match, hand, 1 << card):
                forbidden |= 1 << card
        return Move(TAKES_UP, event.seat, cards=self.card(hand)), Move(DISCARDS, event.seat, cards=forbidden)

    def choices(self, match: Match[Any], hand: Hand) -> tuple[Choice, ...]:
        """The cards that may be discarded."""
        assert hand.turn is not None
        cards = match.may_hold(hand.turn)
        legal = [c for c in cards_in(cards) if self.forbids is None or not self.forbids(match, hand, 1 << c)]
        return (Choice("discard", hand.turn, match.pack.show(sum(1 << card for card in legal))),)
