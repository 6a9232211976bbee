"""What somebody records who sees the table but no hand: null in place of cards that lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game


def without_unseen(event: ev.Event, game: Game[Any]) -> ev.Event:
    """Return an event of a game as a scorer records it who sees no hands, no stock, and no cards that lie face down."""
    if isinstance(event, ev.Deal):
        aside = event.aside if game.deal.left_over == "named" else None
        return msgspec.structs.replace(event, hands=None, stock=None, aside=aside)
    if isinstance(event, ev.Draw) and event.source != "stock":
        return event
    if any(type(event) in phase.unseen for phase in game.phases):
        key = next(key for key in ("card", "cards") if (type(event), key) in ev.MAY_BE_NULL)
        return msgspec.structs.replace(event, **{key: None})
    return event
