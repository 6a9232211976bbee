"""All that is wrong with the form of an event, and where.

Readers stop at the first, a sender wants to know them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from cardledger.errors import FormatError
from cardledger.rules.engine.event import Event, what_is_wrong
from cardledger.rules.engine.unseen import MAY_BE_NULL

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class EventFault(NamedTuple):
    """What is wrong at one place of an event: keys and places of lists lead there."""

    at: tuple[str | int, ...]
    code: str
    message: str


def faults(
    value: object, types: Mapping[str, type[Event]], read: Callable[[object], Event], error: FormatError
) -> list[EventFault]:
    """Return all faults of the form of JSON data that `read` refused with an error, which is among them."""
    kind = value.get("type") if isinstance(value, dict) else None
    cls = types.get(kind) if isinstance(kind, str) else None
    if not isinstance(value, dict) or cls is None:
        return [EventFault(("type",) if isinstance(value, dict) else (), error.code, error.message)]
    found = [*_of_keys(cls, value), *_of_values(cls, value, types, read)]
    # The reader's own sentence comes first; without a place of its own, it is about keys that do not go together, say.
    place = next((place for place, fault in enumerate(found) if fault.code == error.code), None)
    at = () if place is None else found.pop(place).at
    return [EventFault(at, error.code, error.message), *found]


def _of_keys(cls: type[Event], value: Mapping[str, Any]) -> Iterator[EventFault]:
    """Yield the keys that an event cannot have, and those that it lacks."""
    kind, known = value["type"], {field.encode_name: field for field in msgspec.structs.fields(cls)}
    for key in value:
        if key not in known and key != "type":
            yield EventFault((key,), "format.key", f"{kind} has no key {key!r}")
    for key, field in known.items():
        if field.required and key not in value:
            yield EventFault((key,), "format.key", f"{kind} needs the key {key!r}")


def _of_values(
    cls: type[Event], value: Mapping[str, Any], types: Mapping[str, type[Event]], read: Callable[[object], Event]
) -> Iterator[EventFault]:
    """Yield the values of known keys that are of the wrong kind."""
    for field in msgspec.structs.fields(cls):
        key = field.encode_name
        if key not in value:
            continue
        item = value[key]
        if key == "event" and isinstance(item, dict):
            try:
                read(item)
            except FormatError as error:
                for fault in faults(item, types, read, error):
                    yield fault._replace(at=(key, *fault.at))
        elif item is None and not field.required and (cls, key) not in MAY_BE_NULL:
            yield EventFault((key,), "format.value", f"{key} is null: leave the key out instead")
        else:
            try:
                msgspec.convert(item, field.type)
            except msgspec.ValidationError as error:
                where = str(error).partition(" - at `$")[2]
                steps = [name or int(place) for name, place in _STEP.findall(where)]
                problem = what_is_wrong(error).partition(" at ")[0]
                yield EventFault(
                    (key, *steps), "format.value", f"{value['type']}: {problem} at {key}{where.rstrip('`')}"
                )
