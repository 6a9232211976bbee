"""Draw luck: what the drawn cards were worth to the player, less the mean over all cards that might have come.

The value of a card is a simple sum of what it changes, so every card of the stock can be tried: the mean of draw luck
over the stock is 0 by construction. Taking the discards instead is a decision, not luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.study.stats.luck.deals import Dealt
from cardledger.study.stats.review.review import rotated


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw from the stock: event `seq` of the match, and its luck for the player, in points of the hand."""

    seq: int
    seat: int
    cards: tuple[str, ...]
    luck: float


def draws_of(dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]]) -> list[Drawn]:
    """Return the luck of every draw from the stock in a hand; `events` are the ones that count, deal first."""
    table = dealt.table(strict=False)
    if table.game.study.bot is None or table.game.study.bot.drawn_value is None:
        return []
    draws = []
    for seq, event in events[1:]:
        act = rotated(event, dealer, table.n)
        if act is None or table.hand.over:
            continue
        if isinstance(act, ev.Draw) and act.source == "stock" and act.cards is not None:
            draws.append(Drawn(seq, event.seat, act.cards, draw_luck(table, act.cards)))  # type: ignore[attr-defined]
        table.apply(act, seq)
    return draws


def draw_luck(match: Match[Any], faces: Sequence[str]) -> float:
    """Return what some cards are worth to the seat that is about to draw, less the mean over the stock."""
    hand: Any = match.hand
    value: Callable[[Any, Any, int], float] = match.game.study.bot.drawn_value
    choice = next(choice for choice in match.choices() if choice.sources == ("stock",))
    cards = match.pack.of
    values = {face: value(match, hand, cards[face][0]) for face in choice.cards}
    usual = sum(values.values()) / len(values)
    return sum(values[face] - usual for face in faces)
