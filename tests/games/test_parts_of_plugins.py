"""Games of other packages bring hands and phases of their own, which no compiler has seen; ours, compiled or not, carry them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from cardledger.errors import RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine import match as compiled_or_not
from cardledger.rules.engine.building_blocks import left_of_dealer, left_of_taker
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match, begin
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.engine.state import Hand
from cardledger.rules.games import game as known
from cardledger.rules.games.diamonds_bid.rules import DiamondsHand
from tests.tables import state, whole_hands


@dataclass
class LogHand(Hand):
    """Logs who took each trick, in a list of its own."""

    log: list[int] = field(default_factory=list)


@dataclass
class LogBidHand(DiamondsHand):
    """The same on top of the hand of a game of ours, whose rules it goes by."""

    log: list[int] = field(default_factory=list)


class LogPlay(TrickPlay):
    """Writes the log, and goes on as any play does."""

    def complete(self, match: Match[Any], hand: Any, seats: tuple[int, ...]) -> None:
        place, _ = self.taker(hand, hand.trick)
        hand.log.append(seats[place])
        super().complete(match, hand, seats)


def diversity_logged(play: type[TrickPlay] = LogPlay) -> Game[Any]:
    """Diversity with a hand and a play of another package."""
    game = known("diversity")
    ours = game.phases[-1]
    theirs = play(
        first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", free_rule="play.any", taker=ours.taker,
        next_lead=left_of_taker, next_rule="lead.left-of-taker",
    )  # fmt: skip
    return replace(game, hand=LogHand, phases=(*game.phases[:-1], theirs))


def diamonds_logged() -> Game[Any]:
    """Diamonds-bid with a hand that adds to one of ours, and a play of another package."""
    game = known("diamonds-bid")
    ours = game.phases[-1]
    theirs = LogPlay(
        first_card=ours.first_card, lead_rule="lead.lowest-club", lead=ours.lead, follow=ours.follow,
        taker=ours.taker, after_trick=ours.after_trick, next_rule="lead.taker",
    )  # fmt: skip
    return replace(game, hand=LogBidHand, phases=(*game.phases[:-1], theirs))


COMPILED = not str(compiled_or_not.__file__).endswith(".py")
GAMES = [
    diversity_logged,
    pytest.param(
        diamonds_logged, marks=pytest.mark.skipif(COMPILED, reason="a compiled hand of a game is not built upon")
    ),
]


def folded(game: Game[Any], events: list[ev.Event]) -> Match[Any]:
    """Return a match under the game of another package."""
    opening, *rest = events
    assert isinstance(opening, ev.Open)
    match = begin(game, opening)
    for seq, event in enumerate(rest, 2):
        match.apply(event, seq)
    return match


@pytest.mark.parametrize("theirs", GAMES)
def test_a_method_of_theirs_is_called_by_ours(theirs: Callable[[], Game[Any]]) -> None:
    game = theirs()
    match = folded(game, whole_hands(game.id, 4, Random(1), 2))
    for played in match.hands:
        assert played.log == [taker for _, _, taker, _ in played.tricks] != []


@pytest.mark.parametrize("theirs", GAMES)
def test_state_of_theirs_is_copied_with_ours(theirs: Callable[[], Game[Any]]) -> None:
    game = theirs()
    events = whole_hands(game.id, 4, Random(2), 1)
    match = folded(game, events[:-1])
    other: Any = match.copy()
    before = state(match), other.hand.log.copy()
    other.apply(events[-1], len(events))
    assert len(other.hands[-1].log) == len(before[1]) + 1
    assert state(match) == before[0]


class Shy(LogPlay):
    """Does something of its own about a play."""

    def put(self, match: Match[Any], hand: Any, seat: int, held: int, card: int, bit: int) -> None:
        match.refuse("table.phase", "nobody plays here", seat)


def test_a_plugins_method_for_an_event_is_called_first() -> None:
    with pytest.raises(RuleError, match="nobody plays") as refused:
        folded(diversity_logged(Shy), whole_hands("diversity", 4, Random(3), 1))
    assert refused.value.code == "table.phase"
