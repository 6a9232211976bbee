"""The OpenAPI document: valid, whole, and the page that people read of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from web.headers import POLICY

if TYPE_CHECKING:
    from typing import Any

    from flask import Flask
    from flask.testing import FlaskClient

PREFIX = "/api/v1"


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    return client.get(f"{PREFIX}/openapi.json").json


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


def test_links_lead_to_operations_and_parameters_that_are_there(document: dict[str, Any]) -> None:
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


def test_every_schema_is_used(client: FlaskClient, document: dict[str, Any]) -> None:
    text = client.get(f"{PREFIX}/openapi.json").get_data(as_text=True)
    for name in document["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in text, name


def test_the_page_tells_of_every_operation_and_schema(client: FlaskClient, document: dict[str, Any]) -> None:
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
    assert {*re.findall(r'href="([^#"]+)"', page)} == {"docs.css", "openapi.json"}
    style = client.get(f"{PREFIX}/docs.css")
    assert style.content_type.startswith("text/css")
    assert "url(" not in style.get_data(as_text=True)
