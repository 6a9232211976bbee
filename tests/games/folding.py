"""Matches folded under any edition, and as recorded by a scorer who sees no hands."""

from __future__ import annotations

from typing import Any

import msgspec

from cardledger.rules import games
from cardledger.rules.engine import events as ev
from tests.tables import Policy


def hide(events: list[ev.Event], policy: Policy = "strict", aside: bool = False) -> list[ev.Event]:
    """Return a match as recorded by a scorer who sees no hands, no face-down cards, and no cards `aside`."""
    gone = {"hands": None, "stock": None, **({} if aside else {"aside": None})}
    unseen: dict[type, dict[str, Any]] = {ev.Open: {"policy": policy}, ev.Deal: gone}
    hidden = []
    for event in events:
        more = unseen.get(type(event), {})
        if isinstance(event, ev.Give) and isinstance(event.cards, tuple):
            more = {"cards": None}
        elif isinstance(event, ev.Discard):
            more = {"card": None}
        hidden.append(msgspec.structs.replace(event, **more))
    return hidden


def folded(events: list[ev.Event], rules: str | None = None) -> Any:
    """Return the match of these events."""
    assert isinstance(events[0], ev.Open)
    match = games.start(events[0], rules)
    for seq, event in enumerate(events[1:], 2):
        match.apply(event, seq)
    return match
