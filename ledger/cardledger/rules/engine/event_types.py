"""The types of events by their words: ours, and those that games of packages bring; and what reads their lines."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

import msgspec

from cardledger.rules.engine.event import Event
from cardledger.rules.engine.keys import keys_of

TYPES: Final[dict[str, type[Event]]] = {}
"""The registry: an event's class by its type word. It grows when packages are loaded: read it when it is needed."""


class Readers(NamedTuple):
    """What reads canonical lines of events of a match; each raises msgspec.DecodeError."""

    one: msgspec.json.Decoder[Any]
    many: msgspec.json.Decoder[Any]
    """Reads a JSON list of events."""


def add(*classes: type[Event]) -> None:
    """Add types of events.

    Raises ValueError if one has the word of another, TypeError if its class may not be added.
    """
    for cls in classes:
        if not (isinstance(cls, type) and issubclass(cls, Event)) or not isinstance(cls.__struct_config__.tag, str):
            raise TypeError(
                f'{cls!r} is not a type of event: declare `class Comment(Event, tag="comment", frozen=True)`'
            )
        word = cls.__struct_config__.tag
        if not cls.counts and cls.replaces != "none":
            raise TypeError(f'the event {word!r} stands beside the play, so it replaces none: say `replaces = "none"`')
        if any(key.seen in ("scorers", "admins") for key in keys_of(cls).values()):
            raise TypeError(f"a match that is over hides nothing: no key of the event {word!r} is for scorers alone")
        if TYPES.setdefault(word, cls) is not cls:
            known = TYPES[word]
            raise ValueError(f"there is already an event {word!r}, of {known.__module__}: choose another word")
    readers.cache_clear()


@cache
def readers() -> Readers:
    """Return what reads the lines of all types of events that are known now."""
    union: Any = reduce(or_, TYPES.values())
    return Readers(msgspec.json.Decoder(union), msgspec.json.Decoder(list[union]))


def event_in(value: object, key: str) -> Event:
    """Return the event that JSON data holds, the value of a key; raises msgspec.ValidationError."""
    word = value.get("type") if isinstance(value, dict) else None
    cls = TYPES.get(word) if isinstance(word, str) else None
    if cls is None:
        raise msgspec.ValidationError(f"Expected an event - at `$.{key}`")
    try:
        return msgspec.convert(value, cls)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        raise msgspec.ValidationError(f"{problem} - at `$.{key}{where or '`'}") from None
