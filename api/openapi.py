"""The OpenAPI document, made from the declared operations and the events' own declarations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from api import problems
from api.fields import Events, GameId, Points, Whole
from api.links import links_of
from api.operations import JSON, MULTIPART, NDJSON, ROLES
from api.samples import curl
from api.schemas import ProblemSchema
from ledger import events as ev
from ledger.games import games

if TYPE_CHECKING:
    from collections.abc import Iterable

    from api.operations import Operation

_VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
# What the parts of an address are, by name.
PARTS = {
    "match": ("id of a match", {"type": "string"}),
    "game": ("id of a game", {"type": "string"}),
    "player": ("id of a player", {"type": "string"}),
    "hand": ("number of a hand in the match", {"type": "integer", "minimum": 1}),
    "deal": ("fingerprint of a deal", {"type": "string"}),
}
# What arguments mean that many operations take, unless they say it themselves.
MEANINGS = {
    "limit": "how many at most",
    "after": "what comes after this: the `next` of the page before",
    "game": "id of a game",
    "player": "id of a player",
    "event": "club night or tournament, as written",
    "since": "day of play, the first that counts",
    "until": "day of play, the last that counts",
    "status": "whether a match is open, complete, or ended before its rule said so",
    "policy": "whether what breaks a rule is refused or recorded",
    "at": "number of an event: as it was right after it",
    "rule": "id of a rule",
    "violations": "whether there are any",
    "score_min": "points of a seat, the fewest that count",
    "score_max": "points of a seat, the most that count",
    "ended_by": "how the hand came to its end",
}
_BODIES: dict[str, dict[str, Any]] = {
    NDJSON: {"type": "string"},
    MULTIPART: {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}, "required": ["file"]},
}
"""Bodies that are not JSON."""
_TEXT = {"type": "string"}
# What media are made of; of an event stream, each event.
_MEDIA = {
    "text/event-stream": {
        "type": "object",
        "properties": {"id": {"type": "string", "pattern": "^[0-9]+$"}, "data": _TEXT},
        "required": ["id", "data"],
    }
}
# OpenAPI has other places for what these say: the media types of bodies, and security.
_SAID_ELSEWHERE = ("Accept", "Content-Type", "Authorization")
_HEADERS = {"Last-Event-ID": {"type": "string", "pattern": "^[0-9]{0,18}$"}}
ANYWHERE = (400, 401, 403, 404, 429)
"""Statuses any operation may answer with problem details."""


def _events(converter: OpenAPIConverter, field: object, **_: object) -> dict[str, Any]:
    if type(field) is Events:  # a kind of its own says itself what its events are
        return {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}
    return {}


def _numbers(converter: OpenAPIConverter, field: object, **_: object) -> dict[str, Any]:
    """Return the bounds of numbers in query strings; narrower ones are declared with the field."""
    if isinstance(field, Points):
        return {"minimum": 1 - 10**15, "maximum": 10**15 - 1}
    if isinstance(field, Whole) and not field.validators:
        return {"minimum": 0, "maximum": 10**18 - 1}
    return {}


def _games(converter: OpenAPIConverter, field: object, **_: object) -> dict[str, Any]:
    return {"enum": [*games()]} if isinstance(field, GameId) else {}


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
    for function in (_events, _numbers, _games):
        plugin.converter.add_attribute_function(function)  # type: ignore[no-untyped-call]
    _, schemas = msgspec.json.schema_components(get_args(ev.AnyEvent), ref_template="#/components/schemas/{name}")
    for name, schema in schemas.items():
        for key, kind in schema["properties"].items():
            if key not in schema["required"]:
                schema["properties"][key] = _without_null(kind)
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
    operations = [*operations]
    known = {operation.name for operation in operations}
    for operation in operations:
        spec.path(
            prefix + _VARIABLE.sub(r"{\2}", operation.path),
            operations={operation.method.lower(): _described(operation, prefix, known)},
        )
    made: dict[str, Any] = spec.to_dict()
    for item in made["paths"].values():
        for described in item.values():
            _drop_nulls(described["parameters"])
    return made


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a key of an event may be that is left out rather than null."""
    if schema.get("default", ...) is not None:
        return schema
    rest = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
    return rest[0] if len(rest) == 1 else {"anyOf": rest}


def _drop_nulls(parameters: list[dict[str, Any]]) -> None:
    """Take null out of what arguments may be: in an address it cannot be written, they are left out."""
    for parameter in parameters:
        schema = parameter["schema"]
        if isinstance(schema.get("type"), list):
            kinds = [kind for kind in schema["type"] if kind != "null"]
            schema["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "enum" in schema:
            schema["enum"] = [value for value in schema["enum"] if value is not None]
        if "default" in schema and schema["default"] is None:
            del schema["default"]
        if parameter["in"] == "query" and "description" not in parameter and parameter["name"] in MEANINGS:
            parameter["description"] = MEANINGS[parameter["name"]]


def _described(operation: Operation, prefix: str, known: set[str]) -> dict[str, Any]:
    """Return an operation as OpenAPI describes it."""
    summary, _, rest = operation.summary.partition("\n")
    parameters: list[dict[str, Any]] = [
        {"in": "path", "name": name, "required": True, "description": PARTS[name][0], "schema": PARTS[name][1]}
        for _, name in _VARIABLE.findall(operation.path)
    ]
    if operation.query is not None:
        parameters.append({"in": "query", "schema": operation.query})
    parameters += [
        {"in": "header", "name": name, "description": meaning, "required": False, "schema": _HEADERS.get(name, _TEXT)}
        for name, meaning in operation.headers.items()
        if name not in _SAID_ELSEWHERE
    ]
    answer: dict[str, Any] = {"description": "as asked"}
    answer["content"] = {
        media: {"schema": operation.answer if media == JSON and operation.answer else _MEDIA.get(media, _TEXT)}
        for media in operation.media
    }
    if operation.gives:
        answer["headers"] = {
            name: {"description": meaning, "schema": {"type": "string"}} for name, meaning in operation.gives.items()
        }
    if links := links_of(operation.name, known):
        answer["links"] = links
    refused = {"content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    wrong = sorted({*ANYWHERE, *operation.problems, *((413, 415, 422) if operation.takes_body else ())})
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
        "tags": [_section(operation.path)],
        "x-role": operation.role,
        "x-codeSamples": [{"lang": "Shell", "label": "curl", "source": curl(operation, prefix)}],
    }
    if operation.takes_body:
        described["requestBody"] = {
            "required": True,
            "content": {
                media: {"schema": operation.body if media == JSON else _BODIES[media]} for media in operation.body_media
            },
        }
    return described


def _section(path: str) -> str:
    """Return under which heading an address stands: its first word, or that of the API itself."""
    word = path.split("/")[1]
    return word if word.isalpha() else "api"
