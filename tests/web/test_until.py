"""A page that is asked to stop at an event knows nothing of what came later."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger_web.app import ledger_of
from tests.conftest import EVERYDAY

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

VIEWS = ("all", "spectator", "0", "2")
_OF_REQUEST = re.compile(rb'nonce[=-]"?[\w-]+|"request_id": "[\w-]+"')


def asked(client: FlaskClient, match: str, until: int) -> dict[str, bytes]:
    """Return all that is told of a match up to an event."""
    addresses = [f"/api/v1/matches/{match}/hands/1/replay?until={until}&view={view}" for view in VIEWS]
    for at in (1, until):
        page = f"/matches/{match}/replay/{at}?until={until}"
        addresses += [f"{page}&view={view}{embed}" for view in VIEWS for embed in ("", "&embed=1")]
        addresses += [f"{page.replace('?', '/what-if?')}&line=pass.0"]
    addresses += [f"/matches/{match}/audit?until={until}&show={show}" for show in ("all", "broken", "corrections")]
    addresses += [f"/api/v1/matches/{match}/audit?at={until}"]
    addresses += [f"/matches/{match}/hands/1/positions?until={until}&view={view}" for view in VIEWS]
    found = {}
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200 or "embed" in address, (address, answer.text)
        found[address] = _OF_REQUEST.sub(b"", answer.data)
    return found


@pytest.mark.parametrize("game", EVERYDAY)
def test_nothing_from_the_future_is_sent_to_a_page_that_stops_at_an_event(game: str, empty: Flask) -> None:
    """Up to the byte, what is told of the match until then is what was told when nothing more had happened."""
    ledger, client = ledger_of(empty), empty.test_client()
    n = 3 if game == "diamonds-draw" else 4
    events = simulate(game, n, Random(3), ["cautious"], max_hands=2)
    stops = [len(events) // 3, len(events) // 2]
    match = ledger.record(None, events[: stops[0]], 0).match
    told = {stops[0]: asked(client, match, stops[0])}
    ledger.record(match, events[stops[0] : stops[1]], stops[0])
    told[stops[1]] = asked(client, match, stops[1])
    ledger.record(match, events[stops[1] :], stops[1])
    for stop, before in told.items():
        after = asked(client, match, stop)
        embedded = {address for address in before if "embed" in address}  # what all may see changes when a hand is over
        assert [one for one in before if one not in embedded and before[one] != after[one]] == []


def test_the_links_of_such_a_page_stop_there_too(empty: Flask) -> None:
    events = simulate("ruff", 4, Random(1), ["cautious"], max_hands=2)
    match = ledger_of(empty).record(None, events, 0).match
    page = empty.test_client().get(f"/matches/{match}/replay/5?until=20").text
    links = [
        *re.findall(rf'(?:href|data-positions|data-tried)="(/(?:api/v1/)?matches/{match}/(?:replay|hands)[^"]*)"', page)
    ]
    assert len(links) > 10
    trail = empty.test_client().get(f"/matches/{match}/audit?until=20").text
    links += re.findall(rf'href="(/matches/{match}/(?:audit|replay)[^"]*)"', trail)
    away = [link for link in links if "until=20" not in link and ".png" not in link]
    assert len(away) == 1, "only the link that shows all of it leads on"


def test_an_event_that_is_not_there_is_said(empty: Flask) -> None:
    events = simulate("ruff", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    client = empty.test_client()
    assert client.get(f"/matches/{match}/replay/3?until=2").status_code == 404
    assert client.get(f"/matches/{match}/replay/3?until=x").status_code == 404
    told = client.get(f"/api/v1/matches/{match}/hands/1/replay?until=9999")
    assert (told.status_code, told.json["code"]) == (404, "store.unknown")
