"""Signing in by a form: permissions, the answer to a wrong token, and protection from foreign pages."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cardledger_api.auth.limits import SIGN_INS, Limits
from cardledger_api.auth.tokens import Tokens, new_text
from cardledger_web.app import access_of, create_app, ledger_of
from tests.web.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def shut(tmp_path: Path) -> Iterator[Flask]:
    """An application where reading takes a token."""
    # As many wrong tokens as always, but none more comes back while a test runs.
    limits = Limits(sign_ins=SIGN_INS._replace(a_second=0.0001))
    app = create_app(tmp_path / "club.db", open_reading=False, limits=limits)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def send(client: FlaskClient, token: str, headers: dict[str, str] = HERE, **more: str) -> TestResponse:
    return client.post("/sign-in", data={"token": token, **more}, headers=headers)


def test_the_form_signs_in_and_the_button_out_again(shut: Flask) -> None:
    client = shut.test_client()
    token = access_of(shut).lend("ana <b>", "scorer")
    assert client.get("/").status_code == 401
    answer = send(client, f"  {token}\n")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    text = client.get("/").text
    assert "ana &lt;b&gt;" in text
    assert "<small>scorer</small>" in text
    assert '<form method="post" action="/sign-out">' in text
    assert token not in text
    assert client.post("/sign-out", headers=HERE).status_code == 303
    assert client.get("/").status_code == 401


def test_signing_in_returns_to_the_requested_page(shut: Flask) -> None:
    client = shut.test_client()
    asked = client.get("/games/ruff")
    assert asked.status_code == 401
    assert 'href="/sign-in?next=/games/ruff"' in asked.text
    form = client.get("/sign-in?next=/games/ruff")
    assert form.status_code == 200
    assert '<input type="hidden" name="next" value="/games/ruff">' in form.text
    answer = send(client, access_of(shut).lend("ana", "reader"), next="/games/ruff")
    assert answer.headers["Location"] == "/games/ruff"


@pytest.mark.parametrize(
    "address",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "///evil.example",
     "javascript:alert(1)", "evil", "/a\r\nSet-Cookie: x=1", "\x00/", "http:evil.example", ""],
)  # fmt: skip
def test_the_form_redirects_to_no_other_site(shut: Flask, address: str) -> None:
    answer = send(shut.test_client(), access_of(shut).lend("ana", "reader"), next=address)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_a_wrong_token_gets_the_same_answer_for_existing_and_missing_things(tmp_path: Path, shut: Flask) -> None:
    with closing(Tokens(tmp_path / "club.db")) as tokens:
        revoked = tokens.create("ben", "admin", 1)
        tokens.revoke("ben")
        over = tokens.create("chloe", "admin", 0)
    told = set()
    for token in (revoked, over, new_text(), "ben", "chloe", "nobody", "", "x" * 10_000, "é\x00"):
        answer = send(shut.test_client(), token)
        assert answer.status_code == 401
        assert all("Max-Age=0" in cookie for cookie in answer.headers.getlist("Set-Cookie")), (
            "none but an ended session"
        )
        told.add(answer.text)
    assert len(told) == 1
    assert "unknown here" in told.pop()


def test_wrong_tokens_are_limited_and_a_right_one_always_works(shut: Flask) -> None:
    right = access_of(shut).lend("ana", "reader")
    seen = [send(shut.test_client(), new_text()).status_code for _ in range(int(SIGN_INS.burst) + 3)]
    assert seen == [401] * int(SIGN_INS.burst) + [429] * 3
    late = shut.test_client().get(f"/?token={new_text()}")
    assert late.status_code == 429, "the link and the form count together"
    assert int(late.headers["Retry-After"]) >= 1
    assert send(shut.test_client(), right).status_code == 303
    other = shut.test_client().post(
        "/sign-in", data={"token": new_text()}, headers=HERE, environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert other.status_code == 401


@pytest.mark.parametrize(
    "headers",
    [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"},
     {"Origin": "null"}],
)  # fmt: skip
def test_other_pages_can_neither_sign_somebody_in_nor_out(shut: Flask, headers: dict[str, str]) -> None:
    token = access_of(shut).lend("mallory", "admin")
    client = shut.test_client()
    assert send(client, token, headers).status_code == 403
    assert client.get("/").status_code == 401
    assert send(client, token).status_code == 303
    assert client.post("/sign-out", headers=headers).status_code == 403
    assert client.get("/").status_code == 200


def test_a_plain_browser_without_fetch_headers_signs_in(shut: Flask) -> None:
    token = access_of(shut).lend("ana", "reader")
    assert send(shut.test_client(), token, {"Origin": "http://localhost"}).status_code == 303


def test_every_form_that_changes_something_is_held_to_its_origin(tmp_path: Path) -> None:
    """Every POST outside the API: a cookie request from a foreign page is refused before anything else."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    posts = [
        rule
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    ]
    assert {"sign_in", "sign_out"} <= {rule.endpoint for rule in posts}
    for rule in posts:
        client = app.test_client()
        client.get(f"/?token={access_of(app).lend('ana', 'admin')}")
        path = path_of(rule)
        assert client.post(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403, rule
        assert client.post(path, headers={"Origin": "https://evil.example"}).status_code == 403, rule
    access_of(app).close()
    ledger_of(app).close()


def test_the_sign_in_page_does_not_stay_in_a_cache(shut: Flask) -> None:
    assert "Cookie" in shut.test_client().get("/sign-in").headers["Vary"]
