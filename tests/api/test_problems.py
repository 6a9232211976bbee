"""Errors of the API: every error is a problem document with a stable code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient

from cardledger.errors import ConflictError, FormatError, LedgerError, RuleError, StoreError
from cardledger_api.http.problems import status_of

if TYPE_CHECKING:
    from flask import Flask


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/matches/11111111-1111-4111-8111-111111111111", 404, "store.unknown"),
        ("/api/v1/matches/%00", 404, "store.unknown"),
        ("/api/v1/matches?game=skat", 400, "format.game"),
        ("/api/v1/matches?limit=0", 400, "format.value"),
        ("/api/v1/matches?limit=201", 400, "format.value"),
        ("/api/v1/matches?limit=1_0", 400, "format.value"),
        ("/api/v1/matches?limit=%C2%B2", 400, "format.value"),
        ("/api/v1/matches?after=-1", 400, "format.value"),
        ("/api/v1/matches?after=99999999999999999999", 400, "format.value"),
        ("/api/v1/matches?limt=5", 400, "format.value"),
        ("/api/v1/nothing", 404, "http.not-found"),
    ],
)
def test_a_problem_says_status_and_code(client: FlaskClient, path: str, status: int, code: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    problem = answer.get_json(force=True)
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["title"]
    assert problem["detail"]
    assert problem["instance"].startswith("/api/v1/")


def test_the_type_of_a_problem_is_a_page_that_says_what_to_do(client: FlaskClient) -> None:
    problem = client.get("/api/v1/matches?limit=0").get_json(force=True)
    assert problem["type"] == "/api/v1/problems/format.value"
    page = client.get(problem["type"], headers={"Accept": "text/html"}).get_data(as_text=True)
    assert "<h1><code>format.value</code></h1>" in page
    assert "What to do:" in page
    told = client.get("/api/v1/problems/follow.suit").get_json()
    assert "Hearts" in told["meaning"]
    assert client.get("/api/v1/problems/no.such").status_code == 404


def test_a_wrong_method_names_the_right_ones(client: FlaskClient) -> None:
    answer = client.post("/api/v1/games")
    assert answer.status_code == 405
    assert answer.content_type == "application/problem+json"
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreError("store.unknown", ""), 404),
        (ConflictError("m", 1, 2), 409),
        (RuleError("follow.suit", ""), 422),
        (FormatError("format.json", ""), 400),
        (StoreError("store.write", ""), 503),
        (LedgerError("other", ""), 500),
    ],
)
def test_the_status_says_whose_fault_it_is(error: LedgerError, status: int) -> None:
    assert status_of(error) == status


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/matches?limit=0", "limit: write a number from 1 to 200"),
        ("/matches?since=2026", "since: write a day as 2026-01-31"),
        ("/matches?limit=ten", "limit: write a whole number in digits only"),
        ("/tokens", "This needs the token of an admin, in the header 'Authorization: Bearer TOKEN'."),
        ("/nothing", "There is nothing at this address. /api/v1/ lists the operations."),
    ],
)
def test_a_problem_says_what_to_write_or_where_to_look(empty: Flask, path: str, detail: str) -> None:
    anybody = FlaskClient(empty, empty.response_class, use_cookies=True)
    assert anybody.get(f"/api/v1{path}").get_json(force=True)["detail"] == detail


def test_a_method_that_an_address_does_not_take_is_answered_with_those_that_it_takes(empty: Flask) -> None:
    answer = empty.test_client().put("/api/v1/matches")
    assert answer.status_code == 405 and "GET" in answer.headers["Allow"]
    assert "Allow names those that it takes" in answer.get_json(force=True)["detail"]
