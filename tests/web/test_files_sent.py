"""Files of every kind on the pages and over HTTP: taken, or told what they are and what takes them."""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING

import pytest

from cardledger_web.app import ledger_of
from tests.other_files import FILES, MATCH, PYTHON

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

EVERYDAY = ("match file: curly quotes", "CSV", "PDF", "text")
"""Kinds that are tried each time; all of them in a long run."""
PAGES = {"/boards/import": "matches", "/evenings/import": "sheets"}


def sent(app: Flask, page: str, content: bytes, **more: str) -> TestResponse:
    return app.test_client().post(page, data={"file": (io.BytesIO(content), "night"), **more})


@pytest.mark.parametrize(
    "kind", [kind if kind in EVERYDAY else pytest.param(kind, marks=pytest.mark.long) for kind in FILES]
)
def test_every_file_has_an_answer_at_every_door(empty: Flask, kind: str) -> None:
    file = FILES[kind]
    for page in PAGES:
        shown = html.unescape(sent(empty, page, file.content, date="2026-01-06", game="hearts").text)
        if file.reader in PAGES.values():
            assert "file.kind" not in shown
            assert "Store " in shown, page
        else:
            assert any(words in shown for words in file.said), page
        assert not any(word in shown.partition("<h1")[2] for word in ("codec", "Traceback", "Expecting"))
    for operation, reader in (("import", "matches"), ("sessions/import?dry_run=true", "sheets")):
        answer = sent(empty, f"/api/v1/{operation}", file.content)
        said = "".join(each["detail"] + each["code"] for each in answer.json["problems"])
        assert not any(word in said for word in PYTHON)
        if file.reader != reader:
            assert any(words in said for words in file.said), operation
            assert answer.status_code == (200 if reader == "sheets" else 400)
        else:
            assert "file.kind" not in said
            if reader == "matches":
                assert (answer.status_code, said) == (200, "")
                assert ("format.mended" in [each["code"] for each in answer.json["warnings"]]) == file.mended
    if file.reader != "matches":
        assert ledger_of(empty).store.last_position() == 0


def test_matches_of_any_game_are_shown_and_stored_from_the_page(empty: Flask) -> None:
    shown = sent(empty, "/evenings/import", MATCH.encode())
    assert "Store this match" in shown.text
    assert "<bdi>ben</bdi> 18" in shown.text
    kept = re.search(r'name="kept" value="([^"]+)"', shown.text)
    assert kept
    stored = empty.test_client().post("/boards/import", data={"kept": kept[1], "store": "yes"})
    assert (stored.status_code, stored.location) == (303, "/matches?game=hearts")
    assert len(ledger_of(empty).matches()) == 1
