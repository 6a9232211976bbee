"""Answers as JSON: what a schema dumps, by a writer made of it once, at a fraction of what asking it each time costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from marshmallow import fields, missing
from marshmallow.utils import get_value

if TYPE_CHECKING:
    from marshmallow import Schema

Writer = Callable[[Any], Any]
"""Makes of a value what `Schema.dump` makes of it: dicts, lists, texts and numbers, ready for JSON."""


def writer(schema: Schema) -> Writer:
    """Return what does as `schema.dump` does.

    marshmallow finds out for every value anew how its field is written; most fields are so plain that this can be
    known beforehand. The others, and schemas with hooks, write themselves.
    """
    if schema._hooks["pre_dump"] or schema._hooks["post_dump"]:
        return schema.dump
    parts = [
        (field.data_key or name, name, field.attribute or name, _plain(field), field)
        for name, field in schema.dump_fields.items()
    ]

    def write(source: Any) -> dict[str, Any]:
        told = {}
        for key, name, attribute, plain, field in parts:
            if plain is None:
                value = field.serialize(name, source)
            else:
                value = source.get(attribute, missing) if type(source) is dict else get_value(source, attribute)
                if value is not None and value is not missing:
                    value = plain(value)
            if value is not missing:
                told[key] = value
        return told

    return write


def as_json(value: Any) -> bytes:
    """Return a written answer as the body of a response: JSON and a line's end."""
    return msgspec.json.encode(value) + b"\n"


def _plain(field: fields.Field[Any]) -> Writer | None:
    """Return what a field makes of any value but None, or None for a field that is not that plain."""
    if field.dump_default is not missing or "." in (field.attribute or ""):
        return None
    # Subclasses have their own ways, so these classes exactly.
    kind = type(field)
    if kind is fields.String:
        return str
    if kind is fields.Integer and not field.as_string:  # type: ignore[attr-defined]
        return int
    if isinstance(field, fields.Nested):
        one = writer(field.schema)
        return (lambda values: [one(value) for value in values]) if field.many or field.schema.many else one
    if isinstance(field, fields.List) and (each := _plain(field.inner)):
        return lambda values: [None if value is None else each(value) for value in values]
    return None
