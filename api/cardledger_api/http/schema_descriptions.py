"""What the OpenAPI document says of schemas: meanings, formats, and which keys of an answer are always there."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from cardledger_api.http.enumerations import values_of
from cardledger_api.http.meanings import MEANINGS
from cardledger_api.http.meanings_by_schema import MEANINGS_IN
from cardledger_api.http.open_sets import reached

if TYPE_CHECKING:
    from marshmallow import Schema

TIMES = ("at", "imported_at", "opened_at", "recorded_at", "signed_at", "expires", "created", "started", "ended")
"""Keys that hold a time (RFC 3339, UTC)."""
DAYS = ("date", "since", "until")
"""Keys that hold a day (ISO 8601)."""
NO_DAYS = {"Open", "Match", "MatchDetail", "FoundHand", "Rating", "Key"}
"""Schemas whose days are texts as they were written, or times."""


def open_answers(schemas: dict[str, Any], classes: dict[str, type[Schema]], bodies: list[Any]) -> None:
    """Say in schemas that no body of a request uses.

    All keys are there, but for `sometimes` of the class, and more may come.
    """
    asked = reached(schemas, [*bodies, *(schema for schema in schemas.values() if "discriminator" in schema)])
    for name in schemas.keys() & classes.keys() - asked:
        schemas[name].pop("additionalProperties", None)
        always = schemas[name]["properties"].keys() - getattr(classes[name], "sometimes", ())
        schemas[name]["required"] = [key for key in schemas[name]["properties"] if key in always]


def describe(schemas: dict[str, Any], classes: dict[str, type[Schema]]) -> None:
    """Add to each key its meaning, its values and the format of times and days, and to a schema what its class says, unless it has its own."""
    for name, schema in schemas.items():
        names = _names(name, classes)
        if name in classes:
            schema.setdefault("description", inspect.cleandoc(classes[name].__doc__ or ""))
        for key, value in schema.get("properties", {}).items():
            if value.get("type") == "object" and "properties" not in value:
                value.setdefault(
                    "additionalProperties", True
                )  # generators take it for an object without keys otherwise
            if "description" not in value and (text := _meaning(names, key)):
                value["description"] = text
            if "enum" not in value and _holds_text(value) and (values := values_of(name, key)):
                value["enum"] = [*values, *([None] if "null" in value["type"] else [])]
            if "format" not in value and _holds_text(value):
                if key in TIMES:
                    value["format"] = "date-time"
                elif key in DAYS and name not in NO_DAYS:
                    value["format"] = "date"


def _names(name: str, classes: dict[str, type[Schema]]) -> list[str]:
    """Return a schema's name and those that it inherits meanings from: of its classes, or of the event of a match."""
    if name in classes:
        return [each.__name__.removesuffix("Schema") for each in classes[name].__mro__]
    return [name, name.removeprefix("Evening")]


def _meaning(names: list[str], key: str) -> str | None:
    """Return what a key means in the first schema that says so, or wherever it stands; None if nobody wrote it down."""
    return next((MEANINGS_IN[name][key] for name in names if key in MEANINGS_IN.get(name, {})), MEANINGS.get(key))


def _holds_text(value: dict[str, Any]) -> bool:
    kinds = value.get("type")
    return "string" in (kinds if isinstance(kinds, list) else [kinds])
