"""Masterpoints on the pages: a club keeps its table, an evening names it, and what it gave stands where places stand."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.recording.masterpoints import tables_of
from cardledger_api.http.operations import CSV, XLSX
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.night import record
from tests.spreadsheets.paper import as_xlsx
from tests.web.test_evening_pages import TWELVE, page, send, sessions

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

HERE = {"Sec-Fetch-Site": "same-origin"}

LINES = "4: 0.20 0.10\n12: 1.25 0.75"


def test_a_table_is_kept_named_by_an_evening_and_shown_with_its_places(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), empty.test_client()
    club = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})
    answer = send(scorer, f"/clubs/{club}/masterpoints", name="Club", lines="4: a")
    assert answer.status_code == 400
    assert "ine 1, a: write a size and points" in answer.text
    assert "4: a</textarea>" in answer.text
    assert 'name="masterpoints"' not in page(scorer, f"/evenings/new?club={club}")
    assert send(scorer, f"/clubs/{club}/masterpoints", name="Club", lines=LINES).status_code == 303
    league = record(
        ledger, None,
        {"type": "league", "club": club, "name": "Spring", "from": "2026-01-01", "until": "2026-12-30", "count": {}},
    )  # fmt: skip
    form = {"club": club, "date": "2026-03-17", "competes": "players", "game": "hearts", "more": ", ".join(TWELVE)}
    wrong = send(scorer, "/evenings/new", **form, masterpoints="Cup")
    assert (wrong.status_code, "gives no such masterpoints" in wrong.text) == (400, True)
    assert send(scorer, "/evenings/new", **form, league=league, masterpoints="Club").status_code == 303
    (session,) = sessions(ledger)
    for table in (1, 2, 3):
        seats = [*TWELVE[4 * table - 4 : 4 * table]]
        points = [40 - 10 * table + seat for seat in range(4)]
        record(
            ledger, session, {"type": "table", "round": 1, "table": table, "seats": seats},
            {"type": "result", "round": 1, "table": table, "points": points},
        )  # fmt: skip
    assert "Masterpoints" not in page(scorer, f"/evenings/{session}").partition('id="ranking"')[2]
    assert send(scorer, f"/evenings/{session}/publish").status_code == 303
    # By places at three tables, three players share the first place, and so its points.
    for address in (
        f"/evenings/{session}",
        f"/clubs/{club}/masterpoints",
        f"/leagues/{league}",
        f"/players/{TWELVE[0]}",
    ):
        assert "0.67" in page(scorer, address), address
    assert '<option value="Club" selected>' in page(scorer, f"/evenings/new?club={club}")
    reader = as_role(empty, "reader")
    assert "Keep this table" not in reader.get(f"/clubs/{club}/masterpoints").text
    assert f"/clubs/{club}/masterpoints" in reader.get(f"/clubs/{club}").text
    assert send(scorer, f"/clubs/{club}/masterpoints", forget="Club").status_code == 303
    assert "0.67" in page(scorer, f"/evenings/{session}"), "what was given stays"


SHEET = "entries;1;2\n4;0,20;0,10\n12;1,25;0,75\n"
FILES = {
    "CSV of a spreadsheet": SHEET.encode("cp1252"),
    "CSV in UTF-16": SHEET.encode("utf-16"),
    "a workbook": as_xlsx([["entries", 1, 2], [4, 0.2, 0.1], [12, 1.25, 0.75]]),
    "lines": LINES.encode(),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_table_comes_as_a_file_on_the_page_by_the_api_and_by_the_command(
    empty: Flask, tmp_path: Path, content: bytes
) -> None:
    ledger, scorer = ledger_of(empty), empty.test_client()
    club = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})
    path = tmp_path / "points"
    path.write_bytes(content)
    form = {"name": "Page", "file": (BytesIO(content), "points")}
    assert scorer.post(f"/clubs/{club}/masterpoints", data=form, headers=HERE).status_code == 303
    kind = XLSX if content.startswith(b"PK") else CSV
    api = f"/api/v1/clubs/{club}/masterpoints?table=Api"
    answer = scorer.post(api, data=content, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json["lines"]) == (201, "4: 0.2 0.1\n12: 1.25 0.75")
    words = ["evening", "masterpoints", "--club", club, "--keep", str(path), "--table", "Command"]
    done = CliRunner().invoke(main, [*words, "--db", str(ledger.store.name)])
    assert done.exit_code == 0, done.output
    tables = tables_of(ledger, club)
    assert {*tables} == {"Page", "Api", "Command"}
    assert len({table.rows for table in tables.values()}) == 1


def test_a_file_that_is_no_table_is_refused_in_words(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), empty.test_client()
    club = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})
    form = {"name": "Page", "file": (BytesIO(b"%PDF-1.7"), "points.pdf")}
    answer = scorer.post(f"/clubs/{club}/masterpoints", data=form, headers=HERE)
    assert (answer.status_code, "is a PDF" in answer.text) == (400, True)
    refused = scorer.post(f"/api/v1/clubs/{club}/masterpoints?table=T", data=b"%PDF-1.7", headers={"Content-Type": CSV})
    assert (refused.status_code, refused.json["code"]) == (400, "file.kind")
    assert tables_of(ledger, club) == {}
