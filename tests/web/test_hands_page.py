"""The page of hands: every hand in which something happened, asked for by a form in words, as the API finds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import escape

from cardledger.study.stats.measures.hand_counts import hand_counts
from tests.web.test_pages import links, page
from tests.web.test_players_page import number_of_hands

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_the_form_offers_all_that_a_game_counts_and_of_all_games_what_each_has(client: FlaskClient) -> None:
    for game in ("hearts", "bridge"):
        text = page(client, f"/hands?game={game}")
        for name, words in hand_counts(game).items():
            assert f'<option value="{name}">{escape(words)}</option>' in text
    text = page(client, "/hands")
    assert '<option value="void_suits">' in text
    assert '<option value="moon">' not in text


def test_what_the_form_asks_for_is_found_as_the_api_finds_it(client: FlaskClient) -> None:
    for game, what, value, where in (
        ("poison-hearts", "points", "5..", "points:5.."),
        ("diamonds-bid", "void_suits", "", "void_suits:1.."),
        ("diamonds-bid", "bid", "2..3", "bid:2..3"),
        ("", "standing", "behind", "standing:behind"),
    ):
        answer = client.get("/hands", query_string={"game": game, "player": "", "what": what, "value": value})
        assert answer.status_code == 302
        told = client.get(f"/api/v1/hands?where={where}&total=true" + (f"&game={game}" if game else "")).json
        assert number_of_hands(client, answer.location) == told["total"] > 0


def test_a_second_question_is_asked_of_the_same_player_and_each_can_be_taken_away(client: FlaskClient) -> None:
    first = client.get("/hands?game=diamonds-bid&what=bid&value=2..").location
    second = client.get(f"{first}&what=standing&value=ahead").location
    told = client.get("/api/v1/hands?game=diamonds-bid&where=bid:2..,standing:ahead&total=true").json
    assert number_of_hands(client, second) == told["total"] < number_of_hands(client, first)
    ticked = re.findall(r'name="where" value="([^"]+)" checked> ([^<]+)<', page(client, second))
    assert [value for value, _ in ticked] == ["bid:2..", "standing:ahead"]
    assert ticked[0][1].endswith(": 2 or more")
    ticks = client.get("/hands?game=diamonds-bid&where=bid:2..&where=standing:ahead").location
    assert number_of_hands(client, ticks) == told["total"]


def test_a_question_that_cannot_be_answered_is_explained_on_the_page(client: FlaskClient) -> None:
    text = page(client, "/hands?game=ruff&where=moon:1")
    assert "Ruff does not count &#39;moon&#39;: choose one of" in text
    assert '<li class="found">' not in text
    assert "written as NAME:VALUE" in page(client, "/hands?where=moon")
    assert "No hand fits" in page(client, "/hands?game=ruff&where=points:x")


def test_the_rulebook_and_the_statistics_of_a_game_lead_to_its_hands(client: FlaskClient) -> None:
    for path in ("/games/ruff", "/stats/ruff"):
        assert "/hands?game=ruff" in links(page(client, path))


def test_hands_are_found_by_card_and_event_and_a_card_that_cannot_be_is_explained(client: FlaskClient) -> None:
    for asked in ("game=diversity&card=AS", "game=diversity&card=AS&how=won", "event=Club+night"):
        told = client.get(f"/api/v1/hands?{asked}&total=true").json
        assert number_of_hands(client, f"/hands?{asked}") == told["total"]
    assert client.get("/api/v1/hands?game=diversity&card=AS&how=won&total=true").json["total"] > 0
    assert "no card &#39;ZZ&#39;" in page(client, "/hands?game=diversity&card=ZZ")
    assert client.get("/api/v1/hands?card=ZZ").json["code"] == "store.unknown"
    assert client.get("/api/v1/hands?how=won").json["code"] == "format.key"
