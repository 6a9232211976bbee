"""Partners on pages and in the API: a side is shown once, with all who belong to it, and wins as a whole."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.partners import evening
from tests.web.test_pages import page
from tests.web.test_players_page import cells

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def words(text: str) -> str:
    """Return what a page says, without its tags."""
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", text).split()))


@pytest.fixture
def club(empty: Flask) -> FlaskClient:
    """A client of a club where ana and chloe won twice."""
    evening(ledger_of(empty))
    return empty.test_client()


@pytest.mark.parametrize("path", ["/", "/matches"])
def test_a_list_of_matches_shows_each_side_once(club: FlaskClient, path: str) -> None:
    sides = re.findall(
        r"<li( class=\"wins\")?><span class=\"team\">(.*?)</span>\s*<span class=\"points\">(.*?)</span>",
        page(club, path),
        re.S,
    )
    found = [(words(names), points, bool(won)) for won, names, points in sides]
    assert found == [
        ("dev and ben", "0", False), ("ana and chloe", "4", True),
        ("ana and dev", "0", False), ("ben and chloe", "1", True),
        ("ana and chloe", "2", True), ("ben and dev", "0", False),
    ]  # fmt: skip


def test_the_page_of_a_match_has_a_column_for_each_side(club: FlaskClient) -> None:
    (match, *_) = club.get("/api/v1/matches?limit=1").json["matches"]
    text = page(club, f"/matches/{match['id']}")
    head = re.search(r'<table class="scoreboard">.*?</thead>', text, re.S)[0]
    assert [words(cell) for cell in re.findall(r"<th.*?</th>", head, re.S)] == ["Hand", "dev and ben", "ana and chloe"]
    total = re.search(r'<th scope="row">Total</th>(.*?)</tr>', text, re.S)[1]
    assert [("wins" in cell, words(cell)) for cell in re.findall(r"<td.*?</td>", total, re.S)] == [
        (False, "0"),
        (True, "4 ★"),
    ]


def test_the_page_of_a_match_shows_the_facts_of_the_game(empty: Flask) -> None:
    """Of a rubber of whist: the games that each side has won."""
    opening = ev.Open(game="whist", players=("ana", "ben", "chloe", "dev"), options={"rubber": True, "target": 5})
    deal, score = ev.Deal(dealer=0, hands=None, upcard=None), ev.Score(scores=(6, 0, 6, 0))
    match = ledger_of(empty).record(None, [opening, deal, score], 0).match
    text = page(empty.test_client(), f"/matches/{match}")
    games = re.search(r'<th scope="row">Games won</th>(.*?)</tr>', text, re.S)[1]
    assert [words(cell) for cell in re.findall(r"<td.*?</td>", games, re.S)] == ["1", "0"]


def test_a_player_has_partners_and_opponents(club: FlaskClient) -> None:
    rows = cells(page(club, "/players/ana"), "matches")
    assert [row[-1][0] for row in rows] == [
        "chloe against dev and ben", "dev against ben and chloe", "chloe against ben and dev",
    ]  # fmt: skip


def test_head_to_head_separates_results_as_partners_and_as_opponents(club: FlaskClient) -> None:
    text = page(club, "/players/ana/against/chloe")
    (against,) = cells(text, "Head to head by game")
    assert [cell[0] for cell in against[1:6]] == ["1", "1", "0", "1", "0"]
    (partners,) = cells(text, "As partners by game")
    assert [cell[0] for cell in partners[1:4]] == ["2", "2", "2 of 2"]
    together = cells(page(club, partners[1][1]), "Matches together")
    assert [row[2][0].split()[0] for row in together] == ["4", "2"]


def test_an_exported_head_to_head_has_both_players(club: FlaskClient) -> None:
    lines = club.get("/tables/head-to-head.csv?player=ana&other=chloe").text.splitlines()
    assert [line.partition(",")[0].strip("\ufeff") for line in lines] == ["how", "against", "with"]


def test_the_api_returns_head_to_head_and_the_sides_of_matches(club: FlaskClient) -> None:
    told = club.get("/api/v1/players/ana/head-to-head/chloe").json["rows"]
    assert [(row["how"], row["matches"], row["won"]) for row in told] == [("against", 1, 0), ("with", 2, 2)]
    assert club.get("/api/v1/players/ana/head-to-head/nobody").status_code == 404
    matches = club.get("/api/v1/matches").json["matches"]
    assert [(match["sides"], match["winners"]) for match in matches] == [
        ([[0, 2], [1, 3]], [1, 3]), ([[0, 2], [1, 3]], [1, 3]), ([[0, 2], [1, 3]], [0, 2]),
    ]  # fmt: skip


def test_there_are_no_sides_if_everybody_plays_alone(client: FlaskClient) -> None:
    matches = client.get("/api/v1/matches?game=hearts").json["matches"]
    assert [match["sides"] for match in matches] == [[]] * len(matches) != []


def test_a_game_of_two_sides_has_two_places(club: FlaskClient) -> None:
    (row,) = cells(page(club, "/players/ana"), "Results by game")
    assert row[-1][0] == "1st 2 2nd 1"


def test_the_replayer_shows_the_partners_and_the_card_turned_up(client: FlaskClient) -> None:
    (match,) = (m for m in client.get("/api/v1/matches?game=euchre").json["matches"] if m["hands"] == 5)
    text = page(client, f"/matches/{match['id']}/replay/20")
    assert words(re.search(r'<p class="sides">(.*?)</p>', text, re.S)[1]) == "ana and chloe against ben and dev"
    assert "Turned up: A♣" in re.search(r'<p class="hand-facts">(.*?)</p>', text, re.S)[1]


def test_a_nil_is_called_so_at_the_table(empty: Flask) -> None:
    opening = ev.Open(game="spades", players=("ana", "ben", "chloe", "dev"))
    events = [
        ev.Deal(dealer=0, hands=None),
        ev.Bid(seat=1, amount=3),
        ev.Call(seat=2, call="nil"),
        ev.Bid(seat=3, amount=4),
    ]
    match = ledger_of(empty).record(None, [opening, *events], 0).match
    client = empty.test_client()
    assert client.get(f"/api/v1/matches/{match}/table").json["nil"] == [2]
    text = page(client, f"/matches/{match}/replay/5")
    assert len(re.findall(r">nil<", text)) == 1
