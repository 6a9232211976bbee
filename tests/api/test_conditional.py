"""Answers that a client already has are not sent again, lists name their next page, and a client knows what it may still send."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger_api.auth.limits import Limits, Rate
from cardledger_web.app import ledger_of
from tests.api.recording import NOTE, append, as_role, opened
from tests.api.test_limits import limited
from tests.api.test_shared_deals import A, B, at, deal, dealt

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

API = "/api/v1"


@pytest.fixture
def recorder(empty: Flask) -> FlaskClient:
    return empty.test_client()


def again(client: FlaskClient, path: str, before: TestResponse) -> TestResponse:
    """Ask once more, with the tag of an earlier answer."""
    return client.get(path, headers={"If-None-Match": before.headers["ETag"]})


def test_an_answer_that_the_client_has_is_not_sent_again_until_it_is_another(recorder: FlaskClient) -> None:
    match = opened(recorder)
    paths = [f"{API}/matches", *(f"{API}/matches/{match}{part}" for part in ("", "/events", "/table"))]
    before = {path: recorder.get(path) for path in paths}
    for path, answer in before.items():
        unchanged = again(recorder, path, answer)
        assert (unchanged.status_code, unchanged.data) == (304, b""), path
        assert unchanged.headers["ETag"] == answer.headers["ETag"]
        assert recorder.get(path, headers={"If-None-Match": f"W/{answer.headers['ETag']}"}).status_code == 304
    append(recorder, match, [NOTE], 1)
    for path, answer in before.items():
        assert again(recorder, path, answer).status_code == 200, path


def test_the_tag_of_an_answer_says_which_events_a_writer_knows(recorder: FlaskClient) -> None:
    match = opened(recorder)
    read = recorder.get(f"{API}/matches/{match}")
    headers = {"If-Match": read.headers["ETag"]}
    body = {"events": [{"type": "note", "text": "first"}]}
    assert recorder.post(f"{API}/matches/{match}/events", json=body, headers=headers).status_code == 201
    body = {"events": [{"type": "note", "text": "second"}]}
    assert recorder.post(f"{API}/matches/{match}/events", json=body, headers=headers).status_code == 412


def test_a_hand_that_is_shown_later_without_a_new_event_is_another_answer(empty: Flask) -> None:
    ledger, reader, events = ledger_of(empty), as_role(empty, "reader"), dealt()
    first = deal(events, 2)
    ledger.record(None, at(events, A)[:first], 0)
    ledger.record(None, at(events, B)[: deal(events, 1) + 1], 0)
    path = f"{API}/matches/{A}"
    withheld = reader.get(path)
    assert withheld.json["result"]["hands"][0]["withheld"]
    ledger.record(B, at(events, B)[deal(events, 1) + 1 : first], deal(events, 1) + 1)
    shown = again(reader, path, withheld)
    assert shown.status_code == 200 and shown.json["result"]["hands"][0]["tricks"]
    assert shown.json["seq"] == withheld.json["seq"]


def test_roles_that_see_different_things_have_different_tags(empty: Flask) -> None:
    events = dealt()
    ledger_of(empty).record(None, at(events, A)[: deal(events, 1) + 1], 0)
    path = f"{API}/matches/{A}/table"
    tags = {as_role(empty, role).get(path).headers["ETag"] for role in ("reader", "scorer")}
    assert len(tags) == 2


def test_a_list_names_its_next_page_in_a_header(client: FlaskClient) -> None:
    seen, address = [], f"{API}/matches?game=ruff&limit=1"
    for _ in range(20):
        answer = client.get(address)
        seen += [match["id"] for match in answer.json["matches"]]
        if "Link" not in answer.headers:
            break
        following, first = answer.headers["Link"].split(", ")
        assert first == f'<{API}/matches?game=ruff&limit=1>; rel="first"'
        address, _, relation = following[1:].partition(">; ")
        assert relation == 'rel="next"'
    assert len(seen) > 1
    assert seen == [match["id"] for match in client.get(f"{API}/matches?game=ruff").json["matches"]]
    lines = client.get(f"{API}/matches/{seen[0]}/events?limit=2", headers={"Accept": "application/x-ndjson"})
    assert "after=2>" in lines.headers["Link"]


@pytest.mark.parametrize(("method", "name", "most"), [("GET", "reads", 5), ("POST", "writes", 3)])
def test_a_client_knows_what_it_may_still_send(tmp_path: Path, method: str, name: str, most: int) -> None:
    with limited(tmp_path, Limits(reads=Rate(1, 5), writes=Rate(0.5, 3))) as app:
        client = app.test_client()
        left = []
        for _ in range(most + 1):
            answer = client.open(f"{API}/matches", method=method)
            assert answer.headers["RateLimit-Policy"].startswith(f'"{name}";q={most};w=')
            left.append(int(answer.headers["RateLimit"].partition(";r=")[2].partition(";")[0]))
        assert left == [*range(most - 1, -1, -1), 0]
        assert answer.status_code == 429
        assert "RateLimit" not in client.get("/matches").headers
