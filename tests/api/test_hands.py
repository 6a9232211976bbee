"""The search of hands: each filter lets through exactly the hands it says, as counted from the replay results."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.matches.replay import result
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger_web.app import ledger_of
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

Hand = dict[str, Any]


@pytest.fixture(scope="module")
def hands(app: Flask) -> list[Hand]:
    """Every hand of the club's ledger, newest first, from the replay results."""
    ledger = ledger_of(app)
    found = []
    for match in reversed(ledger.matches()):
        stream = ledger.stream(match)
        told, table = result(stream.table), stream.table
        for hand, state in reversed([*zip(told["hands"], table.hands, strict=True)]):
            found.append(
                {
                    "match": match, "hand": hand["number"], "game": told["game"], "players": told["players"],
                    "date": table.opening.date or str(table.opening.at)[:10], "scores": hand["scores"],
                    "rules": {trick["rule"] for trick in hand["tricks"]}, "first": state.first, "last": state.last,
                    "ended_by": None if not hand["complete"] else "score" if hand.get("agreed")
                    else "claim" if hand.get("claimed") else "play",
                    "violations": [
                        (violation["seq"], violation["seat"], violation["rule"]) for violation in told["violations"]
                        if state.first <= violation["seq"] <= (state.last or 10**9)
                    ],
                }
            )  # fmt: skip
    return found


def found(client: FlaskClient, **query: object) -> list[tuple[str, int]]:
    """Return what a search finds, page by page."""
    pairs = []
    while query.get("after", True) is not None:
        answer = client.get("/api/v1/hands", query_string=query)
        assert answer.status_code == 200, answer.text
        pairs += [(hand["match"], hand["hand"]) for hand in answer.json["hands"]]
        query["after"] = answer.json["next"]
    return pairs


def scored(hand: Hand, player: str | None, low: int, high: int) -> bool:
    """Tell whether a player, or anybody, has points within bounds."""
    return hand["scores"] is not None and any(
        low <= points <= high
        for name, points in zip(hand["players"], hand["scores"], strict=True)
        if player in (None, name)
    )


FILTERS: list[tuple[dict[str, object], Any]] = [
    ({}, lambda hand: True),
    ({"game": "ruff"}, lambda hand: hand["game"] == "ruff"),
    ({"player": "dev"}, lambda hand: "dev" in hand["players"]),
    ({"since": "2026-10-17"}, lambda hand: hand["date"] >= "2026-10-17"),
    ({"until": "2026-10-17"}, lambda hand: hand["date"] <= "2026-10-17"),
    ({"ended_by": "play"}, lambda hand: hand["ended_by"] == "play"),
    ({"ended_by": "claim"}, lambda hand: hand["ended_by"] == "claim"),
    ({"ended_by": "score"}, lambda hand: hand["ended_by"] == "score"),
    ({"score_min": 8}, lambda hand: scored(hand, None, 8, 10**9)),
    ({"score_min": -20, "score_max": -1}, lambda hand: scored(hand, None, -20, -1)),
    ({"player": "ana", "score_max": 2}, lambda hand: scored(hand, "ana", -(10**9), 2)),
    ({"rule": "trick.four-suits"}, lambda hand: "trick.four-suits" in hand["rules"]),
    ({"violation": "follow.suit"}, lambda hand: any(rule == "follow.suit" for _, _, rule in hand["violations"])),
    ({"violation": "follow.suit", "game": "diamonds-bid"}, lambda hand: hand["game"] == "diamonds-bid"
        and any(rule == "follow.suit" for _, _, rule in hand["violations"])),
    ({"rule": "nothing"}, lambda hand: False),
]  # fmt: skip


@pytest.mark.parametrize("query", [{}, {"player": "dev"}, {"violation": "follow.suit"}], ids=str)
def test_hands_are_counted_and_come_oldest_first_if_asked(client: FlaskClient, query: dict[str, object]) -> None:
    newest = found(client, limit=200, **query)
    assert found(client, limit=3, sort="oldest", **query) == newest[::-1]
    assert "total" not in client.get("/api/v1/hands", query_string=query).json
    for limit in (1, 200):
        told = client.get("/api/v1/hands", query_string={"limit": limit, "total": "true", **query}).json
        assert told["total"] == len(newest)


