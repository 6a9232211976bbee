"""Draw luck: what cards from the stock were worth to who drew them, less the mean over all cards that might have come.

Values are simple sums of what a drawn card changes, so every card of the stock can be tried: the mean of draw luck
over the stock is 0 by construction. To take the discards instead is a decision, and no luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ledger import events as ev
from ledger.bots.hecto_diversity import best_part
from ledger.cards import cards_in
from ledger.games.diamonds_draw import DIAMONDS, DrawingTable
from ledger.games.hecto_diversity import ClosingTable, likenesses
from ledger.stats.deals import Dealt
from ledger.stats.review import turned

PART = (7.0, 7.0, 7.0, 7.0, 5.0, 2.0, -3.5, -18.0, -18.0)
"""`hecto-diversity`: what a hand whose largest diverse part has so many cards adds to the points of who has just drawn.

Least squares over 400 hands of four cautious players; it explains a quarter of the variance of their points.
"""
A_RANK, A_DIAMOND, ITS_RANK = 0.05, 0.1, 0.12
"""`diamonds-draw`: what a card drawn adds to the points for each rank above two, for being a diamond, for each rank of one.

Least squares over 600 hands each of three, four and five cautious players; it explains 2 to 5% of the variance.
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw from the stock: event `seq` of the match, and its luck for who drew, in points of the hand."""

    seq: int
    seat: int
    cards: tuple[str, ...]
    luck: float


def draws_of(dealt: Dealt, dealer: int, events: Sequence[tuple[int, ev.Event]]) -> list[Drawn]:
    """Return the luck of every draw from the stock in a hand; `events` are those that count, the deal first."""
    table = dealt.table(strict=False)
    found = []
    for seq, event in events[1:]:
        act = turned(event, dealer, table.n)
        if act is None or table.hand is None:
            continue
        if isinstance(act, ev.Draw) and act.source == "stock":
            found.append(Drawn(seq, event.seat, act.cards, draw_luck(table, act.cards)))  # type: ignore[attr-defined]
        table.apply(act, seq)
    return found


def draw_luck(table: DrawingTable | ClosingTable, faces: Sequence[str]) -> float:
    """Return what cards are worth to the seat about to draw them, less the mean over the stock."""
    if isinstance(table, DrawingTable):
        stock = [*cards_in(table.stack)]
        usual = sum(map(card_value, stock)) / len(stock)
        return sum(card_value(table.pack.of[face][0]) - usual for face in faces)
    values = {card: hand_value(table, 1 << card) for card in cards_in(_stock(table))}
    return values[table.pack.of[faces[0]][0]] - sum(values.values()) / len(values)


def _stock(table: ClosingTable) -> int:
    """Return all cards of the stock, also where their order is known."""
    return table.stock if table.stock_left and table.stock is not None else table.in_stock()


def card_value(card: int) -> float:
    """Return the points that a card drawn in `diamonds-draw` adds."""
    rank = card % 13
    return A_RANK * rank + (A_DIAMOND + ITS_RANK * rank if DIAMONDS >> card & 1 else 0.0)


def hand_value(table: Any, drawn: int) -> float:
    """Return the points that the hand of the seat to draw adds with one more card in `hecto-diversity`."""
    _, part = best_part(table.held[table.turn] | drawn, likenesses(table.options["layout"]), table.pack.ranks)
    return PART[part.bit_count()]
