"""Worlds that look the same to a seat, or to a spectator: the cards it has not seen lie otherwise."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_PRIVATE = (ev.Give, ev.Close)


def faces_of(event: ev.Event) -> tuple[str, ...]:
    """Return the cards that an event names."""
    found = (getattr(event, "card", None), *(getattr(event, "cards", None) or ()))
    return tuple(face for face in found if isinstance(face, str))


def world_like(events: Sequence[ev.Event], table: Any, seat: int, rng: Random) -> list[ev.Event]:
    """Return the events of a match whose last hand is under way as they may have been, as far as `seat` can tell.

    All faces it has not seen change places, those of which there are two among themselves; `table` is the state.
    """
    deal_at = max(place for place, event in enumerate(events) if isinstance(event, ev.Deal))
    deal = events[deal_at]
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    unseen_aside = table.game.deal.left_over == "unnamed"
    private = (*_PRIVATE, *(kind for phase in table.game.phases for kind in phase.unseen))
    seen = {*(deal.hands[seat] if seat >= 0 else ()), *(() if unseen_aside else deal.aside or ()), deal.upcard}
    seen.update(face for one in range(table.n) if table.hand.open_hands >> one & 1 for face in deal.hands[one])
    for event in events[deal_at + 1 :]:
        if isinstance(event, ev.Draw):
            if event.source == "discards" or event.seat == seat:
                seen.update(event.cards)
        elif not isinstance(event, private) or seat in (event.seat, getattr(event, "to", None)):
            seen.update(faces_of(event))
    closer = getattr(table.hand, "closer", -1)
    if closer >= 0:
        seen.update(table.pack.list(table.hand.held[closer]))
    dealt = (*deal.hands, deal.stock or (), deal.aside or (), (deal.upcard,) if isinstance(deal.upcard, str) else ())
    copies = Counter(face for faces in dealt for face in faces)
    if hasattr(table.hand, "discards"):
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
        if isinstance(event, private) and isinstance(getattr(event, "cards", None), tuple):
            return msgspec.structs.replace(event, cards=changed(event.cards))
        if isinstance(event, private):
            return msgspec.structs.replace(event, card=becomes[event.card])
        return event

    hands = tuple(changed(faces) for faces in deal.hands)
    again = msgspec.structs.replace(
        deal, hands=hands, stock=deal.stock and changed(deal.stock), aside=deal.aside and changed(deal.aside)
    )
    return [*events[:deal_at], again, *map(other, events[deal_at + 1 :])]
