"""The diagram of a hand as its page shows it: seats around a compass, the auction beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.record.matches.describe import rounds
from cardledger.record.matches.hand_diagram import diagram
from cardledger_web.languages import _
from cardledger_web.views.cards import DrawnCard, drawn
from cardledger_web.views.wording import as_written, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine import events as ev
    from cardledger.rules.engine.match import Match


@dataclass(frozen=True, slots=True)
class DiagramSeat:
    """A seat.

    Its number and place clockwise from the bottom, what it is called in full and in short, and its cards by suit (None:
    unseen).
    """

    seat: int
    place: int
    called: str
    short: str
    suits: list[tuple[DrawnCard, list[DrawnCard]]] | None


@dataclass(frozen=True, slots=True)
class DrawnDiagram:
    """A diagram.

    Its seats, the order of the seats in the auction, its rounds of calls (each with the number of its alert) and the
    alerts.
    """

    seats: list[DiagramSeat]
    whole: bool
    order: list[DiagramSeat]
    rounds: list[tuple[Any, ...]]
    notes: list[str]
    lead: DrawnCard | None


def drawn_diagram(table: Match[Any], dealer: int, events: Sequence[ev.Event]) -> DrawnDiagram | None:
    """Return the diagram of a hand; None where seats have no names, or nothing of the hand was seen."""
    game, cards = table.game, drawn(table.pack)
    if not game.shown.seats:
        return None
    found, words = diagram(table, events), wording(game)
    if not found.calls and not any(found.hands):
        return None
    rows = [table.pack.list(suit)[0] for suit in table.pack.suit_masks][::-1]
    seats = [
        DiagramSeat(
            seat, (seat - words.bottom) % table.n, *words.seat(seat),
            None if hand is None else [
                (cards[first], [cards[face] for face in suit]) for first, suit in zip(rows, hand, strict=True)
            ],
        )
        for seat, hand in enumerate(found.hands)
    ]  # fmt: skip
    first = (words.bottom + 1) % table.n
    order = [seats[(first + place) % table.n] for place in range(table.n)]
    calls: list[Any] = [(words.call(call.call), call.note) for call in found.calls]
    return DrawnDiagram(
        seats if any(found.hands) else [],
        found.whole,
        order,
        rounds(calls, (dealer - first) % table.n, table.n) if calls else [],
        [as_written(text) or _("alerted") for text in found.notes],
        cards.get(found.lead or ""),
    )
