"""Calls: players say words of the game's vocabulary, in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import left_of_dealer
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Called, Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

DONE: Final = -1
"""The calls are over: the next phase comes."""
THROWN_IN: Final = -2
"""The calls are over, and so is the hand, without a score."""


class CallsInNumbers(NamedTuple):
    """For kernels: an auction in the rule subset, with calls as numbers, by their place among the words of the game.

    The hand keeps them in `calls`, declared as `growing`. A hand thrown in has no points.
    """

    forbidden_by: Callable[[Any, int, int], str]
    """`forbidden_by(hand, seat, number)` is the rule that forbids a call, "" if it is allowed."""
    next_caller: Callable[[Any, int, int], int]
    """`next_caller(hand, seat, number)` applies a call and returns the seat that calls next, DONE or THROWN_IN."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Calls(Phase):
    """Players call in turn, with words of the game (`Shown.words`); none of the functions looks at the cards held.

    A call that breaks a breakable rule stands where irregular events are recorded.
    """

    forbids: Callable[[Match[Any], Any, int, str], str | None]
    """`forbids(match, hand, seat, call)` returns the rule that forbids a call to a seat, None if it is allowed."""
    made: Callable[[Match[Any], Any, int, str], int]
    """`made(match, hand, seat, call)` applies a call and returns the seat that calls next, DONE, or THROWN_IN."""
    rule: str
    """The rule of the order of calls."""
    first: Callable[[Match[Any], Any], int] = left_of_dealer
    """The seat that calls first, DONE if there is nothing to call."""
    explained: bool = False
    """Calls may be alerted and explained."""
    in_numbers: CallsInNumbers | None = None
    """The same auction in the rule subset, for kernels; without it, it is played at the live table."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "call"

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    def takes(self) -> dict[type[ev.Event], Take]:
        """Calls."""
        return {ev.Call: self.call}

    def cites(self) -> tuple[str, ...]:
        """The rule of the order of calls."""
        return (self.rule,)

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The functions that take calls as numbers."""
        return () if self.in_numbers is None else tuple(self.in_numbers)

    def begin(self, match: Match[Any], hand: Hand) -> bool:
        """Calling begins with one seat, if there is anything to call."""
        seat = self.first(match, hand)
        if seat == DONE:
            return False
        hand.moment, hand.turn = self.name, seat
        return True

    def check(self, match: Match[Any], event: ev.Event) -> None:
        """Refuse a word that the game does not have."""
        assert isinstance(event, ev.Call)
        check_word(match, event)
        if not self.explained:
            for key, given in (("alert", event.alert), ("explain", event.explain)):
                if given is not None:
                    raise FormatError("format.key", f"a call of {match.game.id} has no key {key!r}")

    def call(self, match: Match[Any], hand: Hand, event: ev.Call) -> None:
        """Apply a call."""
        self.check(match, event)
        seat = event.seat
        match.expect(self.name, seat)
        rule = self.forbids(match, hand, seat, event.call)
        if rule is None:
            match.cite(
                self.rule, Sentence("{who} may call {call}", who=match.who(seat), call=Called(event.call)), "allowed"
            )
        else:
            self.breaks(match, hand, seat, rule, event.call)
        if not match.strict and self.bound(match, hand, seat):
            hand.exposed[seat] += 1
        turn = self.made(match, hand, seat, event.call)
        if turn == DONE:
            match.next_phase()
        elif turn == THROWN_IN:
            match.finish([0] * match.n)
        elif turn in range(match.n):
            hand.turn = turn
        else:
            raise ValueError(
                f"{match.game.id}: {event.call} is followed by {turn}, which is no seat, DONE or THROWN_IN"
            )

    def breaks(self, match: Match[Any], hand: Hand, seat: int, rule: str, call: str) -> None:
        """Refuse a call that a rule forbids, or record it if the rule can be broken at the table."""
        legal = self.legal(match, hand, seat)
        if match.game.book[rule].breakable:
            match.irregular(
                seat, rule, tuple(sorted(legal)), Sentence("{who} calls {call}", who=match.who(seat), call=Called(call))
            )
        else:
            match.refuse(
                rule,
                Sentence(
                    "{who} may call {legal}, not {call}", who=match.who(seat), legal=", ".join(legal), call=Called(call)
                ),
                seat,
            )

    def bound(self, match: Match[Any], hand: Hand, seat: int) -> bool:
        """Tell whether a breakable rule forbids any call to a seat."""
        rules = (self.forbids(match, hand, seat, word.call) for word in match.game.shown.words)
        return any(rule is not None and match.game.book[rule].breakable for rule in rules)

    def legal(self, match: Match[Any], hand: Hand, seat: int) -> tuple[str, ...]:
        """Return the calls a seat may make."""
        words = (word.call for word in match.game.shown.words)
        return tuple(call for call in words if self.forbids(match, hand, seat, call) is None)

    def choices(self, match: Match[Any], hand: Hand) -> tuple[Choice, ...]:
        """The calls of the seat whose turn it is."""
        assert hand.turn is not None
        return (Choice("call", hand.turn, calls=self.legal(match, hand, hand.turn)),)

    # --- calls as numbers, for bots and kernels

    def event(self, match: Match[Any], seat: int, number: int) -> ev.Event:
        """Return the event of a call."""
        return ev.Call(seat=seat, call=match.game.shown.words[number].call)

    def number(self, match: Match[Any], event: ev.Event) -> int | None:
        """Return the number of a call; None if it is none."""
        words = [word.call for word in match.game.shown.words]
        return words.index(event.call) if isinstance(event, ev.Call) else None


def check_word(match: Match[Any], event: ev.Call) -> None:
    """Refuse a word that the game does not have; raises FormatError `format.value`."""
    words = [word.call for word in match.game.shown.words]
    if event.call not in words:
        raise FormatError("format.value", f"{match.game.id} has no call {event.call!r} (it has {', '.join(words)})")
