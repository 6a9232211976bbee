"""The API of matches, with evenings in the same ledger: lists leave them out, the live stream has their events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.evenings.evening_events import Club, EveningAmend, Member
from cardledger_api.http.streams import Topic
from cardledger_api.resources.live import LedgerFeed
from cardledger_web.app import ledger_of
from tests.evenings.night import made

if TYPE_CHECKING:
    from flask import Flask


@pytest.mark.parametrize("whole", [True, False])
def test_the_live_stream_has_the_events_of_evenings(empty: Flask, whole: bool) -> None:
    ledger = ledger_of(empty)
    night = made(ledger)
    feed, after, found = LedgerFeed(ledger), 0, []
    while news := feed.news(Topic(None, whole), after):
        found += [json.loads(each.data) for each in news]
        after = news[-1].number
    assert {each["match"] for each in found if "match" in each and "stream" not in each} == {*night.matches}
    evenings = [each for each in found if "stream" in each]
    assert {each["stream"] for each in evenings} == {night.club, night.session, night.league}
    assert next(each["type"] for each in evenings if each["stream"] == night.league) == "league"


@pytest.mark.parametrize("whole", [True, False])
def test_numbers_of_members_are_for_scorers(empty: Flask, whole: bool) -> None:
    evenings = ledger_of(empty).evenings
    club = evenings.record(
        None, [Club(name="Monday"), Member(player="ana", number="A-4711")], 0, "sam", as_written=False
    ).match
    evenings.record(
        club, [EveningAmend(about=2, event=Member(player="ana", number="A-4712"))], 2, "sam", as_written=False
    )
    news = "".join(each.data for each in LedgerFeed(ledger_of(empty)).news(Topic(None, whole), 0))
    assert ("A-4711" in news, "A-4712" in news, '"player":"ana"' in news) == (whole, whole, True)


def test_matches_and_pages_are_as_without_evenings(empty: Flask) -> None:
    night = made(ledger_of(empty))
    client = empty.test_client()
    listed = client.get("/api/v1/matches").get_json()
    assert {each["id"] for each in listed["matches"]} == {*night.matches}
    assert client.get(f"/api/v1/matches/{night.session}/events").status_code == 404
    assert client.get(f"/matches/{night.session}").status_code == 404
    for page in ("/", "/matches", "/integrity"):
        assert client.get(page).status_code == 200
