"""The page of what a seat can know: as visible as that seat's view, and the same as the API counts."""

from __future__ import annotations

import re
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


def test_a_reader_sees_it_after_the_hand_and_a_scorer_at_once(app: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(app).record(None, events[:20], 0).match
    page = f"/matches/{match}/replay/12/knowledge?seat=2"
    assert app.test_client().get(page).status_code == 403
    told = as_role(app, "scorer").get(page).text
    ledger_of(app).record(match, events[20:], 20)
    shown = app.test_client().get(page).text
    assert re.findall("<table class=.shares.*</table>", shown, re.DOTALL) == re.findall(
        "<table class=.shares.*</table>", told, re.DOTALL
    )
    found = app.test_client().get(f"/api/v1/matches/{match}/knowledge?seat=2&at=12").json
    assert f"{int(found['deals']):,} deals fit" in shown


@pytest.mark.parametrize("game", ["whist", "diamonds-draw", "poison-hearts", "hecto-diversity"])
def test_every_card_still_out_is_there_and_every_event_that_told_something(app: Flask, game: str) -> None:
    match = ledger_of(app).record(None, simulate(game, 4, Random(4), ["random"], max_hands=1), 0).match
    client = app.test_client()
    last = client.get(f"/api/v1/matches/{match}").json["seq"]
    for at in range(2, last, 9):
        asked = client.get(f"/api/v1/matches/{match}/knowledge?seat=1&at={at}")
        page = client.get(f"/matches/{match}/replay/{at}/knowledge?seat=1")
        assert page.status_code == asked.status_code
        if page.status_code == 200:
            for each in asked.json["denials"]:
                assert f"/replay/{each['seq']}?view=1" in page.text
            assert ("knows where every card is" in page.text) == (not asked.json["unseen"])


def test_the_replayer_leads_there_from_the_view_of_a_seat_and_from_no_other(app: Flask) -> None:
    match = ledger_of(app).record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match
    client = app.test_client()
    assert f"/matches/{match}/replay/12/knowledge?seat=2" in client.get(f"/matches/{match}/replay/12?view=2").text
    for query in ("?view=all", "?view=spectator", "?view=2&embed=1", ""):
        assert "/knowledge" not in client.get(f"/matches/{match}/replay/12{query}").text
    assert client.get(f"/matches/{match}/replay/9999/knowledge?seat=2").status_code in (404, 422)
    assert client.get(f"/matches/{match}/replay/12/knowledge?seat=9").status_code == 422
    assert client.get(f"/matches/{match}/replay/12/knowledge").status_code == 400
    assert client.get(f"/matches/{match}/replay/12/knowledge?seat=x").status_code == 400
