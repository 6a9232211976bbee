"""What somebody records who sees the table but no hand: null in place of cards that lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game

MAY_BE_NULL = frozenset(
    {(ev.Deal, "hands"), (ev.Deal, "upcard"), (ev.Draw, "cards"), (ev.Discard, "card"), (ev.Give, "cards")}
)
"""Keys that are null for unseen cards; other unneeded keys are left out instead."""


def without_unseen(event: ev.Event, game: Game[Any]) -> ev.Event:
    """Return an event of a game as a scorer records it who sees no hands, no stock, and no cards that lie face down."""
    if isinstance(event, ev.Deal):
        aside = event.aside if game.deal.left_over == "named" else None
        return msgspec.structs.replace(event, hands=None, stock=None, aside=aside)
    if isinstance(event, ev.Draw) and event.source != "stock":
        return event
    if any(type(event) in phase.unseen for phase in game.phases):
        key = next(key for key in ("card", "cards") if (type(event), key) in MAY_BE_NULL)
        return msgspec.structs.replace(event, **{key: None})
    return event


def refuse_shape(event: ev.Event, game: str) -> None:
    """Refuse null, or passed cards, in a game without them; raises FormatError `format.value`, `format.key`."""
    key = "card" if isinstance(event, ev.Discard) else "cards"
    if isinstance(event, ev.Discard | ev.Draw) and getattr(event, key) is None:
        raise FormatError("format.value", f"{key} is null, but there is no {ev.type_of(event)} in {game}")
    if isinstance(event, ev.Give) and event.card is UNSET:
        raise FormatError("format.key", f"a give of {game} has the key 'card', not 'cards'")