@pytest.mark.parametrize(("query", "wanted"), FILTERS, ids=[str(query) for query, _ in FILTERS])
@pytest.mark.parametrize("limit", [3, 200])
def test_a_search_finds_exactly_its_matches(
    client: FlaskClient, hands: list[Hand], query: dict[str, object], wanted: Any, limit: int
) -> None:
    assert found(client, limit=limit, **query) == [(hand["match"], hand["hand"]) for hand in hands if wanted(hand)]


def test_a_whole_hand_is_described(client: FlaskClient, hands: list[Hand]) -> None:
    shown = client.get("/api/v1/hands?limit=200").json["hands"]
    assert len(shown) > 50
    for hand, told in zip(hands, shown, strict=False):
        assert [seat["player"] for seat in told["seats"]] == hand["players"]
        assert [seat["score"] for seat in told["seats"]] == (hand["scores"] or [None] * len(hand["players"]))
        assert set(told["rules"]) == hand["rules"]
        assert (told["first_seq"], told["last_seq"], told["ended_by"]) == (
            hand["first"],
            hand["last"],
            hand["ended_by"],
        )
        assert [tuple(broken.values()) for broken in told["violations"]] == hand["violations"]
        assert told["hidden"] in (True, False)


@pytest.mark.parametrize(
    "query", ["after=1", "after=1.x", "score_min=1_0", "since=yesterday", "ended_by=rain", "game=skat", "limit=0"]
)
def test_a_wrong_question_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/v1/hands?{query}").status_code == 400


def test_one_hand_is_what_a_search_finds(client: FlaskClient) -> None:
    for found in client.get("/api/v1/hands?limit=5&game=diamonds-bid").json["hands"]:
        address = f"/api/v1/matches/{found['match']}/hands/{found['hand']}"
        assert client.get(address).json == found
        for number in (0, 99, 10**30):
            answer = client.get(f"/api/v1/matches/{found['match']}/hands/{number}")
            assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "store.unknown")


def test_violations_of_a_hand_under_way_are_for_scorers(empty: Flask) -> None:
    """An irregular event reveals the cards held."""
    opening, *events = simulate("diamonds-bid", 4, Random(1), ["random"], {}, max_hands=1)
    opening = ev.Open(game=opening.game, players=opening.players, policy="record")
    stream = Stream(opening)
    played = []
    for event in events:
        if isinstance(event, ev.Play):
            held = stream.table.pack.list(stream.table.hand.held[event.seat])
            legal = next(choice.cards for choice in stream.table.choices() if choice.type == "play")
            if wrong := sorted({*held} - {*legal}):
                break
        stream.append(event)
        played.append(event)
    ledger = ledger_of(empty)
    match = ledger.record(None, [opening, *played, ev.Play(seat=event.seat, card=wrong[0])], 0).match
    (violation,) = empty.test_client().get("/api/v1/hands").json["hands"][0]["violations"]
    query = f"/api/v1/hands?violation={violation['rule']}"
    assert len(empty.test_client().get(query).json["hands"]) == 1
    sign_in(empty, "reader")
    reader = empty.test_client()
    assert reader.get("/api/v1/hands").json["hands"][0]["violations"] == []
    assert reader.get(f"/api/v1/matches/{match}/hands/1").json["violations"] == []
    assert reader.get(query).json["hands"] == []


def test_hands_are_not_searched_by_a_count_that_no_game_has(client: FlaskClient) -> None:
    """It would be 0 in every hand; and a thousand of them are more than SQLite takes."""
    assert client.get("/api/v1/hands?where=void_suit:0").json["code"] == "store.unknown"
    names = (f"{one}{two}{three}" for one in "abcdefghij" for two in "abcdefghij" for three in "abcdefghij")
    assert client.get("/api/v1/hands?where=" + ",".join(f"{name}:1" for name in names)).status_code == 404


@pytest.mark.parametrize("sort", ["newest", "oldest"])
def test_a_rare_question_is_answered_in_parts_that_lead_on_to_every_hand(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    queries = [{"where": "points:10..", "sort": sort}, {"where": "void_suits:1..", "player": "ana", "sort": sort}]
    wanted = [found(client, limit=200, **query) for query in queries]
    assert all(wanted)
    monkeypatch.setattr("cardledger_api.resources.hands.LOOKED_AT", 2)
    assert client.get("/api/v1/hands?where=points:1000..").json["next"] is not None
    assert [found(client, limit=3, **query) for query in queries] == wanted
    assert "Older ones may." in client.get("/hands?where=points:1000..").text
