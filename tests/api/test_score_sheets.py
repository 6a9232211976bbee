"""Points that cannot be: the API warns of them, records them, and lists the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.recording import OPENING, append

if TYPE_CHECKING:
    from flask import Flask

WHY = "a hand has 13 tricks, so its points add up to 13, not to 16"
DEAL = {"type": "deal", "dealer": 0, "hands": None}
SHEET = {"type": "score", "scores": [4, 4, 4, 4]}


def test_doubtful_points_are_recorded_with_a_warning(empty: Flask) -> None:
    client = empty.test_client()
    opened = client.post("/api/v1/matches", json={"events": [OPENING, DEAL]})
    assert opened.json["warnings"] == []
    match = opened.json["match"]
    recorded = append(client, match, [SHEET], 2)
    assert recorded.status_code == 201
    assert recorded.json["warnings"] == [{"code": "score.sum", "hand": 1, "seq": 3, "detail": WHY}]
    assert client.get(f"/api/v1/matches/{match}/table").json["totals"] == [4, 4, 4, 4]


def test_trying_an_event_gives_the_same_warning(empty: Flask) -> None:
    client = empty.test_client()
    match = client.post("/api/v1/matches", json={"events": [OPENING, DEAL]}).json["match"]
    for events, codes in (([SHEET], ["score.sum"]), ([{"type": "score", "scores": [1, 3, 4, 5]}], [])):
        tried = client.post(f"/api/v1/matches/{match}/what-if", json={"events": events})
        assert [warning["code"] for warning in tried.json["warnings"]] == codes


def test_an_import_warns_with_the_line(empty: Flask) -> None:
    client = empty.test_client()
    lines = b'{"type":"open","game":"ruff","players":["ana","ben","chloe"],"date":"2026-01-01"}\n{"type":"deal","dealer":0,"hands":null}\n'
    sheets = b'\n{"type":"score","scores":[5,5,6]}\n'
    report = client.post("/api/v1/import", data=lines + sheets, content_type="application/x-ndjson").json
    assert report["problems"] == []
    (warning,) = report["warnings"]
    assert (warning["line"], warning["code"]) == (4, "score.sum")
    assert "hand 1: a hand has 15 tricks" in warning["detail"]
    again = client.post("/api/v1/import", data=lines + sheets, content_type="application/x-ndjson").json
    assert again["warnings"] == []


def test_doubtful_hands_are_found(empty: Flask) -> None:
    client = empty.test_client()
    good = {"type": "score", "scores": [1, 3, 4, 5]}
    client.post("/api/v1/matches", json={"events": [OPENING, DEAL, SHEET, DEAL | {"dealer": 1}, good]})
    found = {
        asked: client.get(f"/api/v1/hands{asked}").json["hands"] for asked in ("", "?doubtful=true", "?doubtful=false")
    }
    assert [(hand["hand"], hand["doubt"]) for hand in found["?doubtful=true"]] == [(1, WHY)]
    assert [(hand["hand"], hand["doubt"]) for hand in found["?doubtful=false"]] == [(2, None)]
    assert len(found[""]) == 2
