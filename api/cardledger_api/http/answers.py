"""Answers as JSON: each schema is compiled once into a writer, which is much faster than `Schema.dump`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response
from marshmallow import fields, missing
from marshmallow.utils import get_value
from werkzeug.datastructures import Headers

from cardledger.sentence import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from marshmallow import Schema

Writer = Callable[[Any], Any]
"""Turns a value into the same dicts, lists, texts and numbers as `Schema.dump`, ready for JSON."""


class WholeAnswer(Response):
    """An answer with a body that is whole, and with headers as they are sent: its addresses are ASCII already.

    Werkzeug would look through the headers for each one that it adds, and read any `Location` as an address in
    Unicode. Nothing can be done at the end of such an answer.
    """

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str] | None, media: str) -> None:
        own = Headers()
        for name, value in (headers or {}).items():
            own.add(name, value)
        own.add("Content-Type", media)
        own.add("Content-Length", str(len(body)))
        super().__init__([body], status, own)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer as WSGI has it."""
        if environ["REQUEST_METHOD"] == "HEAD" or self.status_code not in (200, 201):
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return self.iter_encoded()

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers; an answer without a body has fewer."""
        return self.headers if self.status_code in (200, 201) else super().get_wsgi_headers(environ)


def writer(schema: Schema) -> Writer:
    """Return a function that does the same as `schema.dump`.

    For every value marshmallow finds out again how to write its field; for most fields that can be decided once. The
    others, and schemas with hooks, write themselves.
    """
    if schema._hooks["pre_dump"] or schema._hooks["post_dump"]:
        return schema.dump
    parts = [
        (field.data_key or name, name, field.attribute or name, _plain(field), field)
        for name, field in schema.dump_fields.items()
    ]

    def write(source: Any) -> dict[str, Any]:
        answer = {}
        take = _parts_of(source)
        for key, name, attribute, plain, field in parts:
            if plain is None:
                value = field.serialize(name, source)
            else:
                value = take(attribute, missing)
                if value is not None and value is not missing:
                    value = plain(value)
            if value is not missing:
                answer[key] = value
        return answer

    return write


def _parts_of(source: Any) -> Callable[[str, Any], Any]:
    """Return the function that finds parts of a value by name, as marshmallow does."""
    if type(source) is dict:
        return source.get
    # Tuples with names have no keys: marshmallow would try each as a key first.
    return partial(getattr if isinstance(source, tuple) else get_value, source)


def as_json(value: Any) -> bytes:
    """Return an answer as the body of a response: JSON and a newline."""
    return msgspec.json.encode(value, enc_hook=as_text) + b"\n"


def _plain(field: fields.Field[Any]) -> Writer | None:
    """Return the function that writes a field's values other than None, or None if the field is not that simple."""
    if field.dump_default is not missing or "." in (field.attribute or ""):
        return None
    # Subclasses may write values differently, so these classes exactly.
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
