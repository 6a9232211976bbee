"""Masterpoints on the pages: a club keeps its table, an evening names it, and what it gave stands where places stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.night import record
from tests.web.test_evening_pages import TWELVE, page, send, sessions

if TYPE_CHECKING:
    from flask import Flask

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
