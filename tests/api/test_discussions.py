"""What people say about a match, over HTTP: for those who may see the hand; scorers speak."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from cardledger.record.recording.discussions import comment
from cardledger.rules.bots.simulation import simulate
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_scopes import World, about, operations, pages, told, world

__all__ = ["world"]

if TYPE_CHECKING:
    from flask import Flask


def test_what_is_said_of_a_hand_is_for_those_who_may_see_it(empty: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events[:20], 0).match
    address, scorer, reader = f"/api/v1/matches/{match}/discussion", as_role(empty, "scorer"), as_role(empty, "reader")
    remark = {"event": 12, "author": "ana", "text": "North has the ace of spades"}
    assert reader.post(address, json=remark).status_code == 403
    said = scorer.post(address, json=remark)
    assert said.status_code == 201, said.text
    assert [one["text"] for one in said.json["said"]] == ["North has the ace of spades"]
    assert reader.get(address).json["said"] == []
    for feed in ("/api/v1/matches", "/api/v1/events", f"/api/v1/matches/{match}/events"):
        assert "ace of spades" not in reader.get(feed).text
    ledger_of(empty).record(match, events[20:], 20)
    assert reader.get(address).json == scorer.get(address).json == said.json


def test_lines_are_judged_kept_and_taken_back(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match
    address, client = f"/api/v1/matches/{match}/discussion", as_role(empty, "scorer")
    first = ledger.events(match)[2]
    move = f"play.{first.seat}.{first.card}"
    kept = client.post(address, json={"event": 2, "author": "ana", "moves": [move], "name": "As it was"})
    assert kept.status_code == 201, kept.text
    (one,) = kept.json["said"]
    assert (one["moves"], one["fits"], one["name"], one["hand"]) == ([move], True, "As it was", 1)
    for wanted, code in (
        ({"moves": [move, move]}, "table.turn"),
        ({"moves": ["sing"]}, "format.value"),
        ({"text": " "}, "format.value"),
        ({}, "format.value"),
        ({"event": 999, "text": "where?"}, "table.range"),
        ({"author": " ana", "text": "who?"}, "people.name"),
    ):
        refused = client.post(address, json={"event": 2, "author": "ana"} | wanted)
        assert 400 <= refused.status_code < 500, (wanted, refused.text)
        assert refused.json["code"] == code, (wanted, refused.text)
    assert len(client.get(address).json["said"]) == 1
    assert client.post(f"{address}/{one['number']}/withdrawal").json["said"] == []
    assert client.post(f"{address}/{one['number']}/withdrawal").status_code == 409


def test_no_address_tells_a_reader_what_was_said_of_a_hand_in_play(world: World) -> None:
    """Wherever a reader looks, in pages, the API, feeds and files: neither the words nor the moves."""
    ledger, (match, *_) = ledger_of(world.app), world.matches
    said, event = "xylophone says north has the ace", ledger.stream(match).seq
    comment(ledger, match, event, "ana", said, "test")
    world = world._replace(other=match)
    reader, scorer, seen = world.client("reader"), world.client("scorer"), 0
    addresses = [path for method, path, _ in operations(world.app) if method == "GET"]
    addresses += [path for _, path in pages(world.app, "GET")]
    addresses = [path for path in addresses if not re.search("/live|/events/stream", path)]  # these never end
    for path in [*addresses, f"/api/v1/matches/discussion-{match}/events"]:
        address = about(path, world)
        assert "xylophone" not in told(reader, address)[1], address
        seen += "xylophone" in told(scorer, address)[1]
    assert seen >= 3, "the scorer reads it on the page, the replay and over HTTP"
