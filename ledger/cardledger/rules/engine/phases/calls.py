"""Calls: players say words of the game's vocabulary, in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import left_of_dealer
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.phases.phase import H, Phase

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

DONE: Final = -1
"""The calls are over: the next phase comes."""
THROWN_IN: Final = -2
"""The calls are over, and so is the hand, without a score."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Calls(Phase[H]):
    """Players call in turn, with words of the game.

    `forbids(match, hand, seat, call)` returns the rule that forbids a call to a seat, None if it is allowed.
    `made(match, hand, seat, call)` applies a call and returns the seat that calls next, DONE, or THROWN_IN. `rule` is
    the rule of the order of calls. `first(match, hand)` is the seat that begins, DONE if there is nothing to call.
    `forbidden_by(hand, seat, number)` and `next_caller(hand, seat, number)` are the same in the rule subset, with calls as
    numbers, by their place among the game's words, which the hand keeps in `calls`, declared as `growing`; a hand thrown in has no points.
    A call that breaks a breakable rule stands where irregular events are recorded. `explained` means that calls may be
    alerted and explained. None of these functions looks at the cards held.
    """

    def __init__(
        self, forbids: Callable[[Match[H], H, int, str], str | None], made: Callable[[Match[H], H, int, str], int],
        rule: str, first: Callable[[Match[Any], Any], int] = left_of_dealer, name: str = "call", explained: bool = False,
        forbidden_by: Callable[[H, int, int], str] | None = None, next_caller: Callable[[H, int, int], int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self.blind = True
        self.explained = explained
        self.forbids, self.made, self.rule, self.first = forbids, made, rule, first
        self.forbidden_by, self.next_caller = forbidden_by, next_caller
        self.takes = {ev.Call: self.call}

    def cites(self) -> tuple[str, ...]:
        """The rule of the order of calls."""
        return (self.rule,)

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The functions that take calls as numbers."""
        return tuple(rule for rule in (self.forbidden_by, self.next_caller) if rule is not None)

    def begin(self, match: Match[H], hand: H) -> bool:
        """Calling begins with one seat, if there is anything to call."""
        seat = self.first(match, hand)
        if seat == DONE:
            return False
        hand.moment, hand.turn = self.name, seat
        return True

    def check(self, match: Match[H], event: ev.Event) -> None:
        """Refuse a word that the game does not have."""
        assert isinstance(event, ev.Call)
        check_word(match, event)
        if not self.explained:
            for key, given in (("alert", event.alert), ("explain", event.explain)):
                if given is not None:
                    raise FormatError("format.key", f"a call of {match.game.id} has no key {key!r}")

    def call(self, match: Match[H], hand: H, event: ev.Call) -> None:
        """Apply a call."""
        self.check(match, event)
        seat = event.seat
        match.expect(self.name, seat)
        rule = self.forbids(match, hand, seat, event.call)
        if rule is None:
            match.cite(self.rule, f"{match.who(seat)} may call {event.call}", "allowed")
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

    def breaks(self, match: Match[H], hand: H, seat: int, rule: str, call: str) -> None:
        """Refuse a call that a rule forbids, or record it if the rule can be broken at the table."""
        legal = self.legal(match, hand, seat)
        if match.game.book[rule].breakable:
            match.irregular(seat, rule, tuple(sorted(legal)), f"calls {call}")
        else:
            match.refuse(rule, f"{match.who(seat)} may call {', '.join(legal)}, not {call}", seat)

    def bound(self, match: Match[H], hand: H, seat: int) -> bool:
        """Tell whether a breakable rule forbids any call to a seat."""
        rules = (self.forbids(match, hand, seat, word.call) for word in match.game.words)
        return any(rule is not None and match.game.book[rule].breakable for rule in rules)

    def legal(self, match: Match[H], hand: H, seat: int) -> tuple[str, ...]:
        """Return the calls a seat may make."""
        words = (word.call for word in match.game.words)
        return tuple(call for call in words if self.forbids(match, hand, seat, call) is None)

    def choices(self, match: Match[H], hand: H) -> tuple[Choice, ...]:
        """The calls of the seat whose turn it is."""
        assert hand.turn is not None
        return (Choice("call", hand.turn, calls=self.legal(match, hand, hand.turn)),)

    # --- calls as numbers, for bots and kernels

    def event(self, match: Match[H], seat: int, number: int) -> ev.Event:
        """Return the event of a call."""
        return ev.Call(seat=seat, call=match.game.words[number].call)

    def number(self, match: Match[H], event: ev.Event) -> int | None:
        """Return the number of a call; None if it is none."""
        words = [word.call for word in match.game.words]
        return words.index(event.call) if isinstance(event, ev.Call) else None


def check_word(match: Match[Any], event: ev.Call) -> None:
    """Refuse a word that the game does not have; raises FormatError `format.value`."""
    words = [word.call for word in match.game.words]
    if event.call not in words:
        raise FormatError("format.value", f"{match.game.id} has no call {event.call!r} (it has {', '.join(words)})")
