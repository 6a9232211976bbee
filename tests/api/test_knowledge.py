"""What a seat can know, over HTTP: as visible as the view of that seat."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger_web.app import access_of, create_app, ledger_of
from tests.api.recording import as_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path / "club.db", open_reading=True)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def test_a_reader_is_told_after_the_hand_and_a_scorer_at_once(app: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(app).record(None, events[:20], 0).match
    address = f"/api/v1/matches/{match}/knowledge?seat=2&at=12"
    assert app.test_client().get(address).status_code == 403
    told = as_role(app, "scorer").get(address).json
    assert int(told["deals"]) > 1
    assert sum(told["sizes"]) == len(told["unseen"])
    assert all(abs(sum(one["shares"]) - 1) < 1e-9 for one in told["unseen"])
    ledger_of(app).record(match, events[20:], 20)
    assert app.test_client().get(address).json == told


def test_what_cannot_be_asked_is_said(app: Flask) -> None:
    match = ledger_of(app).record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match
    client = app.test_client()
    for query, code in (
        ("", "format.value"),
        ("seat=9", "table.range"),
        ("seat=1&at=9999", "table.range"),
        ("seat=0&at=1", "deal.hidden"),
    ):
        told = client.get(f"/api/v1/matches/{match}/knowledge?{query}")
        assert 400 <= told.status_code < 500, (query, told.text)
        assert code in told.text, (query, told.text)
