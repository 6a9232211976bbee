"""The resource of people: admins merge and name players, with a condition, and every answer reflects it at once."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.bots.simulation import simulate
from tests.api.recording import opened

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

MERGE = {"type": "merge", "player": "ann", "into": "ana"}


@pytest.fixture
def club(empty: Flask) -> FlaskClient:
    """An admin of a ledger in which `ana` and `ann` played once each."""
    client = empty.test_client()
    for players in (("ana", "ben", "chloe", "dev"), ("ann", "ben", "eva", "dev")):
        opened(
            client, list(simulate("diversity", 4, Random(1), ["random"], {"hands": 1}, players=players, max_hands=1))
        )
    return client


def tell(client: FlaskClient, *events: dict[str, Any], seq: object = "*") -> TestResponse:
    return client.post("/api/v1/people", json={"events": events}, headers={"If-Match": str(seq)})


def test_a_merge_is_reflected_in_players_matches_and_hands(club: FlaskClient) -> None:
    answer = tell(club, MERGE, {"type": "name", "player": "ana", "name": "Ana Lima"})
    assert answer.status_code == 200, answer.text
    assert answer.json["people"] == [{"id": "ana", "name": "Ana Lima", "ids": ["ana", "ann"]}]
    for id in ("ana", "ann"):
        told = club.get(f"/api/v1/players/{id}").json
        assert (told["id"], told["name"], told["ids"], told["matches"]) == ("ana", "Ana Lima", ["ana", "ann"], 2)
        assert len(club.get(f"/api/v1/matches?player={id}").json["matches"]) == 2
        assert len(club.get(f"/api/v1/hands?player={id}").json["hands"]) == 2
    assert "ann" not in [player["id"] for player in club.get("/api/v1/players").json["players"]]


def test_a_split_takes_it_back(club: FlaskClient) -> None:
    before = club.get("/api/v1/players").json
    tell(club, MERGE)
    tell(club, {"type": "split", "player": "ann", "reason": "two people after all"})
    assert club.get("/api/v1/players").json == before


def test_every_change_is_listed_with_its_author_and_time(club: FlaskClient) -> None:
    tell(club, MERGE)
    (event,) = club.get("/api/v1/people").json["events"]
    assert event["seq"] == 1
    assert event["by"] == "admin"
    assert {"id", "at"} <= event.keys()


def test_a_change_without_a_condition_is_refused(club: FlaskClient) -> None:
    assert club.post("/api/v1/people", json={"events": [MERGE]}).status_code == 428


def test_a_change_based_on_old_data_is_refused_with_the_current_state(club: FlaskClient) -> None:
    tag = club.get("/api/v1/people").headers["ETag"]
    assert tell(club, MERGE, seq=tag).status_code == 200
    late = tell(club, {"type": "name", "player": "ben", "name": "Ben"}, seq=tag)
    assert (late.status_code, late.json["code"], late.json["current"]) == (412, "store.conflict", 1)
    assert late.headers["ETag"] == '"1"'


@pytest.mark.parametrize(
    ("event", "status", "code"),
    [
        ({"type": "merge", "player": "ana", "into": "ben"}, 422, "people.table"),
        ({"type": "merge", "player": "ana", "into": "nobody"}, 422, "people.unknown"),
        ({"type": "name", "player": "ana"}, 400, "format.value"),
        ({"type": "marry", "player": "ana", "into": "ben"}, 400, "format.value"),
        ({"type": "name", "player": "ana", "name": "Ana", "age": 3}, 400, "format.value"),
        ("ana", 400, "format.value"),
    ],
)
def test_the_wrong_change_is_named_by_its_index(club: FlaskClient, event: Any, status: int, code: str) -> None:
    answer = tell(club, MERGE, event)
    assert (answer.status_code, answer.json["code"], answer.json["index"]) == (status, code, 1)
    assert club.get("/api/v1/people").json["seq"] == 0


def test_the_stream_of_people_is_not_a_match(club: FlaskClient) -> None:
    tell(club, MERGE)
    for path in ("", "/events", "/table", "/audit"):
        assert club.get(f"/api/v1/matches/people{path}").status_code == 404


def erased(client: FlaskClient, player: str) -> TestResponse:
    return client.post("/api/v1/people/erasures", json={"player": player})


def test_what_goes_and_what_stays_is_told_before(club: FlaskClient) -> None:
    opening = {"type": "open", "game": "ruff", "players": [*"wxyz"], "event": "ANA's cup", "place": "Chez Nanny"}
    opened = club.post("/api/v1/matches", json={"events": [opening, {"type": "note", "text": "the Lima house"}]})
    assert opened.status_code == 201, opened.text
    tell(club, MERGE, {"type": "name", "player": "ana", "name": "Ana Lima"})
    asked = {"player": "ann", "also": ["Nanny"]}
    seen = club.post("/api/v1/people/erasures/examined", json=asked)
    assert seen.json == {
        "ids": ["ana", "ann"], "names": ["Ana Lima"], "numbers": [], "texts": 0, "labels": ["ANA's cup", "Chez Nanny"],
        "beside": [], "stays": ["a text with a part of the name: 'the Lima house'"],
    }  # fmt: skip
    assert club.get("/api/v1/people").json["seq"] == 2, "nothing is changed"
    assert club.post("/api/v1/people/erasures", json=asked).json["stays"] == seen.json["stays"]
    text = club.get("/api/v1/matches").text
    assert "Nanny" not in text
    assert "cup" not in text


def test_a_person_is_erased_and_all_other_data_stays(club: FlaskClient) -> None:
    tell(club, MERGE, {"type": "name", "player": "ana", "name": "Ana Lima"})
    hands = club.get("/api/v1/hands").json
    answer = erased(club, "ann")
    assert answer.status_code == 200, answer.text
    left, name = answer.json["id"], answer.json["name"]
    assert answer.json == {
        "id": left,
        "name": f"erased player {left[1:5]}",
        "ids": 2,
        "names": 1,
        "texts": 0,
        "stays": [],
    }
    told = club.get(f"/api/v1/players/{left}").json
    assert (told["name"], told["matches"], len(told["ids"])) == (name, 2, 2)
    for path in ("people", "players", "matches", "hands", "players/ben"):
        text = club.get(f"/api/v1/{path}").text
        assert "Ana Lima" not in text, path
        assert '"ana"' not in text, path
    for match in club.get("/api/v1/matches").json["matches"]:
        text = club.get(f"/api/v1/matches/{match['id']}/events").text
        assert '"ana"' not in text
        assert '"ann"' not in text
        assert '"players":["~' in text
    again = club.get("/api/v1/hands").json
    assert str(again).replace(left, "ana").replace(told["ids"][1], "ann") == str(hands)
    assert club.get("/api/v1/players/ana").status_code == 404
    (event,) = [event for event in club.get("/api/v1/people").json["events"] if event["type"] == "erase"]
    assert event["player"] == left


@pytest.mark.parametrize(("player", "code"), [("nobody", "people.unknown"), ("~" + "A" * 26, "people.unknown")])
def test_a_refused_erasure_has_a_code(club: FlaskClient, player: str, code: str) -> None:
    answer = erased(club, player)
    assert (answer.status_code, answer.json["code"]) == (422, code)


def test_nobody_is_erased_twice(club: FlaskClient) -> None:
    left = erased(club, "ana").json["id"]
    assert erased(club, left).json["code"] == "people.erased"
    assert erased(club, "ana").json["code"] == "people.unknown"


def test_an_erasure_is_not_listed_like_other_changes(club: FlaskClient) -> None:
    answer = tell(club, {"type": "erase", "player": "ana", "names": []})
    assert (answer.status_code, answer.json["code"]) == (400, "format.value")
