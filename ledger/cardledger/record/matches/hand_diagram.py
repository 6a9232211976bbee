"""A hand as newspapers print it: the cards dealt by seat and suit, the calls with their alerts, and the lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream, unroll

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@dataclass(frozen=True, slots=True)
class DiagramCall:
    """A call; `note` is the number of the alert that explains it, 0 without one."""

    seat: int
    call: str
    note: int


@dataclass(frozen=True, slots=True)
class HandDiagram:
    """The cards of each seat from the highest suit and card down (None: none of them was seen), the calls, and the lead.

    `whole` means that all cards are known; otherwise they are those that were seen. `notes` are the alerts in order,
    with an empty text for an alert without words.
    """

    hands: tuple[tuple[tuple[str, ...], ...] | None, ...]
    whole: bool
    calls: tuple[DiagramCall, ...]
    notes: tuple[str, ...]
    lead: str | None


def events_by_hand(stream: Stream) -> list[list[ev.Event]]:
    """Return the events that count, one list for each hand, its deal first."""
    by_hand: list[list[ev.Event]] = []
    for _, event in unroll(stream.heads[-1])[1:]:
        if isinstance(event, ev.Deal):
            by_hand.append([])
        if by_hand:
            by_hand[-1].append(event)
    return by_hand


def diagram(table: Match[Any], events: Sequence[ev.Event]) -> HandDiagram:
    """Return the diagram of a hand by its events that count."""
    deal = events[0]
    assert isinstance(deal, ev.Deal)
    plays = [event for event in events if isinstance(event, ev.Play)]
    held: list[list[str]] = [[] for _ in range(table.n)]
    if deal.hands is not None:
        held = [list(hand) for hand in deal.hands]
    else:
        for play in plays:
            held[play.seat].append(play.card)
    calls, notes = [], []
    for event in events:
        if isinstance(event, ev.Call):
            alerted = event.alert is not None or event.explain is not None
            if alerted:
                notes.append("; ".join(text for text in (event.alert, event.explain) if text))
            calls.append(DiagramCall(event.seat, event.call, len(notes) if alerted else 0))
    return HandDiagram(
        tuple(_by_suit(table, hand) if hand else None for hand in held),
        sum(map(len, held)) == len(table.pack.faces),
        tuple(calls),
        tuple(notes),
        plays[0].card if plays else None,
    )


def _by_suit(table: Match[Any], hand: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    pack = table.pack
    cards = sorted((pack.of[face][0] for face in hand), reverse=True)
    suits = range(len(pack.suit_names) - 1, -1, -1)
    return tuple(tuple(pack.faces[card] for card in cards if pack.suits[card] >> suit & 1) for suit in suits)
