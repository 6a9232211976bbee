"""Errors of the API: problem details with a stable code, whatever goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from api.problems import status_of
from ledger.errors import ConflictError, FormatError, LedgerError, RuleError, StoreError

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/matches/11111111-1111-4111-8111-111111111111", 404, "store.unknown"),
        ("/api/v1/matches/%00", 404, "store.unknown"),
        ("/api/v1/matches?game=bridge", 400, "format.game"),
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
        (StoreError("store.write", ""), 500),
        (LedgerError("other", ""), 500),
    ],
)
def test_the_status_says_whose_fault_it_is(error: LedgerError, status: int) -> None:
    assert status_of(error) == status
