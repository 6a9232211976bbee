"""Sets that grow: what answers hold may be more in a later version, and clients that were made before keep working.

A closed set is right for what a client sends: the server refuses the rest. In an answer it breaks a generated client as
soon as there is a new code, game or type of event. So whatever an answer holds is an open text, with the values that
this version knows beside it, and an event of an unknown type is an object with a `type`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

KNOWN = "x-extensible-enum"
"""The keyword for the values that are known now."""
OTHER = "OtherEvent"
"""The schema of an event of a type that is not known now."""
_BEGINNING = "#/components/schemas/"
_REFERENCE = re.compile(rf'"{_BEGINNING}([^"]+)"')


def reached(schemas: dict[str, Any], start: Iterable[Any]) -> set[str]:
    """Return the names of the schemas to which some parts of a document lead."""
    found: set[str] = set()
    unread = [*start]
    while unread:
        for name in {*_REFERENCE.findall(json.dumps(unread.pop()))} - found:
            found.add(name)
            unread.append(schemas[name])
    return found


def open_sets(openapi: dict[str, Any], keys_of_all: dict[str, Any]) -> None:
    """Open the sets of all answers of a document.

    `keys_of_all` are the schemas of the keys that every event may have.
    """
    schemas = openapi["components"]["schemas"]
    operations = [
        one for part in ("paths", "webhooks") for item in openapi.get(part, {}).values() for one in item.values()
    ]
    told = [one.get("responses") for one in operations] + [
        one.get("requestBody") for one in openapi.get("webhooks", {}).values()
    ]
    sent = [one.get("requestBody") for item in openapi["paths"].values() for one in item.values()]
    of_answers, of_bodies = reached(schemas, told), reached(schemas, sent)
    unions = {name: f"Recorded{name}" for name in schemas if "discriminator" in schemas[name]}
    for name in of_answers:
        _open(schemas[name])
        if name not in of_bodies:
            _lead_on(schemas[name], unions)
    for part in told:
        _open(part)
        _lead_on(part, unions)
    for name, recorded in unions.items():
        schemas[recorded] = {
            "anyOf": [{"$ref": _BEGINNING + name}, {"$ref": _BEGINNING + OTHER}],
            "description": "An event as it was recorded; a later version may know more types.",
        }
    schemas[OTHER] = {
        "type": "object",
        "title": OTHER,
        "description": "An event of a type that this description does not know.",
        "properties": {"type": {"type": "string", "description": "type of the event"}, **keys_of_all},
        "required": ["type"],
        "additionalProperties": True,
    }


def _open(part: Any) -> None:
    """Turn closed sets into open ones, wherever they are; a set of one word says what the object is."""
    if isinstance(part, list):
        for each in part:
            _open(each)
    elif isinstance(part, dict):
        values = part.get("enum")
        if isinstance(values, list) and len(values) > 1:
            del part["enum"]
            part[KNOWN] = [value for value in values if value is not None]
        for each in part.values():
            _open(each)


def _lead_on(part: Any, names: dict[str, str]) -> None:
    """Let references to some schemas lead to others."""
    if isinstance(part, list):
        for each in part:
            _lead_on(each, names)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix(_BEGINNING)
        if name in names:
            part["$ref"] = _BEGINNING + names[name]
        for each in part.values():
            _lead_on(each, names)
