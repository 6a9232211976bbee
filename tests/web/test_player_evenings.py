"""An evening of which only results are known counts for its people: on their pages, in lists, search and the API."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.record.people.people import Merge
from cardledger_web.app import ledger_of
from tests.evenings.night import opening, play, record, result, table

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

EMIL, FRIEDA, GITTA, HANS = "Emil", "Frieda", "Gitta", "Hans"
FIELD = (EMIL, FRIEDA, GITTA, HANS)


@pytest.fixture
def client(empty: Flask) -> FlaskClient:
    return empty.test_client()


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


def drive(ledger: Ledger, points: tuple[int, ...], players: tuple[str, ...] = FIELD, **keys: object) -> str:
    """Record an evening of one table with results alone; return its id."""
    session = record(ledger, None, opening(game="whist", scoring={"kind": "total"}, **keys))
    record(ledger, session, *({"type": "arrive", "player": player} for player in players))
    entered = {"type": "result", "round": 1, "table": 1, "points": [*points]}
    record(ledger, session, table(1, players), entered)
    return session


def publish(ledger: Ledger, session: str) -> None:
    record(ledger, session, {"type": "publish"})
    record(ledger, session, {"type": "close"})


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2])))


def test_who_came_to_an_evening_of_results_has_a_page_with_place_and_points(
    client: FlaskClient, ledger: Ledger
) -> None:
    session = drive(ledger, (8, 5, 8, 5), name="Village hall")
    assert "under way" in text(client, f"/players/{EMIL}")
    publish(ledger, session)
    shown = text(client, f"/players/{EMIL}")
    assert "Village hall" in shown
    assert re.search(r"1= of 4 (\S+ )*?8.00 Whist", shown), shown
    assert "Only the results of evenings are recorded" in shown
    assert re.search(r"1= of 4", text(client, f"/players/{GITTA}"))
    # Every name of the published ranking leads somewhere.
    for path in {*re.findall(r'href="(/players/[^"#?]+)"', client.get(f"/evenings/{session}").text)}:
        assert client.get(path).status_code == 200, path


def test_lists_and_search_know_them_and_filter_by_game(client: FlaskClient, ledger: Ledger) -> None:
    session = drive(ledger, (8, 5, 8, 5))
    match = play(ledger, (EMIL, "ben", "chloe", "dev"))
    assert ledger.stream(match)
    listed = client.get("/api/v1/players").json
    found = {one["id"]: (one["evenings"], one["matches"]) for one in listed["players"]}
    assert found == {
        EMIL: (1, 1),
        FRIEDA: (1, 0),
        GITTA: (1, 0),
        HANS: (1, 0),
        "ben": (0, 1),
        "chloe": (0, 1),
        "dev": (0, 1),
    }
    whist = {one["id"] for one in client.get("/api/v1/players?game=whist").json["players"]}
    assert whist == {*FIELD}
    total = client.get("/api/v1/players?total=true&limit=2").json
    assert total["total"] == 7
    walked, after = [], None
    while True:
        page = client.get("/api/v1/players", query_string={"limit": 2} | ({"after": after} if after else {})).json
        walked += [one["id"] for one in page["players"]]
        if (after := page["next"]) is None:
            break
    assert walked == sorted(found)
    assert {one["id"] for one in client.get("/api/v1/players?q=frie").json["players"]} == {FRIEDA}
    assert client.get(f"/api/v1/players/{FRIEDA}").json["games"] == []
    assert client.get("/api/v1/players/nobody").status_code == 404
    searched = client.get("/api/v1/search?q=gitta").json["players"]
    assert searched == [{"id": GITTA, "name": GITTA, "matches": 0, "evenings": 1}]
    assert "1 evening" in text(client, "/search?q=gitta")
    page = client.get("/players").text
    assert f"/evenings?player={FRIEDA}" in page
    assert f"/matches?player={FRIEDA}" not in page
    assert session in client.get(f"/evenings?player={FRIEDA}").text
    assert "No evening names this player" in client.get("/evenings?player=dev").text
    sessions = client.get("/api/v1/sessions?player=Frieda&total=true").json
    assert ([one["id"] for one in sessions["sessions"]], sessions["total"]) == ([session], 1)
    assert client.get("/api/v1/sessions?player=dev").json["sessions"] == []


def test_two_ids_of_one_person_are_one_player_with_the_evenings_of_both(client: FlaskClient, ledger: Ledger) -> None:
    first = drive(ledger, (8, 5, 8, 5))
    second = drive(ledger, (1, 5, 1, 5), ("E. Schmidt", FRIEDA, GITTA, HANS), date="2026-01-13")
    ledger.record_people([Merge(player="E. Schmidt", into=EMIL)], ledger.people().seq, "tests")
    publish(ledger, first)
    publish(ledger, second)
    assert client.get("/api/v1/players/Emil").json["evenings"] == 2
    shown = text(client, "/players/Emil")
    assert "1= of 4" in shown
    assert "3= of 4" in shown
    assert client.get("/players/E. Schmidt").status_code == 302
    assert {first, second} <= {one["id"] for one in client.get("/api/v1/sessions?player=E. Schmidt").json["sessions"]}


def test_a_player_of_matches_has_the_evenings_too(client: FlaskClient, ledger: Ledger) -> None:
    players = (EMIL, "ben", "chloe", "dev")
    session = record(ledger, None, opening(name="Both"), *({"type": "arrive", "player": player} for player in players))
    record(ledger, session, table(1, players), result(1, play(ledger, players)))
    publish(ledger, session)
    shown = text(client, f"/players/{EMIL}")
    assert re.search(r"Both .*? of 4", shown)
    assert "Results of all games" in shown


def test_members_of_a_club_who_never_came_are_no_players(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, None, {"type": "club", "name": "Whist"}, {"type": "member", "player": "Zoe"})
    assert client.get("/api/v1/players").json["players"] == []
    assert client.get("/players/Zoe").status_code == 404
