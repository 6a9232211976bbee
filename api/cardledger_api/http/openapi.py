"""The OpenAPI document, made from the declared operations and the events' own declarations."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.unseen import MAY_BE_NULL
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.games import games
from cardledger_api.http import problems
from cardledger_api.http.answer_examples import example_of
from cardledger_api.http.common_headers import HEADERS, add_headers
from cardledger_api.http.fact_schemas import declare_facts
from cardledger_api.http.fields import EveningEvent, EventList, GameId, Points, Whole
from cardledger_api.http.links import links_of
from cardledger_api.http.meanings import ARGUMENTS
from cardledger_api.http.open_sets import open_sets
from cardledger_api.http.operations import ARROW, CSV, EVENT_STREAM, JSON, MULTIPART, NDJSON, PARQUET, ROLES, TEXT, XLSX
from cardledger_api.http.samples import curl
from cardledger_api.http.schema_descriptions import describe, open_answers
from cardledger_api.http.schemas import ProblemSchema
from cardledger_api.http.webhook_messages import SCHEMAS, webhooks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardledger_api.http.operations import Operation

_VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
# Descriptions of the parts of an address, by name.
PARTS = {
    "match": ("id of a match", {"type": "string"}),
    "club": ("id of a club", {"type": "string"}),
    "session": ("id of a session", {"type": "string"}),
    "league": ("id of a league", {"type": "string"}),
    "lesson": ("id of a lesson", {"type": "string"}),
    "code": ("code of a problem", {"type": "string"}),
    "name": ("name of a table of statistics", {"type": "string"}),
    "game": ("id of a game", {"type": "string", "enum": [*games()]}),
    "player": ("id of a player", {"type": "string"}),
    "other": ("id of another player", {"type": "string"}),
    "hand": ("number of a hand in the match", {"type": "integer", "minimum": 1}),
    "seq": ("number of an event of the match", {"type": "integer", "minimum": 1}),
    "number": ("number of a comment or a line in the discussion", {"type": "integer", "minimum": 1}),
    "entry": ("number of a pair, a team or a player of a session", {"type": "integer", "minimum": 1}),
    "table": ("number of a table of a session", {"type": "integer", "minimum": 1}),
    "webhook": ("id of a webhook", {"type": "string"}),
    "deal": ("fingerprint of a deal", {"type": "string"}),
}
_BINARY = {"type": "string", "format": "binary"}
_BODIES: dict[str, dict[str, Any]] = {
    NDJSON: _BINARY,
    CSV: _BINARY,
    TEXT: _BINARY,
    XLSX: _BINARY,
    MULTIPART: {"type": "object", "properties": {"file": _BINARY}, "required": ["file"]},
}
"""Bodies that are not JSON: files, which generated clients send as they are."""
_TEXT = {"type": "string"}
# Schemas of other media; for an event stream, of each event.
_MEDIA = {
    EVENT_STREAM: {
        "type": "object",
        "properties": {"id": {"type": "string", "pattern": "^[0-9]+$"}, "data": _TEXT},
        "required": ["id", "data"],
    },
    PARQUET: _BINARY,
    ARROW: _BINARY,
}
STABLE_NAMES = {"EveningAdjust": "Adjust", "EveningAmend": "Amend", "EveningClose": "Close", "TypedTable": "Place"}
"""Classes of evenings whose schemas have another name in the document: generated clients know them by it."""
# OpenAPI has other places for these: the media types of bodies, and security.
_SAID_ELSEWHERE = ("Accept", "Content-Type", "Authorization")
_HEADERS = {"Last-Event-ID": {"type": "string", "pattern": "^[0-9]{0,18}$"}}
_IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": "the ETag of an earlier answer: unless the answer is another now, it is 304 without a body",
    "required": False,
    "schema": _TEXT,
}
_UNCHANGED = {"description": "the answer is the one whose ETag the request has in If-None-Match"}
ANYWHERE = (400, 401, 403, 404, 429, 503)
"""Statuses that any operation may answer with problem details."""


def _events(converter: OpenAPIConverter, field: object, **_: object) -> dict[str, Any]:
    if isinstance(field, EventList) and field.component:
        return {"type": "array", "items": {"$ref": f"#/components/schemas/{field.component}"}}
    return {"$ref": f"#/components/schemas/{field.component}"} if isinstance(field, EveningEvent) else {}


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
            "description": "Matches of card games as events: record them, "
            "replay them, search them, and see how rules were applied.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        plugins=[plugin],
    )
    assert plugin.converter is not None
    for function in (_events, _numbers, _games):
        plugin.converter.add_attribute_function(function)  # type: ignore[no-untyped-call]
    _add_events(spec, ev.TYPES.values(), "")
    _add_events(spec, evenings.TYPES.values(), "Evening")
    spec.components.schema("Problem", schema=ProblemSchema)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    operations = [*operations]
    names = {operation.name for operation in operations}
    for operation in operations:
        spec.path(
            prefix + _VARIABLE.sub(r"{\2}", operation.path),
            operations={operation.method.lower(): _described(operation, prefix, names)},
        )
    openapi: dict[str, Any] = spec.to_dict()
    described = [operation for item in openapi["paths"].values() for operation in item.values()]
    examples = {operation.name: operation.example for operation in operations}
    for operation in described:
        _drop_nulls(operation["parameters"])
        _add_examples(operation["parameters"], examples[operation["operationId"]])
    schemas = openapi["components"]["schemas"]
    classes = {name: key[0] for key, name in plugin.converter.refs.items()}
    open_answers(schemas, classes, [operation.get("requestBody") for operation in described])
    describe(schemas, classes)
    declare_facts(schemas)
    schemas |= deepcopy(SCHEMAS)
    openapi["webhooks"] = webhooks()
    openapi["components"]["headers"] = HEADERS
    of_every_event = schemas["Note"]["properties"]
    open_sets(openapi, {key: of_every_event[key] for key in ev.Event.__struct_fields__})
    for operation in described:
        add_headers(operation["responses"])
        _add_answer(operation, schemas)
    return openapi


def _add_events(spec: APISpec, types: Iterable[type[ev.Event]], beginning: str) -> None:
    """Add the schemas of events, and of any one of them; their names begin with a word."""
    types = [*types]
    address = f"#/components/schemas/{beginning}"
    _, schemas = msgspec.json.schema_components(types, ref_template=address + "{name}")
    text = msgspec.json.encode(schemas).decode()
    for name, stable in STABLE_NAMES.items():
        text = text.replace(f'"{address}{name}"', f'"{address}{stable}"')
    null = {(cls.__name__, key) for cls, key in MAY_BE_NULL}
    for name, schema in msgspec.json.decode(text).items():
        required = schema.get("required", ())
        for key, kind in schema["properties"].items():
            if key not in required and (name, key) not in null:
                schema["properties"][key] = _without_null(kind)
        # Generators of clients name classes by titles, so a title is as unique as the name.
        schema["title"] = beginning + STABLE_NAMES.get(name, name)
        spec.components.schema(schema["title"], schema)
    kinds = {str(cls.__struct_config__.tag): address + STABLE_NAMES.get(cls.__name__, cls.__name__) for cls in types}
    spec.components.schema(
        f"{beginning}Event",
        {
            "oneOf": [{"$ref": ref} for ref in kinds.values()],
            "discriminator": {"propertyName": "type", "mapping": kinds},
        },
    )


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an event's key that is omitted rather than null."""
    if schema.get("default", ...) is not None:
        return schema
    kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _drop_nulls(parameters: list[dict[str, Any]]) -> None:
    """Remove null from the schemas of arguments: an address cannot hold it, they are omitted."""
    for parameter in parameters:
        schema = parameter["schema"]
        if isinstance(schema.get("type"), list):
            kinds = [kind for kind in schema["type"] if kind != "null"]
            schema["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "enum" in schema:
            schema["enum"] = [value for value in schema["enum"] if value is not None]
        if "default" in schema and schema["default"] is None:
            del schema["default"]
        if parameter["in"] == "query" and "description" not in parameter and parameter["name"] in ARGUMENTS:
            parameter["description"] = ARGUMENTS[parameter["name"]]


def _described(operation: Operation, prefix: str, names: set[str]) -> dict[str, Any]:
    """Return an operation as OpenAPI describes it."""
    summary, _, details = operation.summary.partition("\n")
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
    if operation.tagged:
        parameters.append(_IF_NONE_MATCH)
    answer: dict[str, Any] = {"description": "as asked"}
    answer["content"] = {
        media: {"schema": operation.answer if media == JSON and operation.answer else _MEDIA.get(media, _TEXT)}
        for media in operation.media
    }
    if given := _headers_given(operation):
        answer["headers"] = given
    if links := links_of(operation.name, names):
        answer["links"] = links
    refused = {"content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    wrong = sorted({*ANYWHERE, *operation.problems, *((413, 415, 422) if operation.takes_body else ())})
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": summary,
        "description": " ".join(details.split()),
        "parameters": parameters,
        "responses": {
            str(operation.status): answer,
            **({"304": _UNCHANGED} if operation.tagged else {}),
            **{str(status): {"description": problems.title(status), **refused} for status in wrong},
        },
        "security": [{}, {"token": []}] if operation.role == ROLES[0] else [{"token": []}],
        "tags": [_section(operation.path)],
        "x-role": operation.role,
        "x-codeSamples": [{"lang": "Shell", "label": "curl", "source": curl(operation, prefix)}],
    }
    if operation.takes_body:
        content: dict[str, Any] = {
            media: {"schema": operation.body if media == JSON else _BODIES[media]} for media in operation.body_media
        }
        if "body" in operation.example:
            content[operation.body_media[0]]["example"] = operation.example["body"]
        described["requestBody"] = {"required": True, "content": content}
    return described


def _headers_given(operation: Operation) -> dict[str, Any]:
    """Return the headers of an operation's answer; those that are always there are required."""
    gives = {**operation.gives}
    if operation.tagged:
        gives["ETag"] = ", and ".join(filter(None, (gives.get("ETag"), "a digest of the answer, for If-None-Match")))
    headers: dict[str, Any] = {
        name: {"description": meaning, "required": True, "schema": _TEXT} for name, meaning in gives.items()
    }
    if operation.pages:
        headers["Link"] = {
            "description": "unless this is the last page: the address of the next, and of the first (RFC 8288)",
            "schema": _TEXT,
        }
    return headers


def _add_examples(parameters: list[dict[str, Any]], example: Mapping[str, Any]) -> None:
    """Give the values of an operation's example to its parameters.

    Words in capitals stand for ids that only a ledger knows.
    """
    for parameter in parameters:
        value = example.get(parameter["in"], {}).get(parameter["name"])
        if value is not None and not (isinstance(value, str) and value.isupper()):
            parameter["example"] = value


def _add_answer(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Add an example to the JSON answer of an operation."""
    for answer in operation["responses"].values():
        if (content := answer.get("content", {}).get(JSON)) and "schema" in content:
            content["example"] = example_of(content["schema"], schemas)


def _section(path: str) -> str:
    """Return the heading of an address: its first word, or that of the API itself."""
    word = path.split("/")[1]
    return word if word.isalpha() else "api"
