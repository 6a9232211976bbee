"""A ledger below a path: every address that it gives leads back below it, behind a proxy and in a house of clubs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.evenings.night import under_way
from tests.web.club import fill

ROOT = "/c/ulm"
HERE = "http://localhost"
ATTRIBUTE = re.compile(r'[\w-]+="((?:/|https?://localhost)[^"]*)"')
IN_JSON = re.compile(r'"(/[a-z][^"\s]*)"')
IN_XML = re.compile(r">((?:/[a-z]|http://localhost)[^<]*)<")
BEGIN = (
    "/",
    "/api/v1/",
    "/api/v1/matches",
    "/api/v1/sessions",
    "/api/v1/players",
    "/matches?lang=de",
    "/sign-in?next=/",
)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path / "club.db", limits=Limits.of(0), proxies=1)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def given(answer: Response) -> set[str]:
    """Return the addresses of this server that an answer gives."""
    kind = answer.content_type or ""
    found = {answer.headers[name] for name in ("Location", "Content-Location") if name in answer.headers}
    found |= {*re.findall(r"<([^>]*)>", answer.headers.get("Link", ""))}
    if any(word in kind for word in ("text", "json", "xml", "svg", "javascript")):
        text = answer.get_data().decode(errors="replace")
        found |= {*ATTRIBUTE.findall(text)}
        if "json" in kind or "javascript" in kind:
            found |= {*IN_JSON.findall(text)}
        if "xml" in kind:
            found |= {*IN_XML.findall(text)}
    return {each.replace("&amp;", "&").removeprefix(HERE) for each in found}


@pytest.mark.parametrize("most", [12, pytest.param(1_000, marks=[pytest.mark.long, pytest.mark.timeout(1800)])])
def test_every_address_keeps_to_the_path(app: Flask, most: int) -> None:
    if most > 12:
        fill(ledger_of(app))
        under_way(ledger_of(app))
    token = access_of(app).lend("Samira", "admin")
    client, urls = app.test_client(), app.url_map.bind("localhost")
    seen: set[tuple[str, tuple[str, ...]]] = set()
    waiting, wrong = [f"/?token={token}", *BEGIN], []
    while waiting and len(seen) < most:
        address = waiting.pop(0)
        parts = urlsplit(address)
        try:
            endpoint, _ = urls.match(parts.path)
        except HTTPException:
            continue  # for another method, or a template of an address
        kind = endpoint, tuple(sorted({key for key, _ in parse_qsl(parts.query)}))
        if kind in seen:
            continue
        seen.add(kind)
        with client.get(address, headers={"X-Forwarded-Prefix": ROOT}) as answer:
            assert answer.status_code < 500, address
            addresses = given(answer)
        for found in addresses:
            path = urlsplit(found).path
            if f"{path}/".startswith(f"{ROOT}/"):
                waiting.append(found.removeprefix(ROOT) or "/")
            elif endpoint != "api.openapi":  # its paths are below the server that it names
                wrong.append(f"{address}: {found}")
    assert wrong == []
    assert len(seen) >= min(most, 180), len(seen)


def test_the_document_of_the_api_names_its_server(app: Flask) -> None:
    client = app.test_client()
    below: Any = client.get("/api/v1/openapi.json", headers={"X-Forwarded-Prefix": ROOT}).json
    alone: Any = client.get("/api/v1/openapi.json").json
    assert [server["url"] for server in below["servers"]] == [ROOT]
    assert [server["url"] for server in alone["servers"]] == ["/"]


def test_a_cookie_is_sent_to_no_other_ledger_of_the_host(app: Flask) -> None:
    token = access_of(app).lend("Samira", "admin")
    answer = app.test_client().get(f"/matches?token={token}", headers={"X-Forwarded-Prefix": ROOT})
    assert answer.headers["Location"] == f"{ROOT}/matches"
    assert f"Path={ROOT}/;" in answer.headers["Set-Cookie"]


def test_a_prefix_that_no_known_proxy_sent_is_not_believed(tmp_path: Path) -> None:
    app = create_app(tmp_path / "alone.db")
    page = app.test_client().get("/", headers={"X-Forwarded-Prefix": "/evil"}).get_data(as_text=True)
    assert "/evil" not in page
    access_of(app).close()
    ledger_of(app).close()
