"""Match files through the API: taken in with a report, given out for any set of matches."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from ledger.matchfile import write
from tests.api.recording import GAMES, as_role, match_of, opened
from tests.web.club import SAMPLES

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

OPEN = b'{"type":"open","game":"ruff","players":["ana","ben","chloe"]}\n'
WRONG = b'{"type":"play","seat":0,"card":"AS"}\n'


def imported(client: FlaskClient, text: bytes, **query: object) -> TestResponse:
    return client.post("/api/v1/import", data=text, content_type="application/x-ndjson", query_string=query)


def test_what_is_exported_is_imported_again_byte_by_byte(client: FlaskClient, empty: Flask) -> None:
    exported = client.get("/api/v1/export")
    assert exported.mimetype == "application/x-ndjson"
    assert "attachment" in exported.headers["Content-Disposition"]
    other = empty.test_client()
    report = imported(other, exported.data).json
    assert report["problems"] == []
    assert sum(match["new"] for match in report["matches"]) == exported.data.count(b"\n")
    assert other.get("/api/v1/export").data == exported.data
    again = imported(other, exported.data).json
    assert [match["new"] for match in again["matches"]] == [0] * len(report["matches"])


@pytest.mark.parametrize("query", ["game=ruff", "player=dev", "violations=true", "status=ended", "event=nothing"])
def test_an_export_holds_the_matches_that_the_same_filters_list(client: FlaskClient, query: str) -> None:
    listed = [match["id"] for match in client.get(f"/api/v1/matches?limit=200&{query}").json["matches"]]
    lines = client.get(f"/api/v1/export?{query}").text.splitlines()
    ids = [line.partition('"id":"')[2][:36] for line in lines if line.startswith('{"type":"open"')]
    assert ids == listed[::-1]


def test_files_of_a_form_are_taken_too(empty: Flask) -> None:
    client = empty.test_client()
    samples = sorted(SAMPLES.glob("ruff*.jsonl"))
    files = [(io.BytesIO(path.read_bytes()), path.name) for path in samples]
    report = client.post("/api/v1/import", data={"file": files}, content_type="multipart/form-data").json
    assert {match["file"] for match in report["matches"]} == {path.name for path in samples}
    assert report["problems"] == []


def test_a_form_without_a_file_is_refused(empty: Flask) -> None:
    answer = empty.test_client().post("/api/v1/import", data={"a": "b"}, content_type="multipart/form-data")
    assert answer.status_code == 400


def test_a_wrong_match_is_reported_with_its_line_and_ends_the_import(empty: Flask) -> None:
    client = empty.test_client()
    report = imported(client, OPEN + b"\n" + OPEN + WRONG + OPEN).json
    assert [match["line"] for match in report["matches"]] == [1]
    assert [(wrong["line"], wrong["code"]) for wrong in report["problems"]] == [(4, "table.phase")]
    assert len(client.get("/api/v1/matches").json["matches"]) == 1


def test_an_import_may_go_on_after_a_wrong_match(empty: Flask) -> None:
    report = imported(empty.test_client(), OPEN + OPEN + WRONG + OPEN, keep_going="true").json
    assert [match["line"] for match in report["matches"]] == [1, 4]
    assert [wrong["line"] for wrong in report["problems"]] == [3]


def test_a_line_that_is_too_long_is_reported(empty: Flask) -> None:
    report = imported(empty.test_client(), OPEN + b'{"type":"note","text":"' + b"x" * 1_000_001 + b'"}\n').json
    assert [(wrong["line"], wrong["code"]) for wrong in report["problems"]] == [(2, "format.size")]


@pytest.mark.parametrize("body", [b"", b"\n\n"])
def test_an_empty_file_is_an_empty_report(empty: Flask, body: bytes) -> None:
    assert imported(empty.test_client(), body).json == {"matches": [], "problems": []}


def test_readers_import_nothing(empty: Flask) -> None:
    assert imported(as_role(empty, "reader"), OPEN).status_code == 403


@pytest.mark.parametrize("game", GAMES)
def test_readers_are_given_a_match_up_to_the_deal_under_way(game: str, empty: Flask) -> None:
    client, events = empty.test_client(), match_of(game, hands=1)
    deal = next(place for place, event in enumerate(events) if event.__struct_config__.tag == "deal")
    match = opened(client, events[: deal + 3])
    read = as_role(empty, "reader").get("/api/v1/export").text
    whole = client.get("/api/v1/export").text
    assert whole.startswith(read)
    assert (read.count("\n"), whole.count("\n")) == (deal, deal + 3)
    assert match in read
    assert imported(client, read.encode()).json["problems"] == []


def test_a_hand_that_nobody_saw_is_given_as_it_was_recorded(empty: Flask) -> None:
    client = empty.test_client()
    opened(client, match_of("ruff", hands=1, hidden=True)[:6])
    assert as_role(empty, "reader").get("/api/v1/export").data == client.get("/api/v1/export").data


def test_a_whole_file_of_one_match_is_what_write_makes(empty: Flask) -> None:
    client, events = empty.test_client(), match_of("poison-hearts", hands=1)
    report = imported(client, write(events)).json
    assert report["matches"][0]["events"] == len(events)
