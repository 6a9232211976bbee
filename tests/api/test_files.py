"""Match files through the API: taken in with a report, given out for any set of matches."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest

from cardledger.record.matches.matchfile import write
from cardledger.record.matches.noticed import FIRST
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


def test_an_export_is_imported_again_byte_for_byte_with_the_name_of_the_importer(
    client: FlaskClient, empty: Flask
) -> None:
    exported = client.get("/api/v1/export")
    assert exported.mimetype == "application/x-ndjson"
    assert "attachment" in exported.headers["Content-Disposition"]
    other = empty.test_client()
    report = imported(other, exported.data).json
    assert report["problems"] == []
    assert sum(match["new"] for match in report["matches"]) == exported.data.count(b"\n")
    stored = other.get("/api/v1/export").data
    assert re.sub(rb',"imported_at":"[^"]+","imported_by":"admin"', b"", stored) == exported.data
    assert stored.count(b'"imported_by":"admin"') == stored.count(b"\n")
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


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [(b"garbage", 400, "file.kind"), (b"\0\xff" * 99, 400, "file.kind"), (OPEN + WRONG, 422, "table.phase")],
)
@pytest.mark.parametrize("keep_going", ["false", "true"])
def test_garbage_gives_an_error_status(empty: Flask, body: bytes, status: int, code: str, keep_going: str) -> None:
    answer = imported(empty.test_client(), body, keep_going=keep_going)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.json["code"] == answer.json["problems"][0]["code"] == code
    assert answer.json["matches"] == []
    assert "matches.jsonl, line" in answer.json["detail"]


def test_a_match_that_differs_from_the_stored_one_is_not_a_success(empty: Flask) -> None:
    client, opening = empty.test_client(), OPEN[:-2] + b',"id":"11111111-1111-4111-8111-111111111111"}\n'
    assert imported(client, opening).status_code == 200
    answer = imported(client, opening.replace(b"ana", b"eva"))
    assert (answer.status_code, answer.json["code"]) == (409, "store.differs")


def test_a_wrong_match_is_reported_with_its_line_and_ends_the_import(empty: Flask) -> None:
    client = empty.test_client()
    answer = imported(client, OPEN + b"\n" + OPEN + WRONG + OPEN)
    assert answer.status_code == 422
    assert "1 match stored before it" in answer.json["detail"]
    report = answer.json
    assert [match["line"] for match in report["matches"]] == [1]
    assert [(wrong["line"], wrong["code"]) for wrong in report["problems"]] == [(4, "table.phase")]
    assert len(client.get("/api/v1/matches").json["matches"]) == 1


def test_an_import_may_go_on_after_a_wrong_match(empty: Flask) -> None:
    answer = imported(empty.test_client(), OPEN + OPEN + WRONG + OPEN, keep_going="true")
    assert answer.status_code == 200
    report = answer.json
    assert [match["line"] for match in report["matches"]] == [1, 4]
    assert [wrong["line"] for wrong in report["problems"]] == [3]


def test_a_line_that_is_too_long_is_reported(empty: Flask) -> None:
    report = imported(empty.test_client(), OPEN + b'{"type":"note","text":"' + b"x" * 1_000_001 + b'"}\n').json
    assert [(wrong["line"], wrong["code"]) for wrong in report["problems"]] == [(2, "format.size")]


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


def test_a_hidden_hand_is_returned_as_it_was_recorded(empty: Flask) -> None:
    client = empty.test_client()
    opened(client, match_of("ruff", hands=1, hidden=True)[:6])
    assert as_role(empty, "reader").get("/api/v1/export").data == client.get("/api/v1/export").data


def test_a_file_of_one_match_equals_the_output_of_write(empty: Flask) -> None:
    client, events = empty.test_client(), match_of("poison-hearts", hands=1)
    report = imported(client, write(events)).json
    assert report["matches"][0]["events"] == len(events)


BOARDS = """[Event "Spring cup"]
[Board "1"]
[West "w"]
[North "n"]
[East "e"]
[South "s"]
[Contract "4S"]
[Declarer "N"]
[Result "10"]
[Score "NS 400"]

[Event "Spring cup"]
[Board "x"]
[Contract "4S"]
"""


def test_boards_of_a_pbn_file_are_taken_and_given_again(empty: Flask) -> None:
    client = empty.test_client()
    refused = client.post("/api/v1/import", data=BOARDS, content_type="text/plain")
    assert (refused.status_code, refused.json["code"]) == (400, "pbn.board")
    assert refused.json["detail"].startswith("boards.txt, line 13: ")
    assert client.get("/api/v1/matches").json["matches"] == []
    assert refused.json["left_out"] == 0
    report = client.post("/api/v1/import?keep_going=true", data=BOARDS, content_type="text/plain").json
    assert [match["game"] for match in report["matches"]] == ["bridge"]
    assert [problem["line"] for problem in report["problems"]] == [13]
    assert [warning["code"] for warning in report["warnings"]] == ["pbn.score", "file.day"]
    given = client.get("/api/v1/export?format=pbn")
    assert given.mimetype == "text/plain"
    assert "boards.pbn" in given.headers["Content-Disposition"]
    assert '[Contract "4S"]' in given.text
    file = {"file": (io.BytesIO(client.get("/api/v1/export?format=lin").data), "any.name")}
    again = client.post("/api/v1/import?anyway=true", data=file, content_type="multipart/form-data").json
    assert [match["new"] > 0 for match in again["matches"]] == [True]


def test_a_report_lists_a_thousand_problems_and_some_warnings_of_each_cause_and_counts_the_others(empty: Flask) -> None:
    client = empty.test_client()
    text = '[Event "x"]\n\n' * 1_500 + '[Board "x"]\n[Contract "4S"]\n\n' * 1_200
    report = client.post("/api/v1/import", data=text, content_type="text/plain").json
    assert (len(report["problems"]), len(report["warnings"]), report["left_out"]) == (1_000, 0, 200)
    report = client.post("/api/v1/import?keep_going=true", data=text, content_type="text/plain").json
    assert (len(report["problems"]), len(report["warnings"]), report["left_out"]) == (1_000, FIRST, 1_699 - FIRST)
    assert [(cause["code"], cause["count"]) for cause in report["noticed"]] == [("pbn.empty", 1_499)]


@pytest.mark.parametrize("keep_going", ["", "?keep_going=1"])
@pytest.mark.parametrize(
    ("media", "content"), [("application/x-ndjson", b""), ("application/x-ndjson", b"\n \n"), ("text/plain", b"")]
)
def test_a_file_without_a_match_is_no_success(empty: Flask, media: str, content: bytes, keep_going: str) -> None:
    client = empty.test_client()
    answer = client.post(f"/api/v1/import{keep_going}", data=content, content_type=media)
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["matches"]) == (400, "store.empty", [])
    form = {"file": [(io.BytesIO(content), "a.jsonl")]}
    answer = client.post(f"/api/v1/import{keep_going}", data=form, content_type="multipart/form-data")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "store.empty")
