"""Duties: the rules that bind a seat when it leads or follows, alone and together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.state import Hand

Keeps = Callable[[Any, int], int]
"""Takes the hand and the cards held, and returns those that keep a rule; an empty set: nothing may be played."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A rule about which cards may be led, or played to a lead."""

    rule: str
    """The id of the rule; a card that breaks several duties breaks the first in the order of the game."""
    cards: Keeps
    """`cards(hand, held)` returns those of the cards held that keep the rule, as a set; in the rule subset. All cards
    keep a rule that says nothing at the moment. More cards in the hand must never make a card legal: hidden hands are
    judged by that."""
    tricks: Literal["all", "first", "later"] = "all"
    """The tricks in which it binds. In the others it forbids nothing, and is not asked: `cards` need not look at the
    number of the trick. A rule that says one thing in the first trick and another one later is two duties with the
    same rule."""

    def binds(self, later: bool) -> bool:
        """Tell whether it binds in the first trick, or in `later` ones."""
        return self.tricks == "all" or (self.tricks == "later") == later


@dataclass(frozen=True, slots=True)
class Bound:
    """What binds a seat that leads, or one that follows, in the first trick or in later ones."""

    duties: tuple[Duty, ...]
    """The duties that bind, in the order of the game."""
    idle: tuple[Duty, ...]
    """Duties of the other tricks, whose rules forbid nothing now."""
    keeps: Keeps | None
    """The cards that keep all of them; None when there is no duty at all."""

    @staticmethod
    def of(duties: tuple[Duty, ...], later: bool) -> Bound:
        """Return what binds out of the duties of a game."""
        binding = tuple(duty for duty in duties if duty.binds(later))
        rules = {duty.rule for duty in binding}
        idle = tuple(duty for duty in duties if duty.rule not in rules)
        return Bound(binding, idle, joint(tuple(duty.cards for duty in binding)))


@cache
def joint(duties: tuple[Keeps, ...]) -> Keeps | None:
    """Return one duty for several: the cards that keep them all. None when there is no duty at all."""
    if len(duties) <= 1:
        return duties[0] if duties else None

    def keeps_all(hand: Any, held: int) -> int:
        legal = held
        for duty in duties:
            legal &= duty(hand, held)
        return legal

    return keeps_all


def corrected(duties: tuple[Duty, ...], others: Mapping[str, Duty]) -> tuple[Duty, ...]:
    """Return duties with others in the place of those of the same rules; several of one rule become one."""
    return tuple(dict.fromkeys(others.get(duty.rule, duty) for duty in duties))


def cite(
    match: Match[Any], hand: Hand, seat: int, held: int, face: str, bound: Bound, duties: tuple[Duty, ...]
) -> None:
    """Write to the trail of a match which duties applied to a card, and how each of them bound the seat."""
    player = match.who(seat)
    for duty in duties:
        if duty not in bound.duties and duty not in bound.idle:
            continue
        allowed = held if duty in bound.idle else duty.cards(hand, held)
        if allowed == held:
            said = Sentence("{face}: it does not restrict {player} here", face=face, player=player)
        else:
            shown = " ".join(match.pack.show(allowed))
            said = Sentence(
                "{face} is one of the cards it allows {player}: {shown}", face=face, player=player, shown=shown
            )
        match.cite(duty.rule, said, "allowed")
