"""Whole evenings by the API alone: opened, played, corrected after the ranking was published, closed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.api.recording import as_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"
FRIENDS = ["Ada", "Benno", "Cleo", "Dora", "Emil", "Frieda", "Gustav", "Hanna"]
PAIRS = [(f"{letter}a Quill", f"{letter}b Quill") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ@&"]
Json = dict[str, Any]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application with an empty ledger."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def scorer(app: Flask) -> FlaskClient:
    return as_role(app, "scorer")


def ask(client: FlaskClient, path: str, body: Json | None = None, status: int | None = None, **headers: str) -> Any:
    """Return the answer to a question, or to a body that is sent."""
    answer = client.get(API + path) if body is None else client.post(API + path, json=body, headers=headers)
    assert answer.status_code == (status or (200 if body is None else 201)), (path, answer.text)
    return answer.json


def opened(client: FlaskClient, *events: Json, **keys: Any) -> str:
    """Open an evening of a new club; return its address."""
    club = ask(client, "/clubs", {"events": [{"type": "club", "name": "Quill"}]})["evening"]
    session = {"type": "session", "club": club, "name": "Friday", "date": "2026-01-09", "unit": "player"}
    return f"/sessions/{ask(client, '/sessions', {'events': [session | keys, *events]})['evening']}"


def add(client: FlaskClient, path: str, *events: Json) -> Any:
    """Append events to an evening or a match, as a program that has read it just now."""
    return ask(client, f"{path}/events", {"events": events}, **{"If-Match": "*"})


def written(client: FlaskClient, match: str, line: str) -> None:
    """Record a hand that is written on one line, if nobody recorded another since it was read."""
    read = client.get(f"{API}/matches/{match}/line", query_string={"text": line})
    assert read.status_code == 200, read.text
    tag = {"If-Match": read.headers["ETag"]}
    ask(client, f"/matches/{match}/events", {"events": read.json["events"]}, **tag)
    again = client.post(f"{API}/matches/{match}/events", json={"events": read.json["events"]}, headers=tag)
    assert again.status_code in (409, 412), "the second of two phones is told"


def next_round(client: FlaskClient, at: str, round: int) -> list[Json]:
    """Open the tables of a round as they are proposed; return them, each with its match."""
    proposed = ask(client, f"{at}/round")
    assert proposed["round"] == round
    made = ask(client, f"{at}/round", {"round": round})["tables"]
    return [table | {"match": one["match"]} for table, one in zip(proposed["tables"], made, strict=True)]


def ranking(client: FlaskClient, at: str) -> dict[str, int]:
    """Return the totals of a ranking by player, or by the first of a pair."""
    return {row["players"][0]: int(row["total"]) for row in ask(client, f"{at}/ranking")["ranking"]}


def test_friends_play_hearts_at_two_tables(scorer: FlaskClient) -> None:
    arrivals = ({"type": "arrive", "player": player} for player in FRIENDS)
    at = opened(scorer, *arrivals, game="hearts", scoring={"kind": "total", "decimals": 0})
    totals = dict.fromkeys(FRIENDS, 0)
    for round in (1, 2):
        tables = next_round(scorer, at, round)
        assert [len(table["players"]) for table in tables] == [4, 4]
        for table in tables:
            for points in ((0, 13, 8, 5), (26, 26, 0, 26)):
                written(scorer, table["match"], " ".join(map(str, points[:3])) + " -")
                for player, own in zip(table["players"], points, strict=True):
                    totals[player] += own
            add(scorer, f"/matches/{table['match']}", {"type": "end", "reason": "it is late"})
    assert ranking(scorer, at) == totals
    ask(scorer, f"{at}/publication", {})
    add(scorer, at, {"type": "close"})
    assert scorer.post(f"{API}{at}/round", json={"round": 3}).json["code"] == "session.phase"

    match, players = table["match"], table["players"]
    wrong = next(e for e in ask(scorer, f"/matches/{match}/events")["events"] if e["type"] == "score")
    right = {"type": "score", "scores": [13, 0, 8, 5]}
    add(
        scorer,
        f"/matches/{match}",
        {"type": "amend", "about": wrong["seq"], "event": right, "reason": "as on the sheet"},
    )
    totals[players[0]] += 13
    totals[players[1]] -= 13
    assert ranking(scorer, at) == totals
    told = ask(scorer, f"{at}/ranking")
    assert {player for row in told["differences"] for player in row["players"]} >= {*players[:2]}
    assert {event["reason"] for row in told["differences"] for event in row["events"]} == {"as on the sheet"}


@pytest.mark.long
def test_28_pairs_play_in_two_sections(scorer: FlaskClient) -> None:
    chance, pairs = Random(28), [*enumerate(PAIRS, 1)]
    entries = [{"type": "entry", "number": number, "players": [*pair]} for number, pair in pairs]
    arrivals = [{"type": "arrive", "player": player} for pair in PAIRS for player in pair]
    at = opened(scorer, *arrivals, *entries, game="bridge", unit="pair", scoring={"kind": "matchpoints"})
    proposed = ask(scorer, f"{at}/movements?minutes=180&rank=section")["movements"]
    chosen = next(each for each in proposed if each["name"] == "2-sections-howell")
    add(scorer, at, *chosen["events"])
    for round in range(1, 14):
        tables = next_round(scorer, at, round)
        assert len(tables) == 14
        for table in tables:
            for _ in table["boards"]:
                written(scorer, table["match"], f"3NT {chance.choice('NESW')} {chance.randint(7, 11)}")
    assert scorer.post(f"{API}{at}/round", json={"round": 14}).status_code == 422
    ask(scorer, f"{at}/publication", {})
    add(scorer, at, {"type": "close"})

    rows = ask(scorer, f"{at}/ranking")["ranking"]
    assert {row["section"] for row in rows} == {"A", "B"}
    assert [sum(row["section"] == section for row in rows) for section in "AB"] == [14, 14]
    assert all(1 <= int(str(row["place"]).rstrip("=")) <= 14 for row in rows)
    boards = ask(scorer, f"{at}/travellers")["boards"]
    assert [len(board["lines"]) for board in boards] == [14] * 26, "all play the same boards"
    card = ask(scorer, f"{at}/cards/28")
    assert len(card["lines"]) == 26
