"""POST /sessions/import: a spreadsheet as the body or in a form, shown or stored, with every problem in the answer."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

from cardledger.formats.spreadsheets.reading import MOST_BYTES
from cardledger_web.app import ledger_of
from tests.spreadsheets.paper import SAMPLES, as_csv, by_column, evening
from tests.spreadsheets.seasons import DAYS, head, matrix, season

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

IMPORT = "/api/v1/sessions/import"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ROWS = by_column("hearts", evening("hearts", 4, 1, tables=1))


def posted(app: Flask, content: bytes, kind: str = "text/csv", **query: object) -> TestResponse:
    return app.test_client().post(IMPORT, data=content, content_type=kind, query_string=query)


def test_a_dry_run_shows_what_would_be_stored_and_the_same_request_stores_it(empty: Flask) -> None:
    names = json.dumps({"*": "new"})
    body = (SAMPLES / "whole-evening.xlsx").read_bytes()
    shown = posted(empty, body, XLSX, names=names, dry_run=1).json
    assert (shown["ready"], shown["stored"], shown["opens"], len(shown["tables"])) == (True, False, True, 6)
    assert shown["name"] == "Tuesday club"
    assert ledger_of(empty).store.last_position() == 0
    stored = posted(empty, body, XLSX, names=names).json
    assert {**shown, "stored": True} == stored
    assert ledger_of(empty).evenings.ids("session") == [stored["evening"]]
    form = {"file": (io.BytesIO(body), "whole-evening.xlsx")}
    again = empty.test_client().post(IMPORT, data=form).json
    assert (again["new"], again["opens"], again["evening"]) == (0, False, stored["evening"])


def test_problems_and_questions_are_all_in_the_answer(empty: Flask) -> None:
    rows = [[*row] for row in ROWS]
    rows[4][1], rows[5][4] = "many", 99
    refused = posted(empty, as_csv(rows))
    assert (refused.status_code, refused.json["code"]) == (422, "sheet.number")
    assert [(each["code"], each["cell"]) for each in refused.json["problems"]] == [
        ("sheet.number", "B5"),
        ("sheet.sum", "E6"),
    ]
    assert posted(empty, as_csv(rows), dry_run="true").status_code == 200
    asked = posted(empty, as_csv(ROWS))
    assert (asked.status_code, asked.json["code"]) == (422, "sheet.name")
    assert [each["name"] for each in asked.json["questions"]] == ["Ana", "Bela", "Cem", "Dov"]
    assert ledger_of(empty).store.last_position() == 0


def test_a_file_that_no_evening_is_recognised_in_has_no_name_and_no_date(empty: Flask) -> None:
    shown = posted(empty, b"%PDF-1.4", dry_run="true").json
    assert (shown["evening"], shown["name"], shown["date"], shown["ready"]) == (None, None, None, False)
    assert [each["code"] for each in shown["problems"]] == ["file.kind"]


def test_wrong_requests_are_refused_with_a_code(empty: Flask) -> None:
    assert posted(empty, b"", "application/json").status_code == 415
    assert posted(empty, as_csv(ROWS), names="Marry=mary").status_code == 400
    assert posted(empty, as_csv(ROWS), names='{"Marry": 3}').json["code"] == "format.value"
    assert posted(empty, as_csv(ROWS), scoring="matchpoints").status_code == 400
    assert posted(empty, b"a" * (MOST_BYTES + 1)).json["code"] == "sheet.size"
    assert empty.test_client().post(IMPORT, data={"text": "x"}, content_type="multipart/form-data").status_code == 400


def test_a_season_is_several_evenings_in_one_answer(empty: Flask) -> None:
    made = season("hearts", 1)
    answer = posted(empty, as_csv(head(made, matrix(made))), names=json.dumps({"*": "new"})).json
    assert (answer["evening"], answer["date"], answer["stored"]) == (None, None, True)
    assert [each["date"] for each in answer["evenings"]] == [*DAYS[:3]]
    assert [(table["date"], table["roll"]) for table in answer["tables"]] == [(day, True) for day in DAYS[:3]]
    assert answer["recognised"][0]["layout"] == "season"
    assert ledger_of(empty).evenings.ids("session") == [each["evening"] for each in answer["evenings"]]


def test_a_name_and_a_score_are_shown_and_cells_left_out(empty: Flask) -> None:
    rows = [["Date", "2026-01-06"], [], ["Nr", "Who", "Result"], [1, "Ann", 10], [2, "Bob", 3]]
    query = {"name_at": "B4", "score_at": "C4", "score_is": "total", "names": '{"*": "new"}'}
    assert posted(empty, as_csv(rows), **query).json["code"] == "sheet.unread"
    stored = posted(empty, as_csv(rows), **query, ignore="A4, Z9").json
    assert [(table["players"], table["totals"]) for table in stored["tables"]] == [(["Ann", "Bob"], [10, 3])]
    assert posted(empty, as_csv(rows), name_at="B4").json["code"] == "format.value"
    assert posted(empty, as_csv(rows), score_is="age").status_code == 400
