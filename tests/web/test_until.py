"""A page that is asked to stop at an event knows nothing of what came later."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
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


_SEAT_PAGES = ("?view=0", "?view=2", "?view=0&embed=1")


def test_a_seat_sees_a_hand_that_is_over_step_by_step_and_nothing_of_its_future(empty: Flask) -> None:
    """Two hands that went on in other ways are the same bytes up to where they part, in pages, frames and scripts."""
    ledger, client = ledger_of(empty), empty.test_client()
    events = simulate("hearts", 4, Random(3), ["cautious"], max_hands=2)
    ends = [seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Deal)][1] - 1
    at = ends - 8
    other = [*events[:at], ev.Claim(tricks=(2, 0, 0, 0))]
    told = []
    for line in (events, other):
        match = ledger.record(None, line[:at], 0).match
        ledger.record(match, line[at:], at)
        texts = [client.get(f"/matches/{match}/replay/{seq}{view}") for seq in (3, at) for view in _SEAT_PAGES]
        (address,) = {re.search(r'data-positions="([^"]+)"', one.text)[1].replace("&amp;", "&") for one in texts[-3:-2]}
        texts.append(client.get(address))
        assert {one.status_code for one in texts} == {200}
        told.append([_OF_REQUEST.sub(b"", one.data).replace(match.encode(), b"MATCH") for one in texts])
    assert told[0] == told[1]


def test_a_hand_shown_step_by_step_leads_on_to_its_end_and_to_the_next(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    events = simulate("hearts", 4, Random(3), ["cautious"], max_hands=2)
    match = ledger.record(None, events, 0).match
    first, second = (seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Deal))
    seq, path = first, f"/matches/{match}/replay/{first}/on/after?view=0"
    while path:
        answer = client.get(path, follow_redirects=True)
        came = int(re.search(r"/replay/(\d+)", answer.request.path)[1])
        assert came == seq + 1
        later = [int(one) for one in re.findall(r'data-seq="(\d+)"', answer.text) if int(one) > came]
        assert not later, "nothing that comes later is listed"
        seq = came
        found = re.search(r'data-go="after" aria-label="[^"]+" formaction="([^"]+)"', answer.text)
        path = found and f"{found[1]}?view=0"
    assert seq == second - 1
    following = client.get(f"/matches/{match}/replay/{seq}/on/hand?view=0")
    assert following.location == f"/matches/{match}/replay/{second}?view=0"
    last = client.get(f"/matches/{match}/replay/{first}/on/last?view=0&embed=1")
    assert last.location == f"/matches/{match}/replay/{second - 1}?view=0&embed=1"
    assert client.get(f"/matches/{match}/replay/{first}/on/nowhere").status_code == 404
    assert client.get(f"/matches/{match}/hands/1/positions?view=0&until=9&after=9&on=nowhere").status_code == 404
    news = client.get(f"/matches/{match}/hands/1/positions?view=0&until=9&after=9&on=after").json
    assert news["seq"] == 10 and len(news["positions"]) == 1
