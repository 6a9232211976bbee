"""The OpenAPI document: valid, whole, and the page that people read of it."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import cardledger
from cardledger.record.matches.replay import result
from cardledger.rules.engine.table_view import state
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger_api.http.enumerations import enumerations
from cardledger_api.http.open_sets import KNOWN, reached
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.headers import POLICY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from flask import Flask
    from flask.testing import FlaskClient

PREFIX = "/api/v1"
SAMPLES = Path(__file__).parent.parent.parent / "samples"


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    return client.get(f"{PREFIX}/openapi.json").json


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Draft202012Validator]:
    """Validators of the schemas that have facts, and of their optional keys alone."""
    app = create_app(tmp_path_factory.mktemp("described") / "club.db")
    schemas = app.test_client().get(f"{PREFIX}/openapi.json").json["components"]
    access_of(app).close()
    ledger_of(app).close()
    found = {}
    for name in ("Table", "Result", "Hand"):
        schema = schemas["schemas"][name]
        optional = {key: one for key, one in schema["properties"].items() if key not in schema["required"]}
        found[name] = Draft202012Validator(schema | {"components": schemas})
        found[f"Facts of {name}"] = Draft202012Validator({"properties": optional, "components": schemas})
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method.upper(), operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_every_route_is_in_the_document_and_nothing_else(app: Flask, document: dict[str, Any]) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith(PREFIX) and method not in ("HEAD", "OPTIONS")
    }
    assert {(path, method) for path, method, _ in operations(document)} == routes


def test_operations_are_named_once_and_explained(document: dict[str, Any]) -> None:
    described = [operation for _, _, operation in operations(document)]
    names = [operation["operationId"] for operation in described]
    assert len({*names}) == len(names)
    assert all(operation["summary"].endswith(".") for operation in described)


def test_links_name_existing_operations_and_parameters(document: dict[str, Any]) -> None:
    parameters = {
        operation["operationId"]: {parameter["name"] for parameter in operation["parameters"]}
        for _, _, operation in operations(document)
    }
    links = [
        link
        for _, _, operation in operations(document)
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert len(links) > 10
    for link in links:
        assert {*link.get("parameters", {})} <= parameters[link["operationId"]], link


def test_answers_may_gain_keys_and_bodies_hold_only_known_ones(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert [schemas[name].get("additionalProperties") for name in ("Hand", "Ranking", "Trick")] == [None] * 3
    assert [schemas[name].get("additionalProperties") for name in ("Play", "EveningArrive", "Publish")] == [False] * 3


def test_every_key_of_every_schema_has_a_meaning(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert [
        (name, key)
        for name, schema in schemas.items()
        for key, value in schema.get("properties", {}).items()
        if "description" not in value
    ] == []
    assert [name for name, schema in schemas.items() if "properties" in schema and not schema.get("description")] == []


def test_every_argument_of_an_address_has_a_meaning(document: dict[str, Any]) -> None:
    assert [
        (operation["operationId"], parameter["name"])
        for _, _, operation in operations(document)
        for parameter in operation.get("parameters", [])
        if not parameter.get("description")
    ] == []


def test_operations_with_arguments_have_an_example(document: dict[str, Any]) -> None:
    assert document["servers"][0]["url"] == "/"
    for path, method, operation in operations(document):
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            if media == "application/json":
                assert content["example"], (method, path)
    found = next(one for _, _, one in operations(document) if one["operationId"] == "read_game")
    assert found["parameters"][0]["example"] == "whist"


def test_every_answer_has_an_example_that_its_schema_allows(document: dict[str, Any]) -> None:
    components = {"components": document["components"]}
    for _, _, operation in operations(document):
        for status, answer in operation["responses"].items():
            content = answer.get("content", {}).get("application/json")
            if content is not None:
                Draft202012Validator(content["schema"] | components).validate(content["example"])
                assert content["example"], (operation["operationId"], status)


def test_texts_with_few_values_list_them(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    listed = {
        (name, key): schemas[name]["properties"][key][KNOWN]
        for name, key in (
            ("Match", "status"), ("Table", "phase"), ("Me", "role"), ("Problem", "code"), ("Open", "game"), ("Ruling", "verdict"),
        )
    }  # fmt: skip
    assert listed["Match", "status"] == ["open", "complete", "ended", "void"]
    assert listed["Open", "game"] == [*games()]
    assert {"store.conflict", "follow.suit", "http.not-found"} <= {*listed["Problem", "code"]}


def closed(part: Any) -> Iterator[list[Any]]:
    """Yield the closed sets of several values anywhere in a part of a document."""
    if isinstance(part, dict):
        if len(values := part.get("enum", ())) > 1:
            yield values
        for each in part.values():
            yield from closed(each)
    elif isinstance(part, list):
        for each in part:
            yield from closed(each)


def test_no_answer_holds_a_closed_set(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    told = [operation["responses"] for _, _, operation in operations(document)]
    names = reached(schemas, told)
    assert names > {"Problem", "Open", "EveningSession", "OtherEvent"}
    assert [*closed(told), *((name, *closed(schemas[name])) for name in names if [*closed(schemas[name])])] == []
    sent = [operation.get("requestBody") for _, _, operation in operations(document)]
    assert [name for name in reached(schemas, sent) - names if [*closed(schemas[name])]], "what clients send is closed"


def test_an_answer_may_hold_events_of_types_that_are_not_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    events = {"match": "m", "seq": 1, "next": None, "events": [{"type": "shuffle", "seq": 1, "cut": 3}]}
    components = {"components": document["components"]}
    Draft202012Validator(schemas["EventList"] | components).validate(events)
    assert not Draft202012Validator(schemas["Events"] | components).is_valid({"events": events["events"]})
    unions = {f"#/components/schemas/{name}" for name in schemas if "discriminator" in schemas[name]}
    only_told = reached(schemas, [one["responses"] for _, _, one in operations(document)]) - reached(
        schemas, [one.get("requestBody") for _, _, one in operations(document)]
    )
    for name in only_told - {"RecordedEvent", "RecordedEveningEvent"}:
        assert not unions & {*re.findall(r'"(#/components/schemas/\w+)"', json.dumps(schemas[name]))}, name


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_a_table_is_in_a_phase_that_the_description_knows(file: Path) -> None:
    for match in cardledger.read(file):
        stream = Stream(match.events[0])
        for event in match.events[1:]:
            assert state(stream.table)["phase"] in enumerations()["phase"]
            stream.append(event)


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_facts_of_games_are_declared_with_their_json(file: Path, described: dict[str, Draft202012Validator]) -> None:
    keys = {name: one.schema["properties"].keys() for name, one in described.items()}
    for match in cardledger.read(file):
        stream = Stream(match.events[0])
        for event in match.events[1:]:
            stream.append(event)
            table = state(stream.table)
            assert table.keys() <= keys["Table"]
            described["Facts of Table"].validate(table)
        found = result(stream.table)
        assert found.keys() <= keys["Result"]
        described["Facts of Result"].validate(found)
        for hand in found["hands"]:
            assert hand.keys() <= keys["Hand"]
            described["Facts of Hand"].validate(hand)


def test_answers_say_which_keys_are_always_there(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert set(schemas["Match"]["required"]) == schemas["Match"]["properties"].keys()
    assert "claimed" not in schemas["Hand"]["required"]
    assert schemas["Match"]["properties"]["opened_at"]["format"] == "date-time"


def test_every_answer_says_which_headers_it_may_have(document: dict[str, Any], client: FlaskClient) -> None:
    for path, method, operation in operations(document):
        for status, answer in operation["responses"].items():
            missing = {"X-Request-Id", "RateLimit", "RateLimit-Policy"} - {*answer["headers"]}
            assert not missing, (path, method, status)
            assert ("Retry-After" in answer["headers"]) == (status in ("429", "503"))
    page = client.get(f"{PREFIX}/").get_data(as_text=True)
    for name, header in document["components"]["headers"].items():
        assert f"<code>{name}</code></td><td>{escape(header['description'])}" in page


def test_every_schema_is_used(client: FlaskClient, document: dict[str, Any]) -> None:
    text = client.get(f"{PREFIX}/openapi.json").get_data(as_text=True)
    for name in document["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in text, name


def test_the_page_documents_every_operation_and_schema(client: FlaskClient, document: dict[str, Any]) -> None:
    page = client.get(f"{PREFIX}/").get_data(as_text=True)
    for path, method, operation in operations(document):
        assert f'<section id="{operation["operationId"]}">\n<h2><b>{method}</b> <code>{path}</code>' in page
        for parameter in operation["parameters"]:
            assert f"<code>{parameter['name']}</code>" in page
    ids = set(re.findall(r'id="([^"]+)"', page))
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets <= ids
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= ids


def test_the_page_needs_nothing_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get(f"{PREFIX}/")
    page = answer.get_data(as_text=True)
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert not re.search(r"<script|<style|\bstyle=|\bon\w+=|<img", page)
    assert {*re.findall(r'href="([^#"]+)"', page)} == {"docs.css", "openapi.json", "problems"}
    style = client.get(f"{PREFIX}/docs.css")
    assert style.content_type.startswith("text/css")
    assert "url(" not in style.get_data(as_text=True)


@pytest.mark.parametrize("address", ["/sessions/import", "/import"])
def test_an_address_allows_the_methods_that_are_documented(
    client: FlaskClient, document: dict[str, Any], address: str
) -> None:
    allowed = {*client.options(PREFIX + address).headers["Allow"].split(", ")} - {"OPTIONS", "HEAD"}
    assert allowed == {method.upper() for method in document["paths"][PREFIX + address]}
