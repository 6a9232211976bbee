"""The OpenAPI document, made from the declared operations and the events' own declarations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from api import problems
from api.fields import Events
from api.operations import JSON, ROLES
from api.schemas import ProblemSchema
from ledger import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterable

    from api.operations import Operation

_VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
# What the parts of an address are, by name.
PARTS = {
    "match": ("id of a match", {"type": "string"}),
    "game": ("id of a game", {"type": "string"}),
    "player": ("id of a player", {"type": "string"}),
}
ANYWHERE = (400, 401, 403, 404, 429)
"""Statuses any operation may answer with problem details."""


def _events(converter: OpenAPIConverter, field: object, **_: object) -> dict[str, Any]:
    if isinstance(field, Events):
        return {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}
    return {}


def document(operations: Iterable[Operation], prefix: str, version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the operations."""
    plugin = MarshmallowPlugin()
    spec = APISpec(
        title="cardledger",
        version=version,
        openapi_version="3.1.0",
        info={
            "description": "Matches of card games as events: record, replay, judge and look them up.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        plugins=[plugin],
    )
    assert plugin.converter is not None
    plugin.converter.add_attribute_function(_events)  # type: ignore[no-untyped-call]
    _, schemas = msgspec.json.schema_components(get_args(ev.AnyEvent), ref_template="#/components/schemas/{name}")
    for name, schema in schemas.items():
        spec.components.schema(name, schema)
    kinds = {cls.__struct_config__.tag: f"#/components/schemas/{cls.__name__}" for cls in ev.TYPES.values()}
    spec.components.schema(
        "Event",
        {
            "oneOf": [{"$ref": ref} for ref in kinds.values()],
            "discriminator": {"propertyName": "type", "mapping": kinds},
        },
    )
    spec.components.schema("Problem", schema=ProblemSchema)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for operation in operations:
        spec.path(
            prefix + _VARIABLE.sub(r"{\2}", operation.path),
            operations={operation.method.lower(): _described(operation)},
        )
    made: dict[str, Any] = spec.to_dict()
    return made


def _described(operation: Operation) -> dict[str, Any]:
    """Return an operation as OpenAPI describes it."""
    summary, _, rest = operation.summary.partition("\n")
    parameters: list[dict[str, Any]] = [
        {"in": "path", "name": name, "required": True, "description": PARTS[name][0], "schema": PARTS[name][1]}
        for _, name in _VARIABLE.findall(operation.path)
    ]
    if operation.query is not None:
        parameters.append({"in": "query", "schema": operation.query})
    parameters += [
        {"in": "header", "name": name, "description": meaning, "required": False, "schema": {"type": "string"}}
        for name, meaning in operation.headers.items()
    ]
    answer: dict[str, Any] = {"description": "as asked"}
    answer["content"] = {
        media: {"schema": operation.answer} if media == JSON and operation.answer else {"schema": {"type": "string"}}
        for media in operation.media
    }
    if operation.gives:
        answer["headers"] = {
            name: {"description": meaning, "schema": {"type": "string"}} for name, meaning in operation.gives.items()
        }
    refused = {"content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    wrong = sorted({*ANYWHERE, *operation.problems, *((413, 415, 422) if operation.body else ())})
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": summary,
        "description": " ".join(rest.split()),
        "parameters": parameters,
        "responses": {
            str(operation.status): answer,
            **{str(status): {"description": problems.title(status), **refused} for status in wrong},
        },
        "security": [{}, {"token": []}] if operation.role == ROLES[0] else [{"token": []}],
        "x-role": operation.role,
    }
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {
                media: {"schema": operation.body if media == JSON else {"type": "string"}}
                for media in operation.body_media
            },
        }
    return described
