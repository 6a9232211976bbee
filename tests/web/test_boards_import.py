"""The page that takes boards of bridge from PBN and LIN files."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from cardledger_web.app import ledger_of
from tests.bridge_files.made import pbn

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

BOARDS = (
    pbn(North="Zoë <b>") + "\n" + pbn(Board="2").replace('[Site "Lyon"]', "Lyon") + "\n" + pbn(Board="17", Score="NS 5")
)


def sent(app: Flask, text: str, page: str = "/boards/import", name: str = "evening.pbn") -> TestResponse:
    return app.test_client().post(page, data={"file": (io.BytesIO(text.encode()), name)})


def test_boards_are_shown_first_and_one_button_stores_them(empty: Flask) -> None:
    shown = sent(empty, BOARDS)
    assert shown.status_code == 200
    assert "Zoë &lt;b&gt;" in shown.text
    assert "1 board cannot be taken" in shown.text
    assert "pbn.score" in shown.text
    assert ledger_of(empty).store.last_position() == 0
    kept = re.search(r'name="kept" value="([^"]+)"', shown.text)
    assert kept
    stored = empty.test_client().post("/boards/import", data={"kept": kept[1], "store": "yes"})
    assert stored.status_code == 303
    assert len(ledger_of(empty).matches()) == 2


def test_the_page_for_spreadsheets_knows_boards_too(empty: Flask) -> None:
    shown = sent(empty, BOARDS, "/evenings/import", "evening.txt")
    assert "Store these 2 boards" in shown.text


def test_without_a_file_the_page_says_what_to_do(empty: Flask) -> None:
    assert "Choose a file first." in empty.test_client().post("/boards/import").text
    assert empty.test_client().get("/boards/import").status_code == 200
