"""The API's own documentation: the OpenAPI document, and a page made from it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Response, json, render_template, request
from marshmallow import Schema, fields

from cardledger_api.http.addresses import PREFIX
from cardledger_api.http.open_sets import KNOWN
from cardledger_api.http.openapi import document
from cardledger_api.http.operations import JSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger_api.http.operations import Operations


_STYLE = Path(__file__).parent.parent / "static" / "docs.css"
_MANY = 10**9
_REF = "#/components/schemas/"


class DocumentSchema(Schema):
    """An OpenAPI document."""

    openapi = fields.String()
    servers = fields.List(fields.Dict())
    info = fields.Dict()
    paths = fields.Dict()
    webhooks = fields.Dict()
    components = fields.Dict()


def described(operations: Operations) -> dict[str, Any]:
    """Return the OpenAPI document of all declared operations."""
    return document(operations.declared, PREFIX, version("cardledger"))


def add_docs(operations: Operations) -> None:
    """Let an API answer with the documents of its own declared operations."""
    whole = cache(lambda: described(operations))

    @operations.add("GET", "/openapi.json", answer=DocumentSchema)
    def openapi() -> Response:
        """Read the OpenAPI document of this API."""
        server = {"url": request.script_root or "/", "description": "the server that gave this document"}
        return Response(json.dumps(whole() | {"servers": [server]}) + "\n", content_type=JSON)

    @operations.add("GET", "/", media=("text/html",))
    def documentation() -> Response:
        """Read about all operations: this page."""
        page = render_template("api-docs.html", doc=whole(), sections=_sections(whole()), words=in_words)
        return Response(page, content_type="text/html; charset=utf-8")

    @operations.add("GET", "/docs.css", media=("text/css",))
    def documentation_style() -> Response:
        """Read the style of the page about all operations."""
        style = Response(_STYLE.read_text(), content_type="text/css; charset=utf-8")
        style.headers["Cache-Control"] = "max-age=3600"
        return style


def _sections(doc: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the operations by tag, each with its path and method, and then the messages to webhooks."""
    by_tag: dict[str, list[dict[str, Any]]] = {}
    for path, item in (*doc["paths"].items(), *doc["webhooks"].items()):
        for method, operation in item.items():
            by_tag.setdefault(operation["tags"][0], []).append(operation | {"path": path, "method": method.upper()})
    return by_tag


def in_words(schema: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a schema in words: pieces of text, each with the name of the schema it links to, or an empty name."""
    return [*_words(schema)]


def _words(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if ref := schema.get("$ref"):
        name = ref.removeprefix(_REF)
        yield name, name
        return
    for word in ("oneOf", "anyOf", "allOf"):
        for place, part in enumerate(schema.get(word, ())):
            yield from [(" or ", "")] if place else []
            yield from _words(part)
        if word in schema:
            return
    kinds = schema.get("type", "any")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    for place, kind in enumerate(kinds):
        yield from [(" or ", "")] if place else []
        if kind == "array" and "items" in schema:
            yield "list of ", ""
            yield from _words(schema["items"])
        else:
            yield kind, ""
    if "format" in schema:
        yield f" ({schema['format']})", ""
    for word, text in (("minimum", "from {}"), ("maximum", "to {}"), ("default", "default {}")):
        value = schema.get(word)
        # Bounds that only limit the number of digits are for programs.
        if value is not None and not (isinstance(value, int) and abs(value) >= _MANY):
            yield f", {text.format(value)}", ""
    if "enum" in schema:
        yield ": " + ", ".join(str(value) for value in schema["enum"]), ""
    if KNOWN in schema:
        yield ": " + ", ".join([*schema[KNOWN], "or more later"]), ""
