"""Every file that is sent is read apart: a reader that never ends costs a refusal, and nothing of the file is stored."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from cardledger_web.app import ledger_of
from tests.apart import endless, never
from tests.bridge_files.made import pbn

if TYPE_CHECKING:
    from flask import Flask

HERE = {"Sec-Fetch-Site": "same-origin"}
FILE = pbn().encode()


@pytest.mark.parametrize(
    ("reader", "path", "sent"),
    [
        ("read_file_of_matches", "/api/v1/import?keep_going=true", {"data": FILE, "content_type": "text/plain"}),
        ("read_file_of_matches", "/api/v1/import", {"data": b'{"type":"open"}\n', "content_type": "application/x-ndjson"}),
        ("problems_of_boards", "/api/v1/import", {"data": FILE, "content_type": "text/plain"}),
        ("papers_in", "/api/v1/sessions/import", {"data": b"player,1\n", "content_type": "text/csv"}),
        ("papers_in", "/evenings/import", {"data": {"file": (io.BytesIO(b"player,1\n"), "a.csv")}, "headers": HERE}),
        ("read_file_of_matches", "/boards/import", {"data": {"file": (io.BytesIO(FILE), "a.pbn")}, "headers": HERE}),
    ],
)  # fmt: skip
def test_a_file_that_is_read_for_ever_is_refused(
    empty: Flask, monkeypatch: pytest.MonkeyPatch, reader: str, path: str, sent: dict[str, object]
) -> None:
    monkeypatch.setattr(f"cardledger_api.http.uploads.{reader}", endless if reader == "read_file_of_matches" else never)
    monkeypatch.setattr("cardledger_api.http.uploads.SECONDS", 0.1)
    answer = empty.test_client().post(path, **sent)
    assert answer.status_code in (200, 400, 422)
    assert "more time" in answer.text
    assert not ledger_of(empty).matches()
