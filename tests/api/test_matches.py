"""The resource of matches: newest first, page by page, and each with its replay result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_web.app import ledger_of
from tests.web.club import HOSTILE, SAMPLES, opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

EXPECTED = [
    json.loads(line) for path in sorted(SAMPLES.glob("*.expected.json")) for line in path.read_text().splitlines()
]


def ids(client: FlaskClient, **query: object) -> list[str]:
    return [match["id"] for match in client.get("/api/v1/matches", query_string=query).json["matches"]]


def test_every_match_carries_the_replay_result_of_its_file(client: FlaskClient) -> None:
    shown = [client.get(f"/api/v1/matches/{id}").json["result"] for id in reversed(ids(client))]
    assert shown[:-1] == EXPECTED


def test_a_match_is_its_row_and_its_result(client: FlaskClient) -> None:
    row = client.get("/api/v1/matches").json["matches"][0]
    whole = client.get(f"/api/v1/matches/{row['id']}").json
    assert whole.pop("result")["players"] == list(HOSTILE)
    assert whole == row
    assert len(row["hash"]) == 64
    assert row["table"] == "</bdi></span>"


def test_an_empty_ledger_has_an_empty_list(empty: Flask) -> None:
    assert empty.test_client().get("/api/v1/matches").json == {"matches": [], "next": None}


@pytest.mark.parametrize("limit", [1, 5, 24, 200])
def test_pages_follow_one_another_without_gap_or_repetition(client: FlaskClient, limit: int) -> None:
    everything = ids(client, limit=200)
    seen: list[str] = []
    query: dict[str, object] = {"limit": limit}
    while query.get("after", True) is not None:
        page = client.get("/api/v1/matches", query_string=query).json
        assert len(page["matches"]) <= limit
        seen += [match["id"] for match in page["matches"]]
        query["after"] = page["next"]
    assert seen == everything
    assert len(seen) == len(EXPECTED) + 1


def test_a_page_stays_the_same_while_matches_are_recorded(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    first, second = (ledger.record(None, [opened()], 0).match for _ in range(2))
    page = client.get("/api/v1/matches?limit=1").json
    ledger.record(None, [opened()], 0)
    assert [match["id"] for match in page["matches"]] == [second]
    assert ids(client, limit=1, after=page["next"]) == [first]


def test_matches_are_found_by_game_and_player(client: FlaskClient) -> None:
    found = client.get("/api/v1/matches?game=ruff&player=dev").json["matches"]
    assert found
    assert all(match["game"] == "ruff" and "dev" in match["players"] for match in found)
    assert ids(client, player=HOSTILE[1]) == ids(client, limit=1)
    assert ids(client, player="nobody") == []


def test_a_match_without_a_deal_is_found_by_its_players(empty: Flask) -> None:
    match = ledger_of(empty).record(None, [opened()], 0).match
    assert ids(empty.test_client(), player="c") == [match]
    assert ids(empty.test_client(), player="e") == []


def test_events_of_another_process_are_visible_at_once(empty: Flask) -> None:
    other = Ledger(ledger_of(empty).store.file.path)
    try:
        match = other.record(None, [opened()], 0).match
    finally:
        other.close()
    assert ids(empty.test_client()) == [match]


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ({"status": "ended"}, lambda match: match["status"] == "ended"),
        ({"policy": "record"}, lambda match: match["policy"] == "record"),
        ({"violations": "true"}, lambda match: match["violations"] > 0),
        ({"violations": "false"}, lambda match: match["violations"] == 0),
        ({"since": "2026-10-01"}, lambda match: match["date"] >= "2026-10-01"),
        ({"until": "2026-09-30"}, lambda match: match["date"] <= "2026-09-30"),
        ({"event": "Autumn club night"}, lambda match: match["event"] == "Autumn club night"),
        (
            {"game": "ruff", "status": "complete"},
            lambda match: (match["game"], match["status"]) == ("ruff", "complete"),
        ),
    ],
)
def test_matches_are_found_by_every_filter(client: FlaskClient, query: dict[str, str], fits: Any) -> None:
    everything = client.get("/api/v1/matches?limit=200").json["matches"]
    assert ids(client, limit=200, **query) == [match["id"] for match in everything if fits(match)]


@pytest.mark.parametrize("query", ["since=yesterday", "status=lost", "policy=lax", "violations=some"])
def test_a_filter_that_makes_no_sense_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/v1/matches?{query}").status_code == 400


def test_the_matches_of_a_player_are_filtered_by_table_seat_rank_opponent_and_partner(client: FlaskClient) -> None:
    everything = client.get("/api/v1/matches?limit=200&player=ben").json["matches"]
    assert everything

    def expected(keep: Callable[[dict[str, Any], int], bool]) -> list[str]:
        return [row["id"] for row in everything if row["status"] != "void" and keep(row, row["players"].index("ben"))]

    def side(row: dict[str, Any], seat: int) -> list[int]:
        return next((seats for seats in row["sides"] if seat in seats), [seat])

    assert ids(client, limit=200, player="ben", seats=4) == [
        row["id"] for row in everything if len(row["players"]) == 4
    ]
    assert ids(client, limit=200, player="ben", seat=1) == expected(lambda _, seat: seat == 1) != []
    won = expected(lambda row, seat: seat in row["winners"])
    assert ids(client, limit=200, player="ben", rank=1) == won != []
    assert ids(client, limit=200, player="ben", rank=0) == expected(lambda row, _: row["status"] != "complete") != []
    for name, together in (("partner", True), ("against", False)):
        for other in ("ana", "chloe", "dev"):
            assert ids(client, limit=200, player="ben", **{name: other}) == expected(
                lambda row, seat, other=other, together=together: (
                    other in row["players"] and (row["players"].index(other) in side(row, seat)) is together
                )
            )
    assert ids(client, limit=200, player="ben", partner="ben") == []
    assert client.get("/api/v1/matches?player=ben&seat=1&total=true").json["total"] == len(
        ids(client, limit=200, player="ben", seat=1)
    )


def test_a_filter_about_a_player_is_about_any_player_without_one(client: FlaskClient) -> None:
    whole = [row for row in client.get("/api/v1/matches?limit=200").json["matches"] if row["status"] != "void"]
    assert ids(client, limit=200, seat=4) == [row["id"] for row in whole if len(row["players"]) > 4] != []
    assert ids(client, limit=200, rank=0) == [row["id"] for row in whole if row["status"] != "complete"]
    played = [row for row in whole if "ben" in row["players"]]
    assert ids(client, limit=200, against="ben") == [row["id"] for row in played]
    assert ids(client, limit=200, partner="ben") == [row["id"] for row in played if row["sides"]] != []
