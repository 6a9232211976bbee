"""A bad request is told all its faults at once, each with its place."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.recording import OPENING, append, match_of, opened, plain

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

DEAL = {"type": "deal", "dealer": 0, "hands": None}
SESSION = {"type": "session", "club": None, "name": "Tuesday", "date": "2026-01-06", "game": "diversity", "unit": "player"}  # fmt: skip


def places(answer: TestResponse) -> list[str]:
    """Return where the faults of a refused request are."""
    assert answer.status_code == 400, answer.text
    problem = answer.get_json(force=True)
    assert problem["code"] == problem["errors"][0]["code"]
    return [fault.get("pointer") or fault["parameter"] for fault in problem["errors"]]


def test_an_address_is_told_all_its_wrong_arguments(client: FlaskClient) -> None:
    answer = client.get("/api/v1/matches?limit=0&since=yesterday&status=late&limt=5&game=skat&player=a&player=b")
    assert sorted(places(answer)) == ["game", "limit", "limt", "player", "since", "status"]
    assert places(client.get("/api/v1/me?a=1&b=2")) == ["a", "b"]
    errors = client.get("/api/v1/matches?game=skat&limit=0").get_json(force=True)["errors"]
    assert {fault["parameter"]: fault["code"] for fault in errors} == {"game": "format.game", "limit": "format.value"}


def test_every_event_of_a_body_is_told_all_its_faults(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client)
    wrong = [
        {"type": "play", "seat": "one", "crad": "TD"},
        DEAL,
        {"type": "bid", "seat": 1, "amount": None},
        {"type": "shuffle"},
        {"type": "amend", "about": 2, "event": {"type": "play", "seat": 0, "card": 7, "to": 1}},
        "play",
        {"type": "claim", "tricks": [1, 2, "three", 4]},
    ]
    answer = append(client, match, wrong, "*")
    assert [*places(answer)] == [
        "#/events/0/crad", "#/events/0/card", "#/events/0/seat", "#/events/2/amount", "#/events/3/type",
        "#/events/4/event/to", "#/events/4/event/card", "#/events/5", "#/events/6/tricks/2",
    ]  # fmt: skip
    problem = answer.get_json(force=True)
    assert (problem["index"], problem["code"], problem["detail"]) == (
        0, "format.key", "play has no key 'crad' (did you mean 'card'?)",
    )  # fmt: skip
    assert client.get(f"/api/v1/matches/{match}").json["seq"] == 1


def test_keys_that_do_not_go_together_are_a_fault_of_the_event(empty: Flask) -> None:
    client = empty.test_client()
    result = {"type": "result", "round": 1, "table": 1, "score": 50, "percent": 50}
    answer = client.post("/api/v1/sessions", json={"events": [SESSION | {"dat": 1, "date": 5}, result, OPENING]})
    assert {"#/events/0/dat", "#/events/0/date", "#/events/1", "#/events/2/type"} <= {*places(answer)}


def test_address_and_body_are_told_together(client: FlaskClient) -> None:
    answer = client.post("/api/v1/people?x=1", json={"events": [{"type": "name"}], "more": 1})
    found = places(answer)
    assert "x" in found and "#/more" in found
    assert len(found) > 2


def test_lines_are_told_by_their_place(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client)
    for lines, place in ((b'{"type":"note","text":1}\n{"type":"not"}\n', "#/events/0/text"), (b"{}\n{", "#/events/1")):
        answer = client.post(
            f"/api/v1/matches/{match}/events",
            data=lines,
            headers={"If-Match": "*", "Content-Type": "application/x-ndjson"},
        )
        assert places(answer)[0] == place
    assert places(client.post("/api/v1/matches", data="{", content_type="application/json")) == ["#"]


def test_an_answer_names_at_most_a_hundred_faults(empty: Flask) -> None:
    client = empty.test_client()
    answer = client.post("/api/v1/matches", json={"events": [{"type": "play", "x" * 50: 1}] * 5000})
    assert len(places(answer)) == 100
    assert len(answer.data) < 40_000
    answer = client.get("/api/v1/matches?" + "&".join(f"key{number}=1" for number in range(400)))
    assert len(places(answer)) == 100
    assert len(answer.get_json(force=True)["detail"]) < 1000


def leaf(body: Any, pointer: str) -> None:
    """Follow a pointer to its last step, which need not be there: a key may be missing."""
    *steps, _ = pointer.removeprefix("#/").split("/")
    for step in steps:
        body = body[int(step)] if isinstance(body, list) else body[step]
    assert isinstance(body, list | dict)


@pytest.mark.parametrize("game", ["bridge", "hecto-diversity"])
def test_whatever_is_broken_in_an_event_has_a_place_in_it(game: str, empty: Flask) -> None:
    client, rng = empty.test_client(), Random(game)
    events = plain(match_of(game, hands=1))
    refused = 0
    for event in events[:60]:
        broken = deepcopy(event)
        key = rng.choice([*broken])
        match rng.randrange(4):
            case 0:
                del broken[key]
            case 1:
                broken[key] = rng.choice([None, "?", [["x"]], {}, 1.5, -1])
            case 2:
                broken["other"] = 1
            case _:
                broken[key] = {"deep": [broken[key]]}
        answer = client.post("/api/v1/matches", json={"events": [events[0], broken]})
        if answer.status_code == 400 and "errors" in answer.get_json(force=True):
            refused += 1
            for place in places(answer):
                leaf(json.loads(json.dumps({"events": [events[0], broken]})), place)
    assert refused > 20
