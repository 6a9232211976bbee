"""The page that takes an evening from a spreadsheet: problems marked in their cells, names asked, one button to store."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.evenings.evening_events import Club
from cardledger_web.app import ledger_of
from tests.spreadsheets.paper import SAMPLES, as_csv, by_column, evening
from tests.spreadsheets.seasons import DAYS, head, matrix, season
from tests.spreadsheets.test_kept_layouts import FIRST, NEXT
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

ROWS = by_column("hearts", evening("hearts", 4, 1, tables=1))


def sent(app: Flask, content: bytes, name: str = "night.csv", **texts: str) -> TestResponse:
    return app.test_client().post("/evenings/import", data={"file": (io.BytesIO(content), name), **texts})


def carried(answer: TestResponse) -> str:
    """The files that the form carries on."""
    found = re.search(r'name="kept" value="([^"]+)"', answer.text)
    assert found
    return found[1]


def test_a_file_is_shown_first_and_one_button_stores_it(empty: Flask) -> None:
    path = SAMPLES / "whole-evening.xlsx"
    shown = sent(empty, path.read_bytes(), path.name)
    assert shown.status_code == 200
    assert "Tuesday club (2026-01-27): a new evening, points are added up" in shown.text
    assert shown.text.count("Store this evening") == 1
    assert ledger_of(empty).store.last_position() == 0
    stored = empty.test_client().post("/evenings/import", data={"kept": carried(shown), "store": "yes"})
    assert stored.status_code == 303
    (session,) = ledger_of(empty).evenings.ids("session")
    assert stored.location == f"/evenings/{session}"
    again = sent(empty, path.read_bytes(), path.name, store="yes")
    assert again.status_code == 303
    assert "stored already" in sent(empty, path.read_bytes(), path.name).text


def test_problems_are_listed_and_marked_in_their_cells(empty: Flask) -> None:
    rows = [[*row] for row in ROWS]
    rows[4][1], rows[5][4], rows[6][0] = "many", 99, "<b>Cem</b>"
    shown = sent(empty, as_csv(rows), date="2026-01-06", store="yes")
    assert "2 problems: nothing is stored yet" in shown.text
    for number, (cell, code) in enumerate((("B5", "sheet.number"), ("E6", "sheet.sum")), 1):
        assert re.search(
            rf'<a class="at" href="#problem-{number}">{cell}</a>.*?<code>{code}</code>', shown.text, re.DOTALL
        )
        assert f'class="wrong" id="problem-{number}"' in shown.text
    assert "Store this evening" not in shown.text
    assert "<b>Cem" not in shown.text
    assert ledger_of(empty).store.last_position() == 0


def test_a_name_like_that_of_a_player_is_asked_and_the_answer_stored(empty: Flask) -> None:
    sent(empty, as_csv(ROWS), store="yes")
    rows = [[*row] for row in ROWS]
    rows[0][1], rows[4][0], rows[5][0] = "2026-01-13", "Anna", "Zoltan"
    asked = sent(empty, as_csv(rows), store="yes")
    assert asked.status_code == 200
    assert "<bdi>Anna</bdi> (A5)" in asked.text
    assert "New players: <bdi>Zoltan</bdi>." in asked.text
    done = empty.test_client().post(
        "/evenings/import", data={"kept": carried(asked), "meant:Anna": "Ana", "store": "yes"}
    )
    assert done.status_code == 303
    ledger = ledger_of(empty)
    state = ledger.evenings.stream(ledger.evenings.ids("session")[1]).state
    assert [*state.here][:2] == ["Ana", "Zoltan"]


def test_a_form_without_a_file_or_with_an_altered_one_says_so(empty: Flask) -> None:
    for kept in ("", "AAAA", "%%%"):
        answer = empty.test_client().post("/evenings/import", data={"kept": kept})
        assert answer.status_code == 400
        assert "Choose a file first." in answer.text


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_empty_sheets_are_downloads(kind: str, empty: Flask) -> None:
    page = empty.test_client().get("/evenings/import").text
    assert f"/evenings/import/template.{kind}" in page
    answer = empty.test_client().get(f"/evenings/import/template.{kind}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="evening.{kind}"'
    assert "1 problem: nothing is stored yet" in sent(empty, answer.data, f"evening.{kind}").text


def test_readers_learn_how_to_become_a_scorer(empty: Flask) -> None:
    sign_in(empty, "reader")
    for path in ("/evenings/import", "/evenings/import/template.csv", "/evenings/import/template.xlsx"):
        assert empty.test_client().get(path).status_code == 403
    assert sent(empty, as_csv(ROWS), store="yes").status_code == 403
    assert ledger_of(empty).store.last_position() == 0


def test_two_ways_to_read_the_columns_are_asked_about_and_the_answer_is_carried_on(empty: Flask) -> None:
    rows = [
        ["Date", "2026-01-06"],
        ["Game", "whist"],
        ["Player", 1, 2],
        ["A", 1, 2],
        ["B", 0, 0],
        ["C", 1, 2],
        ["D", 0, 0],
    ]
    asked = sent(empty, as_csv(rows))
    assert "What are the columns of numbers?" in asked.text
    assert "sheet.ambiguous" in asked.text
    answered = sent(empty, as_csv(rows), columns="running")
    assert "the columns are running totals" in answered.text
    assert '<input type="hidden" name="columns" value="running">' in answered.text


def test_a_season_is_shown_evening_by_evening_and_one_button_stores_all(empty: Flask) -> None:
    made = season("hearts", 1)
    shown = sent(empty, as_csv(head(made, matrix(made))))
    for day in DAYS[:3]:
        assert f"Evening of {day} ({day}): a new evening, points are added up" in shown.text
        assert f'<h2 id="evening-{day}">' in shown.text
    assert "Store 3 evenings" in shown.text
    stored = empty.test_client().post("/evenings/import", data={"kept": carried(shown), "store": "yes"})
    assert (stored.status_code, stored.location) == (303, "/evenings")
    assert len(ledger_of(empty).evenings.ids("session")) == 3
    assert "All of this is stored already." in sent(empty, as_csv(head(made, matrix(made)))).text


def test_a_name_and_a_score_are_tapped_and_a_column_left_out_without_scripts(empty: Flask) -> None:
    rows = [["Date", "2026-01-06"], [], ["Nr", "Who", "Result"], [1, "Ann", 10], [2, "Bob", 3]]
    first = sent(empty, as_csv(rows))
    assert '<input type="radio" name="name_at" value="B4">' in first.text
    assert '<input type="radio" name="score_at" value="C4">' in first.text
    taps = {"kept": carried(first), "name_at": "B4", "score_at": "C4"}
    half = empty.test_client().post("/evenings/import", data=taps)
    assert half.status_code == 400
    assert "Tap a name and a score of this player" in half.text
    taps = {**taps, "kept": carried(half), "score_is": "total"}
    asked = empty.test_client().post("/evenings/import", data=taps)
    assert '<input type="checkbox" name="ignore" value="A4">' in asked.text
    assert 'name="name_at" value="B4" checked' in asked.text
    ready = empty.test_client().post("/evenings/import", data={**taps, "ignore": "A4"})
    assert '<input type="hidden" name="ignore" value="A4">' in ready.text
    assert "Store this evening" in ready.text
    stored = empty.test_client().post("/evenings/import", data={**taps, "ignore": "A4", "store": "yes"})
    assert stored.status_code == 303


def test_a_layout_is_kept_used_renamed_and_forgotten_on_the_page(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    ledger.evenings.record(None, [Club(name="Tuesday")], 0, as_written=False)
    how = {"name_at": "B5", "score_at": "D5", "score_is": "total", "keep_layout": "Our pad"}
    file = (io.BytesIO(as_csv(FIRST)), "night.csv")
    shown = client.post("/evenings/import", data={"file": file, "ignore": ["A5", "C5"], **how})
    assert "Kept as the layout <bdi>Our pad</bdi>" in shown.text
    form = dict(
        re.findall(
            r'<input (?:type="radio" |type="hidden" )?name="(\w+)" value="([^"]*)"[^>]*?(?: checked|>)', shown.text
        )
    )
    assert form["keep_layout"] == "Our pad"
    stored = client.post(
        "/evenings/import", data={"kept": carried(shown), "ignore": ["A5", "C5"], "store": "yes", **how}
    )
    assert stored.status_code == 303
    again = sent(empty, as_csv(NEXT))
    assert "Read by the layout <bdi>Our pad</bdi>" in again.text
    assert "Store this evening" in again.text
    assert "a name is in B5" in client.get("/evenings/import").text
    change = "/evenings/import/layouts"
    assert "Write the new name." in client.post(change, data={"layout": "Our pad", "to": " "}).text
    assert client.post(change, data={"layout": "Our pad", "to": "Monday"}).status_code == 303
    assert client.post(change, data={"layout": "Our pad", "forget": "yes"}).status_code == 400
    assert client.post(change, data={"layout": "Monday", "forget": "yes"}).status_code == 303
    assert "Layouts of the club" not in client.get("/evenings/import").text
