"""Worlds that look the same to a seat, or to a spectator: the cards it has not seen lie otherwise."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from ledger import events as ev

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_PRIVATE = ev.Give | ev.Close


def world_like(events: Sequence[ev.Event], table: Any, seat: int, rng: Random) -> list[ev.Event]:
    """Return the events of a match whose last hand is under way as they may have been, as far as `seat` can tell.

    All faces it has not seen change places, those of which there are two among themselves; `table` is the state.
    """
    deal_at = max(place for place, event in enumerate(events) if isinstance(event, ev.Deal))
    deal = events[deal_at]
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    seen = {*(deal.hands[seat] if seat >= 0 else ()), *(deal.aside or ()), deal.upcard}
    for event in events[deal_at + 1 :]:
        if isinstance(event, ev.Draw):
            if event.source == "discards" or event.seat == seat:
                seen.update(event.cards)
        elif not isinstance(event, _PRIVATE) or seat in (event.seat, getattr(event, "to", None)):
            seen.add(getattr(event, "card", None))
    closer = getattr(table, "closer", None)
    if closer is not None:
        seen.update(table.pack.list(table.held[closer]))
    dealt = (*deal.hands, deal.stock or (), deal.aside or (), (deal.upcard,) if deal.upcard else ())
    copies = Counter(face for faces in dealt for face in faces)
    if hasattr(table, "discards"):
        copies.update({face: 1 for face in table.pack.faces if face not in copies})
    becomes = {face: face for face in copies}
    for number in set(copies.values()):
        unseen = sorted(face for face in copies if copies[face] == number and face not in seen)
        becomes.update(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))

    def changed(faces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(becomes[face] for face in faces)

    def other(event: ev.Event) -> ev.Event:
        if isinstance(event, ev.Draw):
            return msgspec.structs.replace(event, cards=changed(event.cards))
        if isinstance(event, _PRIVATE):
            return msgspec.structs.replace(event, card=becomes[event.card])
        return event

    hands = tuple(changed(faces) for faces in deal.hands)
    again = msgspec.structs.replace(deal, hands=hands, stock=deal.stock and changed(deal.stock))
    return [*events[:deal_at], again, *map(other, events[deal_at + 1 :])]
