"""Games of other packages bring tables of their own, which no compiler has seen; compiled or not, ours carry them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Self

import pytest

from ledger import events as ev
from ledger.game import TrickGame
from ledger.games import diamonds_bid, diversity
from ledger.games.diamonds_bid import BiddingTable
from ledger.table import Table
from ledger.tricks import TrickTable
from tests.tables import state, whole_hands


class Slotted(TrickTable):
    """Logs the takers in a slot, and leaves it to the table to copy it."""

    __slots__ = ("log",)

    def __init__(self, game: TrickGame, event: ev.Open) -> None:
        super().__init__(game, event)
        self.log: list[int] = []

    def after_trick(self, taker: int, trick: list[int]) -> None:
        self.log.append(taker)
        super().after_trick(taker, trick)


class Loose(TrickTable):
    """The same without slots."""

    def __init__(self, game: TrickGame, event: ev.Open) -> None:
        super().__init__(game, event)
        self.log: list[int] = []

    def after_trick(self, taker: int, trick: list[int]) -> None:
        self.log.append(taker)
        super().after_trick(taker, trick)


class Bidding(BiddingTable):
    """The same on top of one of our games, saying itself what it takes over."""

    __slots__ = ("log",)

    def __init__(self, game: TrickGame, event: ev.Open) -> None:
        super().__init__(game, event)
        self.log: list[int] = []

    def become(self, other: Self) -> None:
        super().become(other)
        self.log = other.log.copy()

    def after_trick(self, taker: int, trick: list[int]) -> None:
        self.log.append(taker)
        super().after_trick(taker, trick)


TABLES = [(Slotted, diversity.GAME), (Loose, diversity.GAME), (Bidding, diamonds_bid.GAME)]


def folded(table: type[Any], game: TrickGame, events: list[ev.Event]) -> Any:
    """Return a match as the table of another package holds it."""
    first, *rest = events
    assert isinstance(first, ev.Open)
    held = table(replace(game, table=table), first)
    for seq, event in enumerate(rest, 2):
        held.apply(event, seq)
    return held


@pytest.mark.parametrize(("table", "game"), TABLES)
def test_a_method_of_theirs_is_called_by_ours(table: type[Table], game: TrickGame) -> None:
    events = whole_hands(game.id, 4, Random(1), 2)
    match = folded(table, game, events)
    assert match.log == [taker for hand in match.hands for _, _, taker, _ in hand.tricks]


@pytest.mark.parametrize(("table", "game"), TABLES)
def test_state_of_theirs_is_copied_with_ours(table: type[Table], game: TrickGame) -> None:
    events = whole_hands(game.id, 4, Random(2), 1)
    match = folded(table, game, events[:-1])
    other = match.copy()
    before = state(match), match.log.copy()
    other.apply(events[-1], len(events))
    assert len(other.log) == len(match.log) + 1
    assert (state(match), match.log) == before


class Shy(TrickTable):
    """Does something of its own about a play."""

    def _shy(self, event: ev.Play) -> None:
        self.refuse("table.phase", f"nobody plays {event.card} here", event.seat)


Shy.actions = {**TrickTable.actions, ev.Play: Shy._shy}


def test_what_they_do_about_an_event_goes_first() -> None:
    events = whole_hands("diversity", 4, Random(3), 1)
    with pytest.raises(Exception, match="nobody plays") as refused:
        folded(Shy, diversity.GAME, events)
    assert refused.value.code == "table.phase"
