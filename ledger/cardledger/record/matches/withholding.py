"""Events without what not everybody may see: cards that not all players have seen, notes, what is for scorers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.withheld import WithheldEvent

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.keys import Key, Seen

WITHHELD = "?"
"""Stands for a card that may not be seen yet."""


def redacted(event: ev.Event, game: Game[Any]) -> ev.Event:
    """Return an event of a game without the cards that not all players have seen."""
    return without_cards(event, game, {"seats"})


def without_cards(event: ev.Event, game: Game[Any], levels: set[Seen]) -> ev.Event:
    """Return an event of a match, and the event within an amendment, without what is known at some levels only."""
    shown = without(event, event.keys(game), levels)
    if isinstance(shown, ev.Amend):
        within = without_cards(shown.event, game, levels)
        return shown if within is shown.event else msgspec.structs.replace(shown, event=within)
    return shown


def without(event: ev.Event, keys: Mapping[str, Key], levels: Collection[Seen]) -> ev.Event:
    """Return an event without what is known at some levels only; the same event if it has nothing of the kind.

    Cards and texts that an event cannot be without are WITHHELD. An event with any other such value is withheld whole.
    """
    changed: dict[str, Any] = {}
    for field in msgspec.structs.fields(event) if any(key.seen in levels for key in keys.values()) else ():
        key, value = keys.get(field.name), getattr(event, field.name)
        if key is None or key.seen not in levels or value is None or value is UNSET:
            continue
        if key.out:
            changed[field.name] = None if field.required else field.default
        elif key.said != "cards" and not field.required:
            changed[field.name] = field.default
        elif isinstance(value, str):
            changed[field.name] = WITHHELD
        elif isinstance(value, tuple) and all(isinstance(one, str) for one in value):
            changed[field.name] = (WITHHELD,) * len(value)
        else:
            return WithheldEvent(seq=event.seq, id=event.id, at=event.at, by=event.by)
    return msgspec.structs.replace(event, **changed) if changed else event
