"""Bids: every player names a number once, in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import left_of_dealer
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.fields import by_seat
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class BidHand(Hand):
    """Adds the bids by seat (-1: none yet)."""

    bids: list[int] = by_seat(-1)


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Bids(Phase):
    """Every player bids a number once, in turn; `hand.bids` holds the bids.

    `highest`, `barred` and `bound` are in the rule subset, and none of them looks at the cards.
    """

    highest: Callable[[Any], int]
    """The highest bid."""
    order_rule: str
    """The rule of the order of bids."""
    range_rule: str
    """The rule that a bid outside `lowest` to `highest` breaks."""
    lowest: int = 0
    """The lowest bid said as a number."""
    words: int = 0
    """Bids said in a word and not as a number, as a set; they are always allowed. A subclass takes the calls."""
    barred_rule: str = ""
    """The rule that bars some bids; none by default."""
    barred: Callable[[Any, int, int], bool] | None = None
    """`barred(hand, seat, amount)` tells whether `barred_rule` forbids a bid."""
    bound: Callable[[Any, int], bool] | None = None
    """`bound(hand, seat)` tells whether `barred_rule` binds a seat at all: then an allowed bid cites it."""
    first: Callable[[Match[Any], Hand], int] = left_of_dealer
    """The seat that bids first."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "bid"

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    def takes(self) -> dict[type[ev.Event], Take]:
        """Bids."""
        return {ev.Bid: self.bid}

    def cites(self) -> tuple[str, ...]:
        """The rules of order and range, and the one that bars a bid."""
        barred = (self.barred_rule,) if self.barred_rule else ()
        return self.order_rule, self.range_rule, *barred

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The functions that say which bids are allowed."""
        return tuple(rule for rule in (self.highest, self.barred, self.bound) if rule is not None)

    def begin(self, match: Match[Any], hand: BidHand) -> bool:
        """Bidding begins with one seat and goes round once."""
        hand.moment, hand.turn = "bid", self.first(match, hand)
        return True

    def bid(self, match: Match[Any], hand: BidHand, event: ev.Bid) -> None:
        """Apply a bid."""
        seat = event.seat
        if seat != hand.turn or hand.moment != "bid":
            match.expect("bid", seat)
        low, high, rule = self.lowest, self.highest(hand), self.barred_rule
        if not low <= event.amount <= high:
            match.refuse(
                self.range_rule,
                Sentence("a bid is from {low} to {high}, not {amount}", low=low, high=high, amount=event.amount),
                seat,
            )
        if self.barred is not None and self.barred(hand, seat, event.amount):
            match.refuse(
                rule,
                Sentence(
                    "{who} may not bid {amount}: {rule}",
                    who=match.who(seat),
                    amount=event.amount,
                    rule=Sentence(match.game.book[rule].text),
                ),
                seat,
            )
        hand.bids[seat] = event.amount
        if match.trail is not None:
            match.cite(self.order_rule, Sentence("it is the turn of {who} to bid", who=match.who(seat)), "allowed")
            match.cite(
                self.range_rule,
                Sentence("{amount} is between {low} and {high}", amount=event.amount, low=low, high=high),
                "allowed",
            )
            if self.bound is not None and self.bound(hand, seat):
                match.cite(
                    rule, Sentence("{who} may bid {amount}", who=match.who(seat), amount=event.amount), "allowed"
                )
        self.go_on(match, hand, seat)

    def go_on(self, match: Match[Any], hand: BidHand, seat: int) -> None:
        """Turn to the next seat, or go on to the next phase after the last."""
        if -1 in hand.bids:
            hand.turn = (seat + 1) % match.n
        else:
            match.next_phase()

    def choices(self, match: Match[Any], hand: Any) -> tuple[Choice, ...]:
        """The bids of the seat whose turn it is; empty if all are barred."""
        seat = hand.turn
        assert seat is not None
        low, high = self.lowest, self.highest(hand)
        barred = tuple(a for a in range(low, high + 1) if self.barred is not None and self.barred(hand, seat, a))
        if len(barred) == high + 1 - low:
            return ()
        return (Choice("bid", seat, amounts=(low, high), barred=barred),)

    # --- bids as numbers, for bots and kernels

    def allowed(self, hand: Any, seat: int) -> int:
        """Return the bids that a seat may make, as a set; `cardledger.rules.kernel.before` has the same again."""
        amounts = self.words
        for amount in range(self.lowest, self.highest(hand) + 1):
            if self.barred is None or not self.barred(hand, seat, amount):
                amounts |= 1 << amount
        return amounts

    def event(self, seat: int, amount: int) -> ev.Event:
        """Return the event of a bid."""
        return ev.Bid(seat=seat, amount=amount)

    def number(self, match: Match[Any], event: ev.Event) -> int | None:
        """Return the bid that an event makes; None if it is more than a bid."""
        return event.amount if isinstance(event, ev.Bid) else None
