"""The bids of spades: a number of tricks, or the call nil."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardledger.rules import BidHand, Bids, Called, Choice, Match, Sentence, Take, by_seat, check_word, from_option
from cardledger.rules import events as ev

RANGE, JOINT, BLIND_NIL = "bid.range", "bid.joint", "bid.blind-nil"
BEHIND = 100
"""How many points a side must be behind for a blind nil."""


@dataclass
class SpadesHand(BidHand):
    """Adds the blind nils (a set of seats), whether spades are broken, the bags carried, and the options.

    `joint_limit` limits the bids of both partners together. `bags` are those of a seat's side: before the hand, and
    after it once it is scored. `nil_tricks` is 1 if the tricks of a failed nil help the partner, `spade_lead` if spades
    may be led at any time.
    """

    blind: int = 0
    broken: bool = False
    bags: list[int] = by_seat()
    nil_points: int = from_option()
    nil_tricks: int = from_option()
    bag_limit: int = from_option()
    bag_penalty: int = from_option()
    spade_lead: int = from_option()
    joint_limit: bool = from_option(False)


class SpadesBids(Bids):
    """Numbers are bids; nil and blind nil are calls, kept as a bid of 0."""

    def takes(self) -> dict[type[ev.Event], Take]:
        """Bids and both nils."""
        return {ev.Bid: self.bid, ev.Call: self.call}

    def cites(self) -> tuple[str, ...]:
        """The rules of bids and of both nils."""
        return *super().cites(), BLIND_NIL

    def check(self, match: Match[SpadesHand], event: ev.Event) -> None:
        """Refuse a call that the game does not have."""
        if isinstance(event, ev.Call):
            check_word(match, event)

    def call(self, match: Match[SpadesHand], hand: SpadesHand, event: ev.Call) -> None:
        """Record a nil, blind or not."""
        self.check(match, event)
        seat = event.seat
        match.expect("bid", seat, but=Sentence("not a call"))
        blind = event.call == "blind nil"
        if blind and not may_be_blind(match, seat):
            match.refuse(
                BLIND_NIL,
                Sentence(
                    "the side of {who} is not {behind} points behind, or blind nil is not agreed",
                    who=match.who(seat),
                    behind=BEHIND,
                ),
                seat,
            )
        hand.bids[seat] = 0
        if blind:
            hand.blind |= 1 << seat
        match.cite(self.order_rule, Sentence("it is the turn of {who} to bid", who=match.who(seat)), "allowed")
        match.cite(
            BLIND_NIL if blind else RANGE,
            Sentence("{who} bids {call}", who=match.who(seat), call=Called(event.call)),
            "allowed",
        )
        self.go_on(match, hand, seat)

    def choices(self, match: Match[SpadesHand], hand: SpadesHand) -> tuple[Choice, ...]:
        """A number, or a nil."""
        assert hand.turn is not None
        calls = ("nil", "blind nil") if may_be_blind(match, hand.turn) else ("nil",)
        return *super().choices(match, hand), Choice("call", hand.turn, calls=calls)

    def event(self, seat: int, amount: int) -> ev.Event:
        """A nil is a call."""
        return super().event(seat, amount) if amount else ev.Call(seat=seat, call="nil")

    def number(self, match: Match[SpadesHand], event: ev.Event) -> int | None:
        """A nil is a bid of 0; a blind nil is more than that."""
        return 0 if isinstance(event, ev.Call) and event.call == "nil" else super().number(match, event)


def all_tricks(hand: SpadesHand) -> int:
    """The highest bid."""
    return 13


def limited(hand: SpadesHand, seat: int) -> bool:
    """The second bid of a side, if the joint limit is agreed."""
    return hand.joint_limit and hand.bids[(seat + 2) % 4] >= 0


def too_many(hand: SpadesHand, seat: int, amount: int) -> bool:
    """With the joint limit, at most 13 together with the partner's bid."""
    return hand.joint_limit and hand.bids[(seat + 2) % 4] + amount > 13


def may_be_blind(match: Match[SpadesHand], seat: int) -> bool:
    """Tell whether a seat may bid blind nil: its side must be far enough behind when the hand begins."""
    return bool(match.options["blind_nil"]) and match.totals[seat] + BEHIND <= match.totals[(seat + 1) % 4]


BIDS: Final = SpadesBids(
    all_tricks,
    order_rule="bid.order",
    range_rule=RANGE,
    lowest=1,
    words=1,
    barred_rule=JOINT,
    barred=too_many,
    bound=limited,
)
