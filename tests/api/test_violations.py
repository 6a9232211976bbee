"""Violations across matches: found by game, player and rule, page by page; those of a hand under way stay with scorers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from tests.api.recording import as_role, match_of, opened
from tests.tables import opening

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

PATH = "/api/v1/violations"


def pages(client: FlaskClient, **query: object) -> list[dict[str, object]]:
    seen: list[dict[str, object]] = []
    while True:
        page = client.get(PATH, query_string=query).json
        seen += page["violations"]
        if page["next"] is None:
            return seen
        query["after"] = page["next"]


@pytest.mark.parametrize("limit", [1, 3, 200])
def test_every_violation_of_every_result_is_listed_once(client: FlaskClient, limit: int) -> None:
    expected = []
    for match in client.get("/api/v1/matches?limit=200").json["matches"]:
        result = client.get(f"/api/v1/matches/{match['id']}").json["result"]
        expected += [
            (match["id"], found["seq"], found["seat"], result["players"][found["seat"]], found["rule"], found["legal"])
            for found in result["violations"]
        ]
    keys = ("match", "seq", "seat", "player", "rule", "legal")
    assert [tuple(found[key] for key in keys) for found in pages(client, limit=limit)] == expected
    assert len(expected) > 5


def test_violations_are_found_by_game_player_and_rule(client: FlaskClient) -> None:
    everything = pages(client)
    for key in ("game", "player", "rule"):
        for value in {found[key] for found in everything}:
            assert pages(client, **{key: value}) == [found for found in everything if found[key] == value]  # type: ignore[misc]
    assert pages(client, rule="nothing") == []
    assert client.get(f"{PATH}?game=skat").status_code == 400


@pytest.mark.parametrize("cursor", ["x", "1", "1-", "-1", "1-2-3", "99999999999999999999-1"])
def test_an_invalid_cursor_is_refused(client: FlaskClient, cursor: str) -> None:
    answer = client.get(PATH, query_string={"after": cursor})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "format.value")


def test_a_revoke_in_the_hand_under_way_is_known_to_scorers_only(empty: Flask) -> None:
    client, reader = empty.test_client(), as_role(empty, "reader")
    deal = match_of("ruff", hands=1)[1]
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    assert deal.dealer is not None
    lead, follow = ((deal.dealer + i) % 3 for i in (1, 2))
    led = next(card for card in deal.hands[lead] if any(other[1] == card[1] for other in deal.hands[follow]))
    wrong = next(card for card in deal.hands[follow] if card[1] != led[1])
    plays = [ev.Play(seat=lead, card=led), ev.Play(seat=follow, card=wrong)]
    match = opened(client, [opening("ruff", 3, "record"), deal, *plays])
    assert len(pages(client)) == 1
    assert pages(reader) == []
    assert reader.get(f"/api/v1/matches/{match}").json["result"]["violations"] == []
    score = {"events": [{"type": "score", "scores": [5, 5, 5]}]}
    client.post(f"/api/v1/matches/{match}/events", json=score, headers={"If-Match": "*"})
    assert pages(reader) == pages(client)
    assert len(reader.get(f"/api/v1/matches/{match}").json["result"]["violations"]) == 1
