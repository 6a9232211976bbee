"""Sheets as clubs keep them: each is read right in one step, or one cell is asked about; none is stored wrong."""

from __future__ import annotations

import pytest

from cardledger.formats.spreadsheets.preview import Preview
from cardledger.record.recording.ledger import Ledger
from tests.spreadsheets.club_sheets import SHEETS, Sheet
from tests.spreadsheets.paper import NEW, found, shown
from tests.spreadsheets.strange_sheets import STRANGE
from tests.spreadsheets.village_sheets import VILLAGE


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def said(preview: Preview) -> dict[str, list[dict[str, int]]]:
    """What would be stored of each day and table: names with points, or places."""
    return {
        evening.opening.date: [
            dict(zip(table.players, table.totals or table.places or (), strict=True)) for table in evening.tables
        ]
        for evening in preview.evenings if evening.opening is not None
    }  # fmt: skip


def file_name(sheet: Sheet) -> str:
    return "night.xlsx" if sheet.content.startswith(b"PK") else "night.csv"


@pytest.mark.parametrize("sheet", [*SHEETS, *STRANGE, *VILLAGE], ids=lambda sheet: sheet.name)
def test_a_sheet_of_a_club_is_read_right_or_asked_about(sheet: Sheet, empty: Ledger) -> None:
    preview = shown(empty, sheet.content, name=file_name(sheet))
    if sheet.asks is None:
        assert preview.ready, preview.problems
        assert said(preview) == sheet.says
    else:
        assert sheet.asks in found(preview)
    if sheet.answer:
        answered = shown(empty, sheet.content, NEW._replace(**sheet.answer), name=file_name(sheet))
        assert answered.ready, answered.problems
        assert said(answered) == sheet.says
